import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Connection } from './connection';
import { quote } from './failure';

/** Requests of more places than one operation (API 4; assumption A1). */
export const ENDPOINTS = {
	sendText: 'POST /v1/messages/send-text',
	showTyping: 'POST /v1/messages/presence',
	getWebhooks: 'GET {+webhooksPath}',
	createWebhook: 'POST {+webhooksPath}',
	updateWebhook: 'PATCH {+webhooksPath}/{webhookId}',
	deleteWebhook: 'DELETE {+webhooksPath}/{webhookId}',
} as const;

/**
 * Method and path of an endpoint. As in RFC 6570, `{+path}` of the credential goes in as it is,
 * `{id}` encoded. Throws if a value cannot be part of a path.
 */
export function fillEndpoint(
	endpoint: string,
	overrides: Connection['overrides'],
	ids: IDataObject = {},
) {
	const [method, template] = endpoint.split(' ') as [IHttpRequestMethods, string];

	const path = template.replace(/\{(\+?)(\w+)\}/g, (_braces, plus: string, name: string) => {
		if (plus) return overrides[name];

		const value = String(ids[name] ?? '');
		const isStep = value === '' || value === '.' || value === '..';
		if (isStep || /\p{Cs}/u.test(value)) {
			throw new Error(`${quote(value)} cannot be part of the address. Check the ID.`);
		}
		return encodeURIComponent(value);
	});

	return { method, path };
}
