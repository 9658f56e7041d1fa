import { randomUUID } from 'node:crypto';
import type { ITriggerFunctions, IWebhookFunctions, Logger } from 'n8n-workflow';
import { forwardToQuestions } from '../../../../nodes/MessagingGateway/trigger/delivery/forward';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { gatewayContext } from '../../gatewayContext';
import { makeEvent } from '../event';

/** A trigger whose record says that questions may be parked, though the gateway has named none yet. */
function publish({ parked }: { parked?: true }) {
	const context = {
		...gatewayContext({ answer: () => ({ status: 503 }) }),
		getMode: () => 'webhook',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => ({}),
	};
	const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
	const subscription = new Subscription(key, context.logger as unknown as Logger);
	const url = 'https://n8n.example.com/webhook/hook';
	const events = ['MESSAGE.RECEIVED'];
	subscription.want({ url, events });
	subscription.confirm({ webhookId: 'wh_1', secret: 'whsec_x', url, events, parked });
	const checkSoon = jest.fn();
	subscription.switchedOn = {
		context: context as unknown as ITriggerFunctions,
		checkSoon,
		end: () => {},
		passOn: () => {},
	};
	return {
		checkSoon,
		deliver: async (type = 'MESSAGE.RECEIVED') =>
			await forwardToQuestions(
				context as unknown as IWebhookFunctions,
				subscription,
				makeEvent({ type }),
				false,
			),
	};
}

describe('while nobody knows which questions are parked', () => {
	it('a message is to be repeated, and a check is to find out', async () => {
		const trigger = publish({ parked: true });
		expect(await trigger.deliver()).toBe(false);
		expect(trigger.checkSoon).toHaveBeenCalledTimes(1);
	});

	it.each<[string, { parked?: true }, string]>([
		['no message where none can be', {}, 'MESSAGE.RECEIVED'],
		['nothing else', { parked: true }, 'CONNECTION.UPDATED'],
	])('%s', async (_what, record, type) => {
		const trigger = publish(record);
		expect(await trigger.deliver(type)).toBe(true);
		expect(trigger.checkSoon).not.toHaveBeenCalled();
	});
});
