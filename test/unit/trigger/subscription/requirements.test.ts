import type { IHookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../../../../nodes/MessagingGateway/api/request';
import {
	requireNoResponder,
	requireSecret,
	warnOfSavedSecret,
} from '../../../../nodes/MessagingGateway/trigger/subscription/requirements';

interface Behind {
	confirmWhen?: string;
	responder?: { type?: string; typeVersion?: number; disabled?: boolean };
	/** The type of a node before the responder, beside the trigger. */
	before?: string;
}

/** Publishes a trigger with a node behind it. */
function publish({ confirmWhen = 'succeeded', responder = {}, before }: Behind): void {
	const trigger = { name: 'Trigger', type: 'trigger', parameters: {} };
	const context = {
		getNode: () => trigger,
		getNodeParameter: () => ({ confirmWhen }),
		getChildNodes: () => [
			{ name: 'Respond', type: 'n8n-nodes-base.respondToWebhook', typeVersion: 1.1, ...responder },
		],
		getParentNodes: () => [trigger, ...(before === undefined ? [] : [{ type: before }])],
	};
	requireNoResponder(context as unknown as IHookFunctions);
}

describe('a trigger that confirms what has succeeded', () => {
	it('is not published with a node behind it that answers another trigger', () => {
		expect(() => publish({})).toThrow('Remove the node "Respond"');
	});

	it.each<[string, Behind]>([
		['is disabled', { responder: { disabled: true } }],
		['is of the version that does not fail', { responder: { typeVersion: 1 } }],
		['is another one', { responder: { type: 'n8n-nodes-base.set' } }],
		['answers a webhook of n8n', { before: 'n8n-nodes-base.webhook' }],
		['answers a form', { before: 'n8n-nodes-base.formTrigger' }],
		['answers a chat', { before: '@n8n/n8n-nodes-langchain.chatTrigger' }],
		['answers a form after a wait', { before: 'n8n-nodes-base.wait' }],
	])('is published where that node %s', (_what, behind) => {
		expect(() => publish(behind)).not.toThrow();
	});
});

it('one that confirms what has started is published with any', () => {
	expect(() => publish({ confirmWhen: 'started' })).not.toThrow();
});

it('a secret is taken with the spaces that came along when it was pasted', async () => {
	const webhookSecret = ` whsec_${Buffer.alloc(24, 7).toString('base64')}\n`;
	const context = { getCredentials: async () => await Promise.resolve({ webhookSecret }) };
	await expect(requireSecret(context as unknown as GatewayContext)).resolves.toBeUndefined();
});

it('nothing is said of executions that keep the secret, since this n8n keeps it out of them', () => {
	const warn = jest.fn();
	warnOfSavedSecret({ logger: { warn } } as unknown as GatewayContext);
	expect(warn).not.toHaveBeenCalled();
});
