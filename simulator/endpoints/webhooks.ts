import { Refusal, SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { hideSecret } from '../webhooks/registry';
import { answerList } from './list';
import { NewWebhook, Nothing, WebhookChanges, WebhookId } from './schemas';

/** Webhook management: paths and payloads are gaps of the document, the record is documented. */
export function addWebhookEndpoints(app: App, { settings, webhooks }: Gateway): void {
	const path = settings.webhooksPath;

	app.post(path, guard('account', { body: NewWebhook, querystring: Nothing }), async (request) => {
		return { data: webhooks.create(request.body.url, request.body.events) };
	});

	app.get(path, guard('account', { querystring: Nothing }), async () => {
		const listed = webhooks.list().map(hideSecret);
		const withoutEvents = listed.map(({ events: _events, ...shown }) => shown);
		return answerList(settings, 'webhooks', settings.listWebhookEvents ? listed : withoutEvents);
	});

	const change = guard('account', {
		body: WebhookChanges,
		params: WebhookId,
		querystring: Nothing,
	});
	app.patch(`${path}/:id`, change, async (request) => {
		const record = webhooks.update(request.params.id, request.body);
		if (!record) throw new Refusal(404, `There is no webhook with the id "${request.params.id}"`);
		return { data: hideSecret(record) };
	});

	app.delete(
		`${path}/:id`,
		guard('account', { params: WebhookId, querystring: Nothing }),
		async (request) => {
			if (!webhooks.delete(request.params.id)) {
				throw new Refusal(404, `There is no webhook with the id "${request.params.id}"`);
			}
			return SUCCESS;
		},
	);
}
