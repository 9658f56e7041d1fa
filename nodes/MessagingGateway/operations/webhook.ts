import type { IDataObject } from 'n8n-workflow';
import { customEvents, eventOptions } from '../fields/common';
import { idField, stringField } from '../fields/field';
import type { Field } from '../fields/types';
import { ENDPOINTS } from '../gateway/endpoints';
import { getMany, type Resource, type Values } from './operation';

const webhookId = idField({
	displayName: 'Webhook ID',
	name: 'webhookId',
	placeholder: 'e.g. wh_8f14e45f',
	description: 'As created or listed',
	in: 'path',
});

const url = stringField({
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://example.com/my-receiver',
	description: 'An address that the gateway can reach',
});

const events: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	default: [],
	options: eventOptions,
	isList: true,
};

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	tokenKind: 'account',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create webhook',
			description: 'Create a webhook for another system. The trigger node creates its own.',
			request: ENDPOINTS.createWebhook,
			fields: [
				{ ...url, required: true },
				{ ...events, default: ['MESSAGE.RECEIVED'] },
				customEvents,
			],
			perform: async ({ gateway }, values, request) => {
				const body = writeBody(values);
				if (body.events === undefined) {
					throw new Error('No event is chosen. Choose at least one in Events.');
				}

				const { items } = await gateway.call({ ...request, body });
				return { items, hint: 'The secret is shown only now. Keep it in a safe place.' };
			},
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete webhook',
			description: 'Delete a webhook permanently',
			request: ENDPOINTS.deleteWebhook,
			fields: [webhookId],
			perform: async ({ gateway }, _values, request) => {
				await gateway.call({ ...request, expects: undefined });
				return { items: [{ deleted: true }] };
			},
		},
		{ ...getMany('webhooks'), request: ENDPOINTS.getWebhooks },
		{
			name: 'Update',
			value: 'update',
			action: 'Update webhook',
			description: 'Change the URL or the events of a webhook. An empty field stays as it is.',
			request: ENDPOINTS.updateWebhook,
			fields: [webhookId, url, events, customEvents],
			perform: async ({ gateway }, values, request) => {
				const body = writeBody(values);
				if (Object.keys(body).length === 0) {
					throw new Error('There is nothing to change. Fill in URL, Events or both.');
				}
				return await gateway.call({ ...request, body });
			},
		},
	],
};

function writeBody({ url: typed, events: chosen, customEvents: custom }: Values): IDataObject {
	const body: IDataObject = {};
	if (typed !== undefined) body.url = typed;

	const types = new Set([chosen ?? [], custom ?? []].flat());
	if (types.size > 0) body.events = [...types];

	return body;
}
