import './mode';
import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../../../host/host';
import type { QueueN8n } from '../../../host/queue';
import { converse, startConversing, type Stay } from '../turns';

// Turns in queue mode: the executions run in workers, the waiting is in the webhook processor that the path leads to.

const CROWD = { chats: 40, messages: 5, beginWithinMs: 15_000, gapMs: 6_000 };
const STAY_MS = 4_000;
const DOWN_MS = 5_000;

let host: Host;
let stay: Stay;

beforeAll(async () => {
	process.env.N8N_TEST_MODE = 'queue, spread by trigger';
	({ host, stay } = await startConversing(STAY_MS));
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
