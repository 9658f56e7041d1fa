import { setTimeout as pause } from 'node:timers/promises';
import { draftAnswering, publish } from '../../../host/drafts/workflows';
import { startHostOn, type Host } from '../../../host/host';
import type { N8n } from '../../../host/n8n';
import { startQueueN8n, type QueueN8n } from '../../../host/queue';
import { countAnswers } from '../tally';
import { keepBeginnings, readBeginnings, waitForQuiet } from './executions';
import { layOut, print } from './table';

jest.setTimeout(900_000);

const EVENTS_PER_SECOND = 20;
/** Events that come before something is killed, while it is down, and after it was started again. */
const BEFORE = 60;
const WHILE_DOWN = 100;
const AFTER = 80;

/** What can be killed and brought back. */
type Part = Pick<N8n, 'kill' | 'start'>;

interface Tally {
	sent: number;
	/** Events that were answered in their chat at least once. */
	received: number;
	/** Events that left no execution. */
	missing: number;
	/** Events whose execution n8n had and did not bring to its end: it does not repeat what was cut off. */
	interrupted: number;
	/** Answers beyond one per event. */
	doubled: number;
	/** Attempts of the gateway beyond one per event. */
	repeated: number;
}

let host: Host;
let n8n: QueueN8n;
let restarts = 0;
let watching = true;
let keeping: Promise<void> | undefined;
const results: Array<[string, Tally & { restarts: number }]> = [];

beforeAll(async () => {
	n8n = await startQueueN8n({
		// A job whose worker is gone is noticed within seconds instead of minutes; what n8n then does is the same.
		env: {
			QUEUE_WORKER_LOCK_DURATION: '6000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '3000',
		},
	});
	host = await startHostOn(n8n, {
		// Until a process may give up a start that nobody will ever answer.
		retryDelaysMs: [500, 1_000, 2_000, 4_000, ...Array<number>(100).fill(6_000)],
		statusDelaysMs: { sent: null, delivered: null, read: null },
	});
	await keepBeginnings(n8n);
	keeping = keepRunning();
});

afterAll(async () => {
	watching = false;
	await keeping;
	await host?.stop();
	const head = [
		'killed under 20 events per second',
		'sent',
		'received',
		'missing',
		'interrupted',
		'doubled',
		'repeated',
		'ended by itself',
	];
	const rows = results.map(([name, tally]) => [
		name,
		...[
			tally.sent,
			tally.received,
			tally.missing,
			tally.interrupted,
			tally.doubled,
			tally.repeated,
			tally.restarts,
		],
	]);
	print(layOut(head, rows));
});

/** Brings back what ended because something else was gone, as whatever runs n8n would: Docker, systemd, Kubernetes. */
async function keepRunning(): Promise<void> {
	const parts = [n8n.main, ...n8n.processors, ...n8n.workers];
	while (watching) {
		for (const part of parts) {
			if (part.isRunning() || killed === part) continue;
			restarts += 1;
			await part.start().catch(() => {});
		}
		await pause(500);
	}
}

let killed: Part | undefined;

/** Kills a part under events that a workflow answers, and counts what became of them. */
async function strike(part: Part, confirmWhen: string): Promise<Tally> {
	host.gateway.reset();
	const draft = draftAnswering(host, [], { options: { confirmWhen } });
	const workflowId = await publish(host.api, draft);
	const ids: string[] = [];
	const emit = async (count: number) => {
		for (let index = 0; index < count; index++) {
			ids.push(host.gateway.write(`event-${ids.length}`).id);
			await pause(1_000 / EVENTS_PER_SECOND);
		}
	};
	await emit(BEFORE);
	killed = part;
	await Promise.all([part.kill(), emit(WHILE_DOWN)]);
	await Promise.all([part.start(), emit(AFTER)]);
	killed = undefined;
	await host.gateway.drained();
	await waitForQuiet(n8n, workflowId);
	await host.api.unpublish(workflowId);
	return count(ids, await readBeginnings(n8n));
}

function count(ids: string[], begun: string): Tally {
	const answers = countAnswers(host.gateway, ids);
	const unanswered = ids.filter((id) => !answers.has(id));
	const attempts = host.gateway.deliveries.filter(({ type }) => type === 'MESSAGE.RECEIVED').length;
	return {
		sent: ids.length,
		received: answers.size,
		missing: unanswered.filter((id) => !begun.includes(id)).length,
		interrupted: unanswered.filter((id) => begun.includes(id)).length,
		doubled: [...answers.values()].reduce((sum, each) => sum + each - 1, 0),
		repeated: attempts - ids.length,
	};
}

describe('kill -9 while events arrive', () => {
	const parts: Array<[string, () => Part]> = [
		['a worker', () => n8n.workers[0]],
		['a webhook processor', () => n8n.processors[0]],
		['the main process', () => n8n.main],
		['Redis', () => n8n.redis],
		['PostgreSQL', () => n8n.postgres],
	];

	describe.each(['started', 'succeeded'])('answered when the execution has %s', (confirmWhen) => {
		it.each(parts)('%s', async (name, part) => {
			restarts = 0;
			const tally = await strike(part(), confirmWhen);
			results.push([`${name}, ${confirmWhen}`, { ...tally, restarts }]);
			expect(tally.missing).toBe(0);
			if (confirmWhen === 'succeeded') expect(tally.interrupted).toBe(0);
			expect(host.gateway.deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
			// An event runs twice only if it was delivered twice.
			expect(tally.doubled).toBeLessThanOrEqual(tally.repeated);
			// Answered at their end, slow ones are repeated meanwhile, to the other processor too.
			if (name === 'the main process' && confirmWhen === 'started')
				expect(tally).toMatchObject({ interrupted: 0, doubled: 0, repeated: 0 });
		});
	});
});
