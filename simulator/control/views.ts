import type { FastifyReply } from 'fastify';
import type { ChangeKind } from '../changes';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import type { RecordedRequest } from '../recorder';
import { hideSecret } from '../webhooks/registry';

const LINES_SHOWN = 100;
const HEARTBEAT_MS = 20_000;

const SHOWN: Partial<Record<ChangeKind, (value: unknown) => unknown>> = {
	request: (value) => showRequest(value as RecordedRequest),
};

/** Everything that a test or the page can look at, without a token. */
export function addViews(app: App, gateway: Gateway): void {
	const { settings, recorder, faults, webhooks, deliveries, instance, instances, chats } = gateway;

	app.get('/simulator/info', async () => {
		const { accountToken, instanceToken, instanceId, furtherNumbers } = settings;
		const { webhooksPath, instancesPath, basePath } = settings;
		const tokens = { accountToken, instanceToken, instanceId, furtherNumbers };
		return { ...tokens, webhooksPath, instancesPath, basePath };
	});
	app.get('/simulator/requests', async () => recorder.requests);
	app.get('/simulator/deliveries', async () => recorder.deliveries);
	app.get('/simulator/sends', async () => recorder.sends);
	app.get('/simulator/faults', async () => faults.list());
	app.get('/simulator/webhooks', async () => webhooks.list());
	app.get('/simulator/delivery', async () => deliveries.mode);

	app.get('/simulator/state', async () => ({
		instance: instance.view(),
		numbers: [...instances.values()].map((each) => each.describe()),
		chats: chats.listWithMessages(),
		webhooks: webhooks.list().map(hideSecret),
		mode: deliveries.mode,
		deliveries: recorder.deliveries.slice(-LINES_SHOWN),
		requests: recorder.requests.slice(-LINES_SHOWN).map(showRequest),
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
		raw.write(`event: ${kind}\ndata: ${JSON.stringify(SHOWN[kind]?.(value) ?? value)}\n\n`);
	});
	raw.once('close', () => {
		clearInterval(heartbeat);
		unwatch();
	});
}

/** A request as the panel shows it: without headers, hence without tokens. */
function showRequest({ headers: _headers, rawBody: _rawBody, ...request }: RecordedRequest) {
	return request;
}
