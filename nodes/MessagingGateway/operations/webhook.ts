import { ENDPOINTS } from '../api/endpoints';
import { quote } from '../api/plainText';
import { HIDDEN } from '../api/secrets';
import { customEvents, eventOptions } from '../fields/events';
import { idField, type Field } from '../fields/field';
import { listFields } from '../fields/list';
import { showSecretToAgent } from '../fields/options';
import { readEvents } from '../fields/typed';
import type { Resource } from './operation';

const webhookId = idField({
	displayName: 'Webhook ID',
	name: 'webhookId',
	placeholder: 'e.g. wh_8f14e45f',
	description: 'ID of the webhook, as created or listed',
	in: 'path',
});

const url: Field = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/my-receiver',
	description: 'Where the gateway delivers events. It must be reachable from the gateway.',
	in: 'body',
	clean: readWebhookUrl,
};

const events: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	default: [],
	options: eventOptions,
	description: 'Which events are delivered',
};

/** @throws Error in a person's words if it is no http(s) address */
function readWebhookUrl(value: unknown): string {
	const typed = String(value).trim();
	if (/^https?:\/\/[^/?#]/i.test(typed) && !/\s/.test(typed) && URL.canParse(typed)) return typed;
	throw new Error(
		`${quote(typed)} is not a web address. Enter the whole URL of the receiver, e.g. https://example.com/my-receiver`,
	);
}

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create webhook',
			description: 'Create a webhook for another system. The trigger node creates its own.',
			effect: 'change',
			request: ENDPOINTS.createWebhook,
			token: 'account',
			expects: 'object',
			fields: [
				{ ...url, required: true },
				{ ...events, default: ['MESSAGE.RECEIVED'] },
			],
			options: [customEvents, showSecretToAgent],
			perform: async (gateway, values, request) => {
				const types = readEvents(values.events, values.options.customEvents);
				if (types.length === 0)
					throw new Error('No event is chosen. Choose at least one in Events.');
				return await gateway.succeed({
					...request,
					body: { url: values.url, events: types },
					givesSecret: true,
				});
			},
			hint: ({ secret }) =>
				String(secret).includes(HIDDEN)
					? 'The secret is hidden, because a model reads this output. To show it, add the option “Show Webhook Secret to AI Agent” and create another webhook.'
					: 'The secret is shown only now. Keep it in a safe place.',
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete webhook',
			description: 'Delete a webhook permanently',
			effect: 'change',
			request: ENDPOINTS.deleteWebhook,
			token: 'account',
			fields: [webhookId],
			perform: async (gateway, _values, request) => {
				await gateway.call(request);
				return { items: [{ deleted: true }] };
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			opensMenu: true,
			action: 'Get many webhooks',
			description: 'List the webhooks of the account. Secrets are never listed.',
			effect: 'read',
			request: ENDPOINTS.getWebhooks,
			token: 'account',
			expects: 'list',
			fields: listFields,
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update webhook',
			description: 'Change the URL or the events of a webhook. Everything else stays as it is.',
			effect: 'change',
			request: ENDPOINTS.updateWebhook,
			token: 'account',
			expects: 'object',
			fields: [webhookId],
			options: [customEvents, events, url],
			perform: async (gateway, values, request) => {
				const { customEvents: custom, events: chosen, url: address } = values.options;
				const types = readEvents(chosen, custom);
				const body = {
					...(address ? { url: address } : {}),
					...(types.length > 0 ? { events: types } : {}),
				};
				if (Object.keys(body).length === 0) {
					throw new Error('There is nothing to change. Add URL, Events or both under Options.');
				}
				return await gateway.succeed({ ...request, body });
			},
		},
	],
};
