import { setTimeout as pause } from 'node:timers/promises';
import { chain, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { createRandom } from '../support/random';
import { layOut, print } from '../support/table';
import { isStartingUp } from '../support/tally';
import { listenToRuns, type Listener } from './soak/listeners';

const CONVERSATIONS = 200;
const QUIET_SECONDS = 4;
/** When the last conversation begins, in milliseconds. */
const BEGIN_WITHIN_MS = 60_000;
/** Between messages that belong together, and between those that do not: far from the quiet time on either side. */
const TOGETHER_MS = [0, 1_500] as const;
const APART_MS = [8_000, 12_000] as const;
const PATIENCE_MS = 10_000;

interface Message {
	conversation: number;
	text: string;
	/** In milliseconds from the beginning. */
	at: number;
}

interface Run {
	executionId: string;
	ids: string[];
}

let host: Host;
let collector: Listener;
let runs: Run[] = [];
const rows: Array<Array<string | number>> = [];

beforeAll(async () => {
	host = await startHost({
		n8n: {},
		gateway: {
			deliveryConcurrency: 2_000,
			deliveryTimeoutMs: PATIENCE_MS,
			retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000, ...Array<number>(100).fill(15_000)],
		},
	});
	collector = await listenToRuns(([executionId, ...ids]) => void runs.push({ executionId, ids }));
});

afterAll(async () => {
	await host?.stop();
	collector?.close();
	const head = [
		`${CONVERSATIONS} conversations`,
		'messages',
		'deliveries',
		'bursts',
		'executions',
		'lost',
		'cut off',
		'answered by n8n starting',
		'twice in one life',
		'twice after the kill',
		'answered 503',
		'not in time',
		'longest hold (s)',
	];
	print(layOut(head, rows));
});

/** 3 to 8 messages each, in one burst or in several. */
function plan(seed: number): { messages: Message[]; bursts: string[][] } {
	const random = createRandom(seed);
	const bursts: string[][] = [];
	const messages: Message[] = [];
	for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
		let at = random.integer(0, BEGIN_WITHIN_MS);
		const count = random.integer(3, 8);
		for (let index = 0; index < count; index++) {
			const begins = index === 0 || random.integer(0, 5) === 0;
			const [shortest, longest] = begins ? APART_MS : TOGETHER_MS;
			if (index > 0) at += random.integer(shortest, longest);
			if (begins) bursts.push([]);
			const text = `${conversation}.${index}`;
			bursts[bursts.length - 1].push(text);
			messages.push({ conversation, text, at });
		}
	}
	return { messages: messages.sort((one, other) => one.at - other.at), bursts };
}

/** Publishes a workflow that tells the id and the events of each execution, and answers its own id. */
async function listen(confirmWhen: 'started' | 'succeeded', maxPerExecution: number) {
	const options = {
		combineMessages: { values: { quietSeconds: QUIET_SECONDS } },
		confirmWhen,
		maxPerExecution,
	};
	const nodes = [
		makeTrigger(host.credentials.account, { events: ['MESSAGE.RECEIVED'], options }),
		makeNode(
			'n8n-nodes-base.httpRequest',
			'Tell',
			{
				method: 'POST',
				url: collector.url,
				sendBody: true,
				specifyBody: 'json',
				jsonBody:
					'={{ JSON.stringify([$execution.id, ...$json.messages.map((message) => message.eventId)]) }}',
				options: {},
			},
			{ typeVersion: 4.2 },
		),
	];
	return await publish(host.api, { name: confirmWhen, nodes, connections: chain(nodes) });
}

