import { NewWebhook, WebhookId } from '../endpoints/schemas';
import { Refusal, type Gateway } from '../gateway';
import type { App } from '../http/app';
import { resetGateway } from '../reset';
import { changeConnection, changePairing } from '../state/connection';
import { receiveMessage, writeAsOwner } from '../state/traffic';
import {
	ConnectionBody,
	DeliveryBody,
	EventBody,
	FaultBody,
	FaultId,
	OwnWritingBody,
	PairingBody,
	ResetBody,
	WritingBody,
} from './schemas';

/** Everything that a test or the page can make happen, without a token: people, trouble, webhooks by hand. */
export function addActions(app: App, gateway: Gateway): void {
	const { events, deliveries, faults, webhooks, schedule } = gateway;

	app.post(
		'/simulator/write',
		{ schema: { body: WritingBody } },
		async ({ body: { text, ...writing } }) => {
			return receiveMessage(gateway, text, writing);
		},
	);

	app.post('/simulator/emit', { schema: { body: EventBody } }, async ({ body }) =>
		events.emit(body),
	);

	app.post(
		'/simulator/write-as-owner',
		{ schema: { body: OwnWritingBody } },
		async ({ body: { text, ...writing } }) => {
			return writeAsOwner(gateway, text, writing);
		},
	);

	app.post(
		'/simulator/connection',
		{ schema: { body: ConnectionBody } },
		async ({ body: { status, ...ban } }) => {
			return changeConnection(gateway, status, ban);
		},
	);

	app.post('/simulator/pairing', { schema: { body: PairingBody } }, async ({ body }) =>
		changePairing(gateway, body.status),
	);

	app.put('/simulator/delivery', { schema: { body: DeliveryBody } }, async ({ body }) => {
		deliveries.setMode(body);
		return deliveries.mode;
	});

	app.post('/simulator/faults', { schema: { body: FaultBody } }, async ({ body }) =>
		faults.add(body),
	);

	app.delete('/simulator/faults', async (_, reply) => {
		faults.clear();
		return await reply.code(204).send();
	});

	app.delete(
		'/simulator/faults/:id',
		{ schema: { params: FaultId } },
		async ({ params }, reply) => {
			if (!faults.remove(Number(params.id)))
				throw new Refusal(404, `There is no fault ${params.id}`);
			return await reply.code(204).send();
		},
	);

	app.post('/simulator/webhooks', { schema: { body: NewWebhook } }, async ({ body }) =>
		webhooks.create(body.url, body.events),
	);

	app.delete(
		'/simulator/webhooks/:id',
		{ schema: { params: WebhookId } },
		async ({ params }, reply) => {
			if (!webhooks.delete(params.id)) throw new Refusal(404, `There is no webhook ${params.id}`);
			return await reply.code(204).send();
		},
	);

	app.post('/simulator/drained', async () => {
		await schedule.drained();
		return { drained: true };
	});

	app.post('/simulator/reset', { schema: { body: ResetBody } }, async ({ body }, reply) => {
		resetGateway(gateway, body.webhooks ?? false);
		return await reply.code(204).send();
	});
}
