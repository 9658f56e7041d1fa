import { setTimeout as pause } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { makeNode } from '../../host/drafts/nodes';
import { draftAnswering, publish } from '../../host/drafts/workflows';
import { hasEnded } from '../../host/executions';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { layOut, print } from '../support/table';
import { countAnswers, isStartingUp } from '../support/tally';

// What becomes of accepted events when n8n ends in the middle of its work, by what a 200 waits for.

jest.setTimeout(3_600_000);

const EVENTS = 300;
// What n8n can start on an idle machine, with room to spare; where it cannot, everything comes late and often.
const EVENTS_PER_SECOND = Number(process.env.EVENTS_PER_SECOND ?? 20);
const SEND_TAKES_MS = 300;
const RUNS = Number(process.env.RUNS ?? 3);
const ANSWERED = ['started', 'succeeded'] as const;
const PATIENT_MS = 300_000;

type ConfirmWhen = (typeof ANSWERED)[number];

let host: Host;

async function start(latencyMs = 0): Promise<void> {
	host = await startHost({
		n8n: {},
		gateway: {
			latencyMs,
			deliveryConcurrency: 500,
			retryDelaysMs: [500, 1_000, 2_000, 4_000, ...Array<number>(60).fill(6_000)],
			statusDelaysMs: { sent: null, delivered: null, read: null },
		},
	});
}

afterEach(async () => {
	await host?.stop();
});

function wait(seconds: number): INode {
	return makeNode(
		'n8n-nodes-base.wait',
		`${seconds} Seconds`,
		{ resume: 'timeInterval', amount: seconds, unit: 'seconds' },
		{ typeVersion: 1.1 },
	);
}

async function publishAnswering(confirmWhen: ConfirmWhen, steps: INode[]): Promise<string> {
	return await publish(host.api, draftAnswering(host, steps, { options: { confirmWhen } }));
}

async function emit(count: number, text = (index: number) => `event-${index}`): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		ids.push(host.gateway.write(text(index)).id);
		await pause(1_000 / EVENTS_PER_SECOND);
	}
	return ids;
}

async function untilQuiet(workflowId: string): Promise<void> {
	await host.gateway.drained();
	const areOver = async () => (await host.api.listExecutions(workflowId)).every(hasEnded);
	await waitFor('the executions to end', areOver, PATIENT_MS);
}

interface Tally {
	accepted: number;
	/** Accepted, and never answered in their chat. */
	lost: number;
	twice: number;
	/** Executions that n8n shows as broken off. */
	cutOff: number;
	/** Answered 200 by n8n itself while it started, before there was any trigger: lost, whatever a trigger does. */
	byN8n: number;
}

/** Ends n8n in the middle of the events and starts it again. */
async function strike(end: 'kill' | 'shutDown', workflowId: string): Promise<Tally> {
	const striking = async () => {
		await pause((1_000 * EVENTS) / EVENTS_PER_SECOND / 2);
		await host.n8n[end]();
		await host.n8n.start();
	};
	const [ids] = await Promise.all([emit(EVENTS), striking()]);
	await untilQuiet(workflowId);
	const { deliveries } = host.gateway;
	const byN8n = new Set(deliveries.filter(isStartingUp).map(({ eventId }) => eventId));
	const accepted = new Set(
		deliveries.filter(({ status }) => status === 200).map(({ eventId }) => eventId),
	);
	const answers = countAnswers(host.gateway, ids);
	const counts = [...answers.values()];
	return {
		accepted: accepted.size,
		lost: ids.filter((id) => accepted.has(id) && !answers.has(id) && !byN8n.has(id)).length,
		twice: counts.reduce((sum, count) => sum + count - 1, 0),
		cutOff: (await host.api.listExecutions(workflowId, ['crashed', 'canceled', 'error'])).length,
		byN8n: ids.filter((id) => byN8n.has(id) && !answers.has(id)).length,
	};
}

describe('n8n that ends under load', () => {
	const rows: Array<Array<string | number>> = [];

	afterAll(() => {
		const head = ['accepted', 'lost', 'answered twice', 'cut off', 'answered by n8n starting'];
		print(layOut([`${EVENTS} events, ${EVENTS_PER_SECOND} a second`, ...head], rows));
	});

	const workflows: Array<[string, INode[]]> = [
		['fast', []],
		['5 seconds', [wait(5)]],
	];
	const ends: Array<[string, 'kill' | 'shutDown']> = [
		['kill -9', 'kill'],
		['SIGTERM', 'shutDown'],
	];
	const cells = ends.flatMap(([signal, end]) =>
		workflows.flatMap(([speed, steps]) =>
			ANSWERED.map((confirmWhen) => ({ signal, end, speed, steps, confirmWhen })),
		),
	);

	it.each(cells)(
		'$signal, workflow: $speed, answered when it has $confirmWhen',
		async ({ signal, end, speed, steps, confirmWhen }) => {
			await start(SEND_TAKES_MS);
			const tallies: Tally[] = [];
			for (let run = 0; run < (confirmWhen === 'succeeded' ? RUNS : 1); run++) {
				host.gateway.reset();
				const workflowId = await publishAnswering(confirmWhen, steps);
				const tally = await strike(end, workflowId);
				await host.api.unpublish(workflowId);
				tallies.push(tally);
				rows.push([
					`${signal}, ${speed}, ${confirmWhen}`,
					tally.accepted,
					tally.lost,
					tally.twice,
					tally.cutOff,
					tally.byN8n,
				]);
			}
			for (const tally of tallies) expect(tally.accepted).toBe(EVENTS);
			if (confirmWhen === 'succeeded')
				expect(tallies.map(({ lost }) => lost)).toEqual(tallies.map(() => 0));
			else expect(tallies[0].lost).toBeLessThanOrEqual(tallies[0].cutOff);
		},
	);
});

it('50 events of a workflow of 25 seconds are 50 executions and 50 answers', async () => {
	await start();
	const workflowId = await publishAnswering('succeeded', [wait(25)]);
	const ids = await emit(50);
	await untilQuiet(workflowId);

	const attempts = host.gateway.deliveries.length;
	const executions = await host.api.listExecutions(workflowId);
	const answers = countAnswers(host.gateway, ids);
	print(
		layOut(
			[
				'a workflow of 25 seconds',
				'events',
				'attempts',
				'executions',
				'events answered',
				'answers',
			],
			[
				[
					'',
					ids.length,
					attempts,
					executions.length,
					answers.size,
					host.gateway.acceptedSends().length,
				],
			],
		),
	);
	expect(attempts).toBeGreaterThan(ids.length);
	expect(executions).toHaveLength(ids.length);
	expect(executions.every(({ status }) => status === 'success')).toBe(true);
	expect([...answers.values()]).toEqual(ids.map(() => 1));
	expect(host.gateway.deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
});
