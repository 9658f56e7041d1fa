import { runInNewContext } from 'node:vm';
import {
	resolveWebhookDescriptionField,
	type INode,
	type INodeParameters,
	type IWebhookDescription,
} from 'n8n-workflow';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const { webhooks } = new MessagingGatewayTrigger().description;
const [webhook] = webhooks as [IWebhookDescription];

describe.each<[string, INodeParameters]>([
	['onReceived', {}],
	['onReceived', { chatTypes: ['person'] }],
	['onReceived', { confirmWhen: 'started' }],
	['lastNode', { confirmWhen: 'succeeded' }],
	['lastNode', { oneTurnAtATime: { values: { maxTurnMinutes: 5 } } }],
	['lastNode', { confirmWhen: 'started', oneTurnAtATime: {} }],
])('n8n answers %s with %j', (mode, options) => {
	it('by the function, where n8n knows how', () => {
		const node = { parameters: { options } } as unknown as INode;
		expect(resolveWebhookDescriptionField(node, webhook, 'responseMode')).toEqual({
			resolved: true,
			value: mode,
		});
	});

	it('by the expression, where it does not', () => {
		const [, expression] = /^=\{\{(.*)\}\}$/u.exec(String(webhook.responseMode)) ?? [];
		expect(runInNewContext(String(expression), { $parameter: { options } })).toBe(mode);
	});
});

it('n8n answers at the start where a workflow was made without any options', () => {
	const node = { parameters: {} } as INode;
	expect(resolveWebhookDescriptionField(node, webhook, 'responseMode')).toMatchObject({
		value: 'onReceived',
	});
});
