import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	chain,
	choose,
	makeNothing,
	makeSend,
	makeStart,
	makeTrigger,
} from '../../../host/drafts/nodes';
import {
	draftAnswering,
	draftTriggerWorkflow,
	startPublished,
} from '../../../host/drafts/workflows';
import { hasEnded, nextOf, outputOf, type Execution } from '../../../host/executions';
import { readWorkflow } from '../../../host/workflows';
import { startFakeN8n } from './fakeN8n';

const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
const file = join(folder, 'workflow.json');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const account = { id: '1', name: 'My account', type: 'messagingGatewayAccountApi' };
const instance = { id: '2', name: 'My number', type: 'messagingGatewayInstanceApi' };

it('an import chooses the stored credentials, and gives each trigger and form an address of its own', () => {
	const node = (name: string, type: string, others = {}) => ({ name, type, ...others });
	const credentials = {
		[account.type]: { id: '', name: 'Theirs' },
		smtp: { id: '', name: 'Mail' },
	};
	writeFileSync(
		file,
		JSON.stringify({
			name: 'Bread',
			id: 'theirs',
			nodes: [
				node('Trigger', 'n8n-nodes-messaging-gateway.messagingGatewayTrigger', { credentials }),
				node('Form', 'n8n-nodes-base.formTrigger'),
				node('Next', 'n8n-nodes-base.noOp'),
			],
			connections: { Trigger: {} },
			settings: { executionOrder: 'v1' },
		}),
	);
	const read = () => readWorkflow(file, { account, instance });
	const { nodes, ...others } = read();
	expect(others).toEqual({
		name: 'Bread',
		connections: { Trigger: {} },
		settings: { executionOrder: 'v1' },
	});
	const [trigger, form, next] = nodes;
	expect(trigger.credentials).toEqual({
		[account.type]: { id: '1', name: 'My account' },
		smtp: { id: '', name: 'Mail' },
	});
	const ids = [...nodes, ...read().nodes].map(({ webhookId }) => webhookId).filter(Boolean);
	expect(new Set(ids).size).toBe(4);
	expect([trigger.webhookId, form.webhookId]).not.toContain(undefined);
	expect(next).toEqual({ name: 'Next', type: 'n8n-nodes-base.noOp' });
});

it('a chain leads from each node to the next', () => {
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	expect(chain([makeNothing('A'), makeNothing('B'), makeNothing('C')])).toEqual({
		A: to('B'),
		B: to('C'),
	});
});

it('drafted nodes hold the credential, and what was asked for over the usual', () => {
	expect(choose(account)).toEqual({
		credentials: { [account.type]: { id: '1', name: 'My account' } },
	});
	expect(makeTrigger(account, { events: ['MESSAGE.SENT'] })).toMatchObject({
		id: 'trigger',
		typeVersion: 2,
		parameters: { events: ['MESSAGE.SENT'] },
		...choose(account),
	});
	expect(makeSend(instance, { concurrency: 5 }, { retryOnFail: true })).toMatchObject({
		parameters: { resource: 'message', operation: 'sendText', options: { concurrency: 5 } },
		retryOnFail: true,
		...choose(instance),
	});
	expect(makeStart('bread', { responseMode: 'lastNode' })).toMatchObject({
		webhookId: 'bread',
		parameters: { path: 'bread', httpMethod: 'POST', responseMode: 'lastNode' },
	});
	const credentials = { account, instance };
	expect(
		draftTriggerWorkflow({ credentials }, { node: 'In', webhookId: 'w' }).nodes[0],
	).toMatchObject({ name: 'In', webhookId: 'w', ...choose(account) });
	const { nodes } = draftAnswering({ credentials }, [makeNothing('Step')], { options: {} });
	expect(nodes.map(({ name }) => name)).toEqual(['Message Received', 'Step', 'Answer']);
	expect(nodes[0]).toMatchObject({ parameters: { events: ['MESSAGE.RECEIVED'] } });
	expect(nodes[2]).toMatchObject(choose(instance));
});

it('a workflow that cannot be started says why', async () => {
	let status = 200;
	const n8n = await startFakeN8n(() => ({ status, text: 'Not registered' }));
	try {
		await startPublished(n8n.url, 'bread', { items: [1] });
		expect(n8n.asked).toMatchObject([{ line: 'POST /webhook/bread', body: { items: [1] } }]);
		status = 404;
		await expect(startPublished(n8n.url, 'bread', {})).rejects.toThrow('404 Not registered');
	} finally {
		n8n.stop();
	}
});

it('the output of a node is that of its last run, output by output', () => {
	const run = (...main: Array<Array<{ json: object }> | null>) => ({ data: { main } });
	const [one, two] = [{ json: { a: 1 } }, { json: { a: 2 } }];
	const runData = { Next: [run([one]), run(null, [one, two])] };
	const execution = { data: { resultData: { runData } } } as unknown as Execution;
	expect(outputOf(execution, 'Next')).toEqual([[], [one, two]]);
	expect(outputOf(execution, 'Other')).toEqual([]);
});

it('the next page is behind the cursor, and in an older n8n behind the last one of a full page', () => {
	const page = (count: number) =>
		Array.from({ length: count }, (_, at) => ({ id: String(count - at) })) as never[];
	expect(nextOf({ results: page(1), nextCursor: 'abc' })).toBe('&cursor=abc');
	expect(nextOf({ results: page(100), nextCursor: null })).toBeNull();
	expect(nextOf({ results: page(100) })).toBe('&lastId=1');
	expect(nextOf({ results: page(99) })).toBeNull();
	expect(hasEnded({ status: 'unknown' } as never)).toBe(true);
});
