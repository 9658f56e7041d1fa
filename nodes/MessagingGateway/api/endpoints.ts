import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { quote } from './plainText';

/**
 * Requests that the package makes in more places than one operation (API document, "Endpoints"; assumption A1). A name in
 * braces that ends in `Path` is filled in by the credential, any other by a field.
 */
export const ENDPOINTS = {
	sendText: 'POST /v1/messages/send-text',
	showTyping: 'POST /v1/messages/presence',
	getWebhooks: 'GET {webhooksPath}',
	createWebhook: 'POST {webhooksPath}',
	updateWebhook: 'PATCH {webhooksPath}/{webhookId}',
	deleteWebhook: 'DELETE {webhooksPath}/{webhookId}',
} as const;

/**
 * Method and path of an endpoint, e.g. `fillEndpoint('DELETE /v1/things/{id}', { id: 'a b' })` gives `DELETE` and
 * `/v1/things/a%20b`.
 *
 * @throws {Error} if a value cannot be part of a path
 */
export function fillEndpoint(
	endpoint: string,
	values: IDataObject = {},
): { method: IHttpRequestMethods; path: string } {
	const [method, template] = endpoint.split(' ') as [IHttpRequestMethods, string];
	const path = template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		if (name.endsWith('Path')) return placeholder;
		const value = String(values[name] ?? '');
		if (value === '' || value === '.' || value === '..') {
			throw new Error(`${quote(value)} cannot be part of the address. Check the ID.`);
		}
		return encodeURIComponent(value);
	});
	return { method, path };
}
