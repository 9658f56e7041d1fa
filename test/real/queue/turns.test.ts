import './mode';
import { setTimeout as pause } from 'node:timers/promises';
import { startHost, type Host } from '../../../host/host';
import type { QueueN8n } from '../../../host/queue';
import { converse, openStay, type Stay } from '../turns';

// Turns in queue mode: the executions run in workers, the waiting is in the webhook processor that the path leads to.

const CROWD = { chats: 40, messages: 5, beginWithinMs: 15_000, gapMs: 6_000 };
const STAY_MS = 4_000;
const DOWN_MS = 5_000;

let host: Host;
let stay: Stay;

beforeAll(async () => {
	process.env.N8N_TEST_MODE = 'queue, spread by trigger';
	stay = await openStay(STAY_MS);
	host = await startHost({
		n8n: { env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } },
		gateway: {
			statusDelaysMs: { sent: null, delivered: null, read: null },
			deliveryConcurrency: 2_000,
			deliveryTimeoutMs: 10_000,
			retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000, ...Array<number>(100).fill(10_000)],
		},
	});
	// The first deliveries after a start take n8n so long that later ones overtake them.
	await converse(host, stay, { chats: 10, messages: 2, beginWithinMs: 5_000, gapMs: 2_000 });
});

afterAll(async () => {
	await host?.stop();
	stay?.close();
});

const turn = { oneTurnAtATime: { values: {} } };

it.each(['started', 'succeeded'])(
	'never runs two executions of one conversation, and each message once and in order, confirming when one has %s',
	async (confirmWhen) => {
		const tally = await converse(host, stay, CROWD, { options: { ...turn, confirmWhen } });
		expect(tally).toMatchObject({
			lost: 0,
			cutOff: 0,
			twice: 0,
			overlaps: 0,
			disordered: 0,
			givenUp: 0,
		});
	},
	400_000,
);

it('loses nothing when a worker is killed in the middle', async () => {
	const [worker] = (host.n8n as QueueN8n).workers;
	const tally = await converse(host, stay, CROWD, {
		options: { ...turn, confirmWhen: 'succeeded' },
		disturb: async (killed) => {
			await worker.kill();
			killed();
			await pause(DOWN_MS);
			await worker.start();
		},
	});
	expect(tally).toMatchObject({
		lost: 0,
		cutOff: 0,
		twiceInOneLife: 0,
		overlaps: 0,
		disorderedWithin: 0,
		givenUp: 0,
	});
}, 500_000);
