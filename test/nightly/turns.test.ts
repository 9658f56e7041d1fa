import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { chain, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import { hasEnded } from '../../host/executions';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { print } from '../support/print';

// A hundred people write five messages each, faster than the workflow answers, and the gateway delivers each twice.

jest.setTimeout(600_000);

const CHATS = 100;
const MESSAGES = 5;
const BEGIN_EVERY_MS = 400;
const STAY_MS = 8_000;
const PATIENT_MS = 300_000;

/** An execution as the server sees it that it calls: the texts of its messages, and its time in milliseconds. */
interface Run {
	texts: string[];
	begunAt: number;
	endedAt: number;
}

let host: Host;
let server: Server;
const runs: Run[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		// Cut off by the end of n8n, a request says nothing.
		json(request).then(
			async (body) => {
				const texts = (body as string[]).flatMap((text) => text.split('\n'));
				const run = { texts, begunAt: Date.now(), endedAt: Infinity };
				runs.push(run);
				response.once('close', () => (run.endedAt = Date.now()));
				await pause(STAY_MS);
				response.end('{}');
			},
			() => response.destroy(),
		);
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	host = await startHost({
		n8n: {},
		gateway: {
			statusDelaysMs: { sent: null, delivered: null, read: null },
			deliveryConcurrency: 2_000,
			deliveryTimeoutMs: 10_000,
			retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000, ...Array<number>(100).fill(12_000)],
		},
	});
});

afterAll(async () => {
	await host?.stop();
	server?.closeAllConnections();
	server?.close();
});

/** Lets all people write, and waits until all executions have ended. */
async function converse(
	options: INodeParameters,
	disturb?: () => Promise<void>,
): Promise<{ written: string[]; runs: Run[] }> {
	const { api, gateway } = host;
	runs.splice(0);
	gateway.reset();
	gateway.setDelivery({ duplicate: 2 });
	const oneTurnAtATime = { values: { maxTurnMinutes: 5 } };
	const stay = {
		method: 'POST',
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($input.all().map(({ json }) => json.text)) }}',
		options: {},
	};
	const nodes = [
		makeTrigger(host.credentials.account, {
			events: ['MESSAGE.RECEIVED'],
			options: { oneTurnAtATime, ...options },
		}),
		makeNode('n8n-nodes-base.httpRequest', 'Stay', stay, { typeVersion: 4.2, executeOnce: true }),
	];
	const id = await publish(api, { name: 'Turns', nodes, connections: chain(nodes) });
	const plan = Array.from({ length: CHATS * MESSAGES }, (_, number) => {
		const [chat, index] = [number % CHATS, Math.floor(number / CHATS)];
		const gaps = Array.from({ length: index }, (_gap, nth) => 700 * (1 + ((7 * chat + nth) % 11)));
		const at = BEGIN_EVERY_MS * chat + gaps.reduce((sum, gap) => sum + gap, 0);
		return { at, text: `${chat}.${index}`, phone: `55119${10_000_000 + chat}` };
	}).sort((one, other) => one.at - other.at);
	const begin = Date.now();
	let disturbing: Promise<void> | undefined;
	for (const [index, { at, text, phone }] of plan.entries()) {
		await pause(Math.max(0, begin + at - Date.now()));
		gateway.write(text, { phone });
		if (index === plan.length / 2) disturbing = disturb?.();
	}
	await disturbing;
	await gateway.drained();
	await waitFor(
		'all executions to end',
		async () => (await api.listExecutions(id)).every(hasEnded),
		PATIENT_MS,
	);
	await api.deleteWorkflow(id);
	const deferred = gateway.deliveries.filter(({ status }) => status === 503).length;
	print(`${plan.length} messages: ${runs.length} executions, ${deferred} deliveries deferred`);
	expect(gateway.deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
	return { written: plan.map(({ text }) => text), runs: [...runs] };
}

const chatOf = ([text]: string[]) => text.split('.')[0];

/** The runs of a chat that began before the one before them had ended. */
const findOverlaps = (all: Run[]) =>
	all.filter((run) =>
		all.some(
			(other) =>
				other !== run &&
				chatOf(other.texts) === chatOf(run.texts) &&
				other.begunAt <= run.begunAt &&
				run.begunAt < other.endedAt,
		),
	);

/** The runs whose messages are not in the order in which they were written. */
const findDisordered = (all: Run[]) =>
	all.filter(({ texts }) => texts.join() !== texts.toSorted().join());

it.each<[string, INodeParameters]>([
	['confirmed at the start', {}],
	['with Combine Messages', { combineMessages: { values: { quietSeconds: 2 } } }],
])(
	'runs each message once, in order, and one execution of a chat at a time, %s',
	async (_name, options) => {
		const { written, runs: all } = await converse(options);
		expect(all.flatMap(({ texts }) => texts).sort()).toEqual(written.sort());
		expect(findOverlaps(all)).toEqual([]);
		expect(findDisordered(all)).toEqual([]);
		expect(all.length).toBeLessThan(written.length);
	},
);

it('loses no message when n8n is killed in the middle and confirms at the end', async () => {
	const { gateway, n8n } = host;
	const { written, runs: all } = await converse({ confirmWhen: 'succeeded' }, async () => {
		// A starting n8n answers 200 by itself, so nothing is delivered meanwhile.
		gateway.setDelivery({ pause: true });
		await n8n.kill();
		await n8n.start();
		gateway.setDelivery({ pause: false });
	});
	const ran = new Set(all.flatMap(({ texts }) => texts));
	expect(written.filter((text) => !ran.has(text))).toEqual([]);
	expect(findDisordered(all)).toEqual([]);
});
