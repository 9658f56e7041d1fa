import type { Host } from '../../host/host';
import { layOut, print } from '../support/table';
import { converse, startConversing, type Conversing, type Stay } from '../support/turns';

// A hundred people who write five messages each, faster than the workflow answers, and a gateway that delivers all twice.

const CROWD = { chats: 100, messages: 5, beginWithinMs: 40_000, gapMs: 8_000 };
const STAY_MS = 8_000;
/** A machine that starts nearly all first messages so soon delivers in order. */
const IN_TIME_MS = 5_000;

let host: Host;
let stay: Stay;
const rows: Array<Array<string | number>> = [];

beforeAll(async () => {
	({ host, stay } = await startConversing(STAY_MS));
});

afterAll(async () => {
	await host?.stop();
	stay?.close();
	const head = [
		'100 conversations of 5 messages',
		'executions',
		'at once',
		'lost',
		'cut off',
		'twice',
		'out of order',
		'503',
		'first delay (ms)',
		'95 %',
		'memory (MB)',
	];
	print(layOut(head, rows));
});

const turn = { oneTurnAtATime: { values: {} } };

async function run(name: string, conversing: Conversing) {
	const tally = await converse(host, stay, CROWD, conversing);
	const { executions, overlaps, lost, cutOff, twice, disordered, deferred, firstDelay } = tally;
	const { median, p95 } = firstDelay;
	rows.push([
		name,
		executions,
		overlaps,
		lost,
		cutOff,
		twice,
		disordered,
		deferred,
		median,
		p95,
		tally.memoryMb,
	]);
	return tally;
}

const FAULTLESS = {
	lost: 0,
	cutOff: 0,
	twice: 0,
	overlaps: 0,
	disorderedWithin: 0,
	givenUp: 0,
};

it.each<[string, Conversing]>([
	['confirmed at the start', { options: turn }],
	['confirmed at the end', { options: { ...turn, confirmWhen: 'succeeded' } }],
	[
		'with Combine Messages',
		{ options: { ...turn, combineMessages: { values: { quietSeconds: 2, maxWaitSeconds: 10 } } } },
	],
	['with Max per Execution', { options: { ...turn, maxPerExecution: 20 } }],
])(
	'never runs two executions of one conversation, and each message once and in order, %s',
	async (name, conversing) => {
		const { disordered, ...tally } = await run(name, conversing);
		expect(tally).toMatchObject(FAULTLESS);
		// The gateway promises no order. On a machine that takes longer for a delivery than people to write, later ones overtake.
		if (tally.firstDelay.p95 < IN_TIME_MS) expect(disordered).toBe(0);
	},
	400_000,
);

it('delays the first message of a conversation by no more than the machine costs', async () => {
	const alone = await run('without the option', { options: {} });
	const turns = await run('with it', { options: turn });
	expect(alone.overlaps).toBeGreaterThan(0);
	// Without it, five executions run where at most three do with it.
	expect(turns.firstDelay.p95).toBeLessThan(alone.firstDelay.p95 + 2_000);
}, 400_000);

it.each(['started', 'succeeded'] as const)(
	'loses nothing when n8n is killed in the middle, confirming when the execution has %s',
	async (confirmWhen) => {
		const tally = await run(`killed, ${confirmWhen}`, {
			options: { ...turn, confirmWhen },
			disturb: async (killed) => {
				await host.n8n.kill();
				killed();
				await host.n8n.start();
			},
		});
		expect(tally).toMatchObject({ lost: 0, twiceInOneLife: 0, overlaps: 0, disorderedWithin: 0 });
		if (confirmWhen === 'succeeded') expect(tally.cutOff).toBe(0);
	},
	400_000,
);
