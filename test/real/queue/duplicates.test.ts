import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../../host/api';
import { makeNode } from '../../../host/drafts/nodes';
import { draftAnswering, publish } from '../../../host/drafts/workflows';
import { startHostOn, type Host } from '../../../host/host';
import { projectFolder } from '../../../host/places';
import type { SpreadBy } from '../../../host/proxy';
import { startQueueN8n, type QueueN8n } from '../../../host/queue';
import { readWorkflow } from '../../../host/workflows';
import { waitForQuiet } from './executions';
import { layOut, print } from './table';

jest.setTimeout(900_000);

const COPIES = 3;
const EVENTS = 120;
const AT_ONCE = 4;

interface Measured {
	/** Events that were answered at least once. */
	processed: number;
	/** Executions beyond one per event. */
	executions: number;
	/** Answers beyond one per event: what the other side sees. */
	answers: number;
}

let host: Host;
let n8n: QueueN8n;
const results: Array<Array<string | number>> = [];

beforeAll(async () => {
	n8n = await startQueueN8n({ processors: COPIES });
	host = await startHostOn(n8n);
	host.gateway.setDelivery({ duplicate: COPIES });
});

afterAll(async () => {
	await host?.stop();
	print(
		layOut(
			[
				`${EVENTS} events, each delivered ${COPIES} times at once`,
				'events',
				'executions beyond one',
				'answers beyond one',
			],
			results,
		),
	);
});

function spread(by: SpreadBy): void {
	n8n.proxy.spread({ main: n8n.main.url, processors: n8n.processors.map(({ url }) => url), by });
}

/** Has every event delivered several times at once to different processors, and counts what came of it. */
async function measure(name: string, draft: WorkflowDraft): Promise<Measured> {
	const id = await publish(host.api, draft);
	const texts: string[] = [];
	for (let sent = 0; sent < EVENTS; sent += AT_ONCE) {
		for (let each = 0; each < AT_ONCE; each++) {
			const text = randomUUID();
			texts.push(text);
			host.gateway.write(text);
		}
		await host.gateway.drained();
	}
	const { length: executions } = await waitForQuiet(n8n, id);
	await host.api.unpublish(id);
	const perEvent = new Map(texts.map((text) => [text, 0]));
	for (const { text } of host.gateway.acceptedSends()) {
		const event = text.split(' ').at(-1) ?? '';
		perEvent.set(event, (perEvent.get(event) ?? 0) + 1);
	}
	const counts = texts.map((text) => perEvent.get(text) ?? 0);
	const measured = {
		processed: counts.filter((count) => count > 0).length,
		executions: executions - EVENTS,
		answers: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
	};
	results.push([name, measured.processed, measured.executions, measured.answers]);
	return measured;
}

const removeDuplicates = makeNode(
	'n8n-nodes-base.removeDuplicates',
	'Remove Duplicates',
	{
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.eventId }}',
		options: {},
	},
	{ typeVersion: 2 },
);

async function lookUpInDataTable(): Promise<INode[]> {
	const { id: projectId } = await host.api.request<{ id: string }>('GET', '/projects/personal');
	const { id } = await host.api.request<{ id: string }>(
		'POST',
		`/projects/${projectId}/data-tables`,
		{
			name: 'Events seen',
			columns: [{ name: 'event', type: 'string' }],
		},
	);
	const dataTableId = { __rl: true, mode: 'id', value: id };
	const step = (name: string, parameters: INodeParameters) =>
		makeNode('n8n-nodes-base.dataTable', name, { resource: 'row', dataTableId, ...parameters });
	return [
		step('If Not Seen', {
			operation: 'rowNotExists',
			filters: {
				conditions: [{ keyName: 'event', condition: 'eq', keyValue: '={{ $json.eventId }}' }],
			},
		}),
		step('Remember', {
			operation: 'insert',
			columns: {
				mappingMode: 'defineBelow',
				value: { event: '={{ $json.eventId }}' },
				matchingColumns: [],
				schema: [],
			},
			options: {},
		}),
	];
}

async function readExample(): Promise<WorkflowDraft> {
	const redis: StoredCredential = await host.api.createCredential('redis', 'Redis account', {
		host: '127.0.0.1',
		port: n8n.redis.port,
	});
	return readWorkflow(join(projectFolder, 'examples', 'strict-once-only.json'), {
		...host.credentials,
		redis,
	});
}

describe('events that arrive several times at once', () => {
	it('run once more per other processor with nothing but the memory of the trigger', async () => {
		spread('turn');
		const { processed, executions } = await measure(
			'the trigger alone, deliveries in turn',
			draftAnswering(host, []),
		);
		expect(processed).toBe(EVENTS);
		expect(executions).toBeLessThanOrEqual(EVENTS * (n8n.processors.length - 1));
	});

	it('run once where the balancer sends all deliveries of one event to one processor', async () => {
		spread('event');
		const measured = await measure(
			'the trigger alone, deliveries by webhook-id',
			draftAnswering(host, []),
		);
		expect(measured).toEqual({ processed: EVENTS, executions: 0, answers: 0 });
	});

	it('are mostly stopped by the Remove Duplicates node', async () => {
		spread('turn');
		const { processed, answers, executions } = await measure(
			'with the Remove Duplicates node',
			draftAnswering(host, [removeDuplicates]),
		);
		expect(processed).toBe(EVENTS);
		expect(answers).toBeLessThanOrEqual(executions);
	});

	it('are mostly stopped by looking into a Data Table first', async () => {
		spread('turn');
		const { processed, answers, executions } = await measure(
			'with a look into a Data Table',
			draftAnswering(host, await lookUpInDataTable()),
		);
		expect(processed).toBe(EVENTS);
		expect(answers).toBeLessThanOrEqual(executions);
	});

	it('are processed once, and only once, with the example for it', async () => {
		spread('turn');
		const { processed, answers } = await measure(
			'examples/strict-once-only.json',
			await readExample(),
		);
		expect({ processed, answers }).toEqual({ processed: EVENTS, answers: 0 });
	});
});
