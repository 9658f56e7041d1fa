import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { FaultPlan } from './faults/control';
import { resetGateway, type Gateway } from './gateway';
import type { App } from './http/app';
import { serveOwnHostsOnly } from './http/hosts';
import { writeLines } from './options';
import type { RecordedRequest } from './recorder';
import { changeConnection } from './state/connection';
import type { ConnectionStatus } from './state/instance';
import { receiveMessage, type Writing } from './state/traffic';
import type { DeliveryMode } from './webhooks/deliveries';
import { hideSecret } from './webhooks/registry';

const PAGE = join(__dirname, 'page');
const LINES_SHOWN = 100;
const HEARTBEAT_MS = 20_000;
const TYPES: Record<string, string> = {
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.html': 'text/html',
};

/** The phone page at `/`, and under `/simulator/` all that it shows and does, without a token. */
export function addControl(app: App, gateway: Gateway): void {
	serveOwnHostsOnly(app);
	addPage(app);
	addViews(app, gateway);
	addActions(app, gateway);
}

/** The files are read on each request, so that an edit shows after a reload. */
function addPage(app: App): void {
	const send = async (reply: FastifyReply, file: string) =>
		await reply
			.headers({
				'content-type': `${TYPES[extname(file)]}; charset=utf-8`,
				'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
				'cache-control': 'no-store',
			})
			.send(await readFile(join(PAGE, file)));
	app.get('/', async (_, reply) => await send(reply, 'index.html'));
	app.get<{ Params: { file: string } }>('/simulator/page/:file', async ({ params }, reply) => {
		if (/^\w+\.(js|css)$/.test(params.file)) return await send(reply, params.file);
		return reply.callNotFound();
	});
}

function addViews(app: App, gateway: Gateway): void {
	const { settings, recorder, faults, webhooks, deliveries, instances, chats } = gateway;
	app.get('/simulator/state', async () => {
		const { accountToken, instanceToken, instanceId, furtherNumbers, basePath } = settings;
		return {
			credentials: {
				basePath,
				'Account Token': accountToken,
				'Instance Token': instanceToken,
				'Instance ID': instanceId,
				...(furtherNumbers.length > 0 && { 'Further Numbers': writeLines(furtherNumbers) }),
			},
			numbers: [...instances.values()].map((each) => each.describe()),
			chats: chats.listWithMessages(),
			webhooks: webhooks.list().map(hideSecret),
			mode: deliveries.mode,
			log: [...recorder.deliveries, ...recorder.requests.map(withoutHeaders)]
				.sort((one, other) => one.startedAt - other.startedAt)
				.slice(-LINES_SHOWN),
			faults: faults.list(),
		};
	});

	/** Server-Sent Events: one event per change, named by its kind, as long as the page listens. */
	app.get('/simulator/live', (_, reply) => {
		reply.hijack();
		const { raw } = reply;
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		raw.write('retry: 1000\n\n');

		const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
		const unwatch = gateway.changes.watch((kind, value) => {
			const shown = kind === 'request' ? withoutHeaders(value as RecordedRequest) : value;
			raw.write(`event: ${kind}\ndata: ${JSON.stringify(shown)}\n\n`);
		});
		raw.once('close', () => {
			clearInterval(heartbeat);
			unwatch();
		});
	});
}

/** A request as the page shows it: without headers, hence without tokens. */
function withoutHeaders({ headers: _headers, rawBody: _rawBody, ...request }: RecordedRequest) {
	return request;
}

function addActions(app: App, gateway: Gateway): void {
	/** An action with a JSON body, which comes from the page. */
	const on = <Body>(action: string, act: (body: Body) => unknown) =>
		app.post<{ Body: Body }>(`/simulator/${action}`, async ({ body }) => {
			return act(body as Body) ?? {};
		});

	on<Writing & { text: string }>('write', ({ text, ...writing }) =>
		receiveMessage(gateway, text, writing),
	);
	on<{ status: ConnectionStatus; instanceId: string }>('connection', ({ status, instanceId }) =>
		changeConnection(gateway, status, undefined, gateway.instances.get(instanceId)),
	);
	on<Partial<DeliveryMode>>('delivery', (mode) => gateway.deliveries.setMode(mode));
	/** One fault at a time, in place of the last; none without a plan. */
	on<{ plan?: FaultPlan }>('fault', ({ plan }) => {
		gateway.faults.clear();
		if (plan) gateway.faults.add(plan);
	});
	on('reset', () => resetGateway(gateway, false));
}
