import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { publishDraft } from '../../lab/host/drafts/workflows';
import { waitFor } from '../../lab/host/waiting';
import { ANA, publishAsk, untilNothingIsLeft, type OpenQuestion } from '../support/drafts/ask';
import { draftAnswering } from '../support/drafts/trigger';
import { startOwnRegistry } from '../support/npmRegistry';
import { numberOf } from '../support/numberOf';
import { print } from '../support/print';
import { startQueueHost, type QueueHost } from '../support/queueHost';
import { countAnswers } from '../support/tally';

jest.setTimeout(600_000);

const EVENTS = 200;
const EVENTS_A_SECOND = 5;
const QUESTIONS = 20;

let host: QueueHost;
let registry: Awaited<ReturnType<typeof startOwnRegistry>>;

beforeAll(async () => {
	registry = await startOwnRegistry();
	const events = mkdtempSync(join(tmpdir(), 'events-'));
	host = await startQueueHost({
		env: {
			...registry.env,
			// n8n notices within seconds that a worker is gone.
			QUEUE_WORKER_LOCK_DURATION: '15000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
			QUEUE_WORKER_STALLED_INTERVAL: '10000',
		},
		ownWorker: { N8N_EVENTBUS_LOGWRITER_LOGFULLPATH: join(events, 'n8n-events.log') },
		gateway: {
			retryDelaysMs: [500, 1_000, 2_000, ...Array<number>(100).fill(4_000)],
			statusDelaysMs: { sent: null, delivered: null, read: null },
		},
	});
	replaceWorker = async (whileGone = async () => {}) => {
		const { worker } = host.n8n;
		await worker.shutDown();
		await whileGone();
		// A new container keeps no event log in /dev/shm.
		rmSync(events, { recursive: true });
		await worker.start();
	};
});

let replaceWorker: (whileGone?: () => Promise<void>) => Promise<void>;

afterEach(() => host.gateway.reset({ webhooks: true }));

afterAll(async () => {
	await host?.stop();
	await registry?.stop();
});

/** Lets somebody write, and counts the executions and the answers of each event. */
async function write(workflow: string, during: (sent: number) => Promise<unknown>) {
	const { api, gateway } = host;
	const ids: string[] = [];
	while (ids.length < EVENTS) {
		await during(ids.length);
		ids.push(gateway.write(`event-${ids.length}`).id);
		await pause(1_000 / EVENTS_A_SECOND);
	}
	await gateway.drained();
	const executions = await api.waitForEnds(workflow, EVENTS, 300_000);
	await api.deleteWorkflow(workflow);
	const counts = countAnswers(gateway, ids);
	const answers = ids.map((id) => counts.get(id) ?? 0);
	const crashed = executions.filter(({ status }) => status !== 'success').length;
	const figures = { events: EVENTS, executions: executions.length, crashed };
	const lost = answers.filter((count) => count < 1).length;
	const doubled = answers.filter((count) => count > 1).length;
	print(`${expect.getState().currentTestName}: ${JSON.stringify({ ...figures, lost, doubled })}`);
	return { ...figures, lost, doubled };
}

it('answers each message once while the worker is replaced', async () => {
	const id = await publishDraft(host.api, draftAnswering(host, []));
	let replacing: Promise<void> | undefined;
	const figures = await write(id, async (sent) => {
		if (sent === EVENTS / 4) replacing = replaceWorker();
		if (sent === EVENTS - 1) await replacing;
	});
	expect(figures).toMatchObject({ executions: EVENTS, crashed: 0, lost: 0, doubled: 0 });
});

it('takes the answers that came while there was no worker', async () => {
	const { api, gateway } = host;
	const ask = await publishAsk(host, { responseType: 'approval' });
	const questions: OpenQuestion[] = [];
	for (let count = 0; count < QUESTIONS; count++) questions.push(await ask.ask());
	await gateway.drained();
	await replaceWorker(async () => {
		for (const question of questions) {
			gateway.write(numberOf(question), { phone: ANA });
			await pause(1_000);
		}
		// To a question that was answered and waits for a worker, n8n refuses other messages, and the gateway repeats them.
		await waitFor(
			'the answers to be taken',
			async () => {
				const waiting = await api.listExecutions(ask.id, ['waiting']);
				return waiting.length === 0;
			},
			300_000,
		);
	});
	const taken = await Promise.allSettled(questions.map(async (each) => await each.answer()));
	const statuses = (await api.listExecutions(ask.id)).map(({ status }) => status);
	print(`${QUESTIONS} questions: ${statuses.join()}`);
	expect(taken).toEqual(
		questions.map(() => ({
			status: 'fulfilled',
			value: expect.objectContaining({ data: expect.objectContaining({ approved: true }) }),
		})),
	);
	await untilNothingIsLeft(gateway);
	await api.deleteWorkflow(ask.id);
});

it.each([
	['a webhook processor', () => host.n8n.processors[0], 'started'],
	['the worker', () => host.n8n.worker, 'started'],
	['the worker', () => host.n8n.worker, 'succeeded'],
	['Redis', () => host.n8n.redis, 'started'],
])('starts each event while %s is killed and started again', async (_name, find, confirmWhen) => {
	const id = await publishDraft(host.api, draftAnswering(host, [], { options: { confirmWhen } }));
	const figures = await write(id, async (sent) => {
		if (sent === EVENTS / 4) await find().kill();
		// n8n gives up after 10 seconds without Redis.
		if (sent === (EVENTS * 3) / 8) await find().start();
	});
	// As documented: an event in the hands of a killed worker is lost, and its execution shows it.
	const mayBeLost = find() === host.n8n.worker && confirmWhen === 'started' ? figures.crashed : 0;
	expect(figures.lost).toBeLessThanOrEqual(mayBeLost);
	expect(figures.executions).toBeGreaterThanOrEqual(EVENTS);
});
