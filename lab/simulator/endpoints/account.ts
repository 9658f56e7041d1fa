import { Type } from '@sinclair/typebox';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import { Refusal } from '../http/refusal';
import { hideSecret } from '../webhooks/registry';
import { answerList } from './number';
import { routesFor } from './route';
import { exactly, Nothing } from './schemas';

const Url = Type.String({ pattern: '^https?://[^\\s/]+' });
const EventTypes = Type.Array(Type.String({ pattern: '^[A-Z_]+\\.[A-Z_]+$' }), {
	minItems: 1,
	uniqueItems: true,
});
const WebhookChanges = Type.Partial(
	exactly({ url: Url, events: EventTypes, enabled: Type.Boolean() }),
	{ minProperties: 1 },
);

/** The endpoints that take an account token. Their paths and payloads are gaps; the webhook record is documented. */
export function addAccountEndpoints(app: App, gateway: Gateway): void {
	const { settings, webhooks, instances } = gateway;
	const { webhooksPath: path, storeWebhook, listWebhooks } = settings;
	const on = routesFor(app, gateway, 'account');
	const idOf = ({ params }: { params: unknown }) => (params as { id: string }).id;

	on(`POST ${path}`, exactly({ url: Url, events: EventTypes }), (body) => {
		const { url, events } = storeWebhook(body);
		return { data: webhooks.create(url, events) };
	});
	on(`GET ${path}`, Nothing, () => {
		const listed = webhooks.list().map(hideSecret);
		return listWebhooks?.(listed) ?? answerList(gateway, 'webhooks', listed);
	});
	on(`PATCH ${path}/:id`, WebhookChanges, (body, { request }) => {
		const record = webhooks.update(idOf(request), body);
		if (!record) throw new Refusal(404, `There is no webhook with the id "${idOf(request)}"`);
		return { data: hideSecret(record) };
	});
	on(`DELETE ${path}/:id`, Nothing, (_, { request }) => {
		if (!webhooks.delete(idOf(request)))
			throw new Refusal(404, `There is no webhook with the id "${idOf(request)}"`);
	});
	on(`GET ${settings.instancesPath}`, Nothing, () => {
		const numbers = [...instances.values()].map((instance) => instance.describe());
		return answerList(gateway, 'instances', numbers);
	});
}