/** Lets all of them write, the gateway repeat everything, and n8n be killed if it is to be; answers what came of it. */
async function converse(
	name: string,
	{ confirmWhen = 'started' as 'started' | 'succeeded', maxPerExecution = 1, kill = false },
) {
	runs = [];
	host.gateway.reset();
	host.gateway.setDelivery({ duplicate: 2 });
	const workflowId = await listen(confirmWhen, maxPerExecution);
	const { messages, bursts } = plan(16);
	const ids = new Map<string, string>();
	const begin = Date.now();
	let killing: Promise<void> | undefined;
	let killedAt = Infinity;
	for (const [index, { conversation, text, at }] of messages.entries()) {
		await pause(Math.max(0, begin + at - Date.now()));
		const phone = `55119${10_000_000 + conversation}`;
		ids.set(text, host.gateway.write(text, { phone }).id);
		if (kill && index === Math.floor(messages.length / 2)) {
			killing = host.n8n.kill().then(async () => {
				killedAt = Date.now();
				await host.n8n.start();
			});
		}
	}
	await killing;
	await host.gateway.drained();
	const interrupted = await host.api.listExecutions(workflowId, ['crashed', 'error']);
	// What n8n answers 200 by itself while it starts never comes to the trigger.
	const answeredFor = host.gateway.deliveries.filter(isStartingUp);
	const byN8n = new Set(answeredFor.map(({ eventId }) => eventId));
	const cutOff = new Set<string>();
	for (const { id } of interrupted) {
		const { data } = await host.api.getExecution(id);
		for (const [eventId] of JSON.stringify(data).matchAll(/evt_[0-9a-f-]{36}/g))
			cutOff.add(eventId);
	}
	const executions = await host.api.listExecutions(workflowId);
	await host.api.waitForExecutions(workflowId, executions.length);
	await host.api.unpublish(workflowId);
	// n8n goes on after its start with what it had made and not begun: so it counts when an execution was made.
	const later = new Set(
		executions.filter(({ createdAt }) => Date.parse(createdAt) > killedAt).map(({ id }) => id),
	);

	const { deliveries } = host.gateway;
	/** In which processes of n8n an event ran, by its id. */
	const ran = new Map<string, boolean[]>();
	for (const { executionId, ids: each } of runs)
		for (const id of each) ran.set(id, [...(ran.get(id) ?? []), later.has(executionId)]);
	const missing = [...ids.values()].filter((id) => !ran.has(id));
	const lives = [...ran.values()];
	const tally = {
		lost: missing.filter((id) => !cutOff.has(id) && !byN8n.has(id)).length,
		cutOff: missing.filter((id) => cutOff.has(id) && !byN8n.has(id)).length,
		byN8n: missing.filter((id) => byN8n.has(id)).length,
		twiceInOneLife: lives.filter((each) => new Set(each).size < each.length).length,
		twice: lives.filter((each) => new Set(each).size > 1).length,
		notInTime: deliveries.filter(({ error }) => error?.startsWith('No answer')).length,
		longestMs: Math.max(...deliveries.map(({ startedAt, finishedAt }) => finishedAt - startedAt)),
	};
	rows.push([
		name,
		messages.length,
		deliveries.length,
		bursts.length,
		runs.length,
		tally.lost,
		tally.cutOff,
		tally.byN8n,
		tally.twiceInOneLife,
		tally.twice,
		deliveries.filter(({ status }) => status === 503).length,
		tally.notInTime,
		(tally.longestMs / 1_000).toFixed(1),
	]);
	expect(deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
	const together = (texts: string[]) => JSON.stringify(texts.map((text) => ids.get(text)).sort());
	return {
		...tally,
		expected: bursts.map(together).sort(),
		actual: runs.map(({ ids: each }) => JSON.stringify([...each].sort())).sort(),
	};
}

const IN_ORDER = { lost: 0, cutOff: 0, byN8n: 0, twiceInOneLife: 0, twice: 0, notInTime: 0 };

it('starts one execution per burst, with everything in it once', async () => {
	const { actual, expected, ...tally } = await converse('answered at the start', {});
	expect(actual).toEqual(expected);
	expect(tally).toMatchObject(IN_ORDER);
	expect(tally.longestMs).toBeLessThan(PATIENCE_MS);
}, 400_000);

it.each(['started', 'succeeded'] as const)(
	'loses nothing when n8n is killed in the middle, answering when the execution has %s',
	async (confirmWhen) => {
		const tally = await converse(`killed, ${confirmWhen}`, { confirmWhen, kill: true });
		expect([tally.lost, tally.twiceInOneLife]).toEqual([0, 0]);
		if (confirmWhen === 'succeeded') expect(tally.cutOff).toBe(0);
	},
	400_000,
);
