import type { FastifyReply } from 'fastify';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import type { RecordedDelivery } from '../recorder';
import { hideSecret } from '../webhooks/registry';

const DELIVERIES_SHOWN = 200;
const HEARTBEAT_MS = 20_000;

/** Everything that a test or the page can look at, without a token. */
export function addViews(app: App, gateway: Gateway): void {
	const { settings, recorder, faults, webhooks, deliveries, instance, chats } = gateway;

	app.get('/simulator/info', async () => {
		const { accountToken, instanceToken, instanceId, webhooksPath, instancesPath, basePath } = settings;
		return { accountToken, instanceToken, instanceId, webhooksPath, instancesPath, basePath };
	});
	app.get('/simulator/requests', async () => recorder.requests);
	app.get('/simulator/deliveries', async () => recorder.deliveries);
	app.get('/simulator/sends', async () => recorder.sends);
	app.get('/simulator/faults', async () => faults.list());
	app.get('/simulator/webhooks', async () => webhooks.list());
	app.get('/simulator/delivery', async () => deliveries.mode);

	app.get('/simulator/state', async () => ({
		instance: instance.view(),
		chats: chats.listWithMessages(),
		webhooks: webhooks.list().map(hideSecret),
		mode: deliveries.mode,
		deliveries: recorder.deliveries.slice(-DELIVERIES_SHOWN).map(summarise),
		faults: faults.list(),
	}));

	app.get('/simulator/live', (_, reply) => streamChanges(gateway, reply));
}

/** Server-Sent Events: one event per change, named by its kind, for as long as the page listens. */
function streamChanges({ changes }: Gateway, reply: FastifyReply): void {
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
	raw.write('retry: 1000\n\n');
	const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
	const unwatch = changes.watch((kind, value) => {
		const shown = kind === 'delivery' ? summarise(value as RecordedDelivery) : value;
		raw.write(`event: ${kind}\ndata: ${JSON.stringify(shown)}\n\n`);
	});
	raw.once('close', () => {
		clearInterval(heartbeat);
		unwatch();
	});
}

/** A delivery as the panel shows it: without the payload and its headers. */
function summarise({ body: _body, headers: _headers, ...delivery }: RecordedDelivery) {
	return delivery;
}
