import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { openLimited, sendInTurn } from '../action/limitedGateway';
import { RateLimiter } from '../action/rateLimiter';
import { fingerprint } from '../api/access';
import { ENDPOINTS, fillEndpoint } from '../api/endpoints';
import { openAccess } from '../api/request';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { acknowledge } from '../webhooks/http';
import type { QuestionDelivery } from './admit';
import { arrangeWebhook } from './parking';
import type { Question } from './question';
import { composeUrl, type Note } from './url';

/**
 * Writes into the chat of a message on behalf of a question. It goes out as the messages of an item do: at the chosen pace,
 * and after a pause that the gateway wants. What does not go out is said in the log.
 */
export async function writeBack(
	context: IWebhookFunctions,
	{ perMinute, instanceId }: Question,
	event: GatewayEvent,
	text: string,
): Promise<void> {
	try {
		const access = await openAccess(context, 'instance', 0, instanceId);
		const limiter = new RateLimiter(fingerprint(access), undefined);
		const item = { access, itemIndex: 0 };
		const gateway = openLimited(context, { item, limiter, operation: 'Ask Again', perMinute });
		const body = { to: textIn(recordIn(dataOf(event), 'chat'), 'id'), text };
		const request = { ...fillEndpoint(ENDPOINTS.sendText), token: 'instance' } as const;
		await sendInTurn(async () => await gateway.call({ ...request, effect: 'send', body }));
	} catch (error) {
		context.logger.warn(
			`Messaging Gateway: the person asked could not be written to again: ${(error as Error).message}`,
		);
	}
}

/** Tells the person in the background that the reply fits nothing, where that is wanted. */
export function askAgain(delivery: QuestionDelivery): IWebhookResponseData {
	const { account, question, event } = delivery;
	const { webhookId, askAgain: wanted } = question;
	const counted = wanted && account.countAskedAgain(webhookId, event, wanted.maxAttempts);
	if (!wanted || counted === undefined) return acknowledge('Not the answer');
	account.looks.noteTaken(event);
	void noteAndWrite(delivery, counted, wanted.text);
	return acknowledge('Asked again');
}

/** The URL of the webhook holds the count, since it outlasts the process. */
async function noteAndWrite(
	{ context, question, event }: QuestionDelivery,
	counted: Note,
	text: string,
): Promise<void> {
	const webhook = { id: question.webhookId, url: composeUrl(context, counted) };
	// Where the gateway does not change webhooks, this process still knows it.
	await arrangeWebhook(context, webhook, counted.chatId !== undefined).catch(() => {});
	await writeBack(context, question, event, text);
}
