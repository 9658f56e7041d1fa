import type { IWebhookFunctions } from 'n8n-workflow';
import { askGateway, openAccess } from '../api/request';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';

/** Writes into the chat of a message, in the background. */
export async function writeBack(
	context: IWebhookFunctions,
	event: GatewayEvent,
	text: string,
): Promise<void> {
	const to = textIn(recordIn(dataOf(event), 'chat'), 'id');
	const access = await openAccess(context, 'instance');
	const request = { method: 'POST', path: '/v1/messages/send-text', token: 'instance' } as const;
	const body = { to, text };
	askGateway(context, { ...request, effect: 'send', body }, { access, itemIndex: 0 }).catch(
		({ message }: Error) =>
			context.logger.warn(`Messaging Gateway: a question could not be asked again: ${message}`),
	);
}
