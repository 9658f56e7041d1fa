import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowDraft } from '../../host/api';
import { lead, makeNode, makeStart } from '../../host/drafts/nodes';
import { publish, startPublished } from '../../host/drafts/workflows';
import { outputOf, type Execution } from '../../host/executions';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { freeClosedPort, type Fault } from '../../simulator';
import { to } from '../contract/document';
import { makeOperationNode } from '../support/drafts/operation';

const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const NODE = 'Messaging Gateway';

interface Trouble {
	name: string;
	/** What strikes the second request; without it nobody listens at the address of the second item. */
	fault?: Fault;
	/** What the person reads. */
	message: RegExp;
	outcome: 'rejected' | 'unknown';
	/** Whether the message went out all the same. */
	isSent?: boolean;
}

const status = (code: number, outcome: Trouble['outcome']): Trouble => ({
	name: `answered ${code}`,
	fault: { status: code, body: { error: `The baker says ${code}` } },
	message: new RegExp(`^The baker says ${code}\\. `),
	outcome,
});

const TROUBLES: Trouble[] = [
	...[400, 401, 403, 404, 429].map((code) => status(code, 'rejected')),
	...[500, 502].map((code) => status(code, 'unknown')),
	{
		name: 'a web page',
		fault: { kind: 'html', status: 200 },
		message: /^A web page came back/,
		outcome: 'unknown',
	},
	{
		name: 'an empty answer',
		fault: { kind: 'empty', status: 202 },
		message: /nothing else\./,
		outcome: 'unknown',
	},
	{
		name: 'broken JSON',
		fault: { kind: 'invalidJson', status: 200 },
		message: /not valid JSON/,
		outcome: 'unknown',
	},
	{
		name: 'a redirect',
		fault: { status: 307, headers: { location: '/elsewhere' }, body: {} },
		message: /did not accept/,
		outcome: 'rejected',
	},
	{
		name: 'no answer in time',
		fault: 'hang',
		message: /did not answer in time/,
		outcome: 'unknown',
	},
	{
		name: 'a slow answer',
		fault: { kind: 'slow', delayMs: 1600 },
		message: /did not answer in time/,
		outcome: 'unknown',
		isSent: true,
	},
	{ name: 'a cut before it is read', fault: 'cutBefore', message: /broke off/, outcome: 'unknown' },
	{
		name: 'a cut after it is accepted',
		fault: 'cutAfter',
		message: /broke off/,
		outcome: 'unknown',
		isSent: true,
	},
	{
		name: 'accepted, but answered 502',
		fault: { kind: 'acceptThenStatus', status: 502 },
		message: /./,
		outcome: 'unknown',
		isSent: true,
	},
	{ name: 'a refused connection', message: /cannot be reached/, outcome: 'rejected' },
];

const NAMES = ['Ana', 'Bruno', 'Carla'];

let host: Host;
/** By mode and trouble. */
const executions = new Map<string, Execution>();

beforeAll(async () => {
	host = await startHost();
	const { api, gateway, n8n } = host;
	const { id, name, type } = await api.createCredential('messagingGatewayInstanceApi', 'By item', {
		baseUrl: '={{ $json.gateway }}',
		instanceToken: gateway.instanceToken,
	});
	const closedPort = await freeClosedPort();
	const published = new Map<string, string>();
	for (const mode of MODES) {
		const draft = describeWorkflow(mode, { ...host.credentials, instance: { id, name, type } });
		published.set(mode, await publish(api, draft));
	}
	// All at once, each with texts of its own: one by one they would take minutes.
	for (const mode of MODES) {
		for (const trouble of TROUBLES) {
			const match = { text: textFor(mode, trouble, 'Bruno') };
			if (trouble.fault) gateway.faults.add({ match, fault: trouble.fault, times: 'always' });
			const struck = trouble.fault ? gateway.url : `http://127.0.0.1:${closedPort}`;
			const people = NAMES.map((person, index) => ({
				name: person,
				phone: `+55 11 90000-000${index}`,
				text: textFor(mode, trouble, person),
				gateway: person === 'Bruno' ? struck : gateway.url,
			}));
			await startPublished(n8n.url, mode, { trouble: trouble.name, people });
		}
	}
	for (const [mode, workflowId] of published) {
		for (const execution of await api.waitForExecutions(workflowId, TROUBLES.length, 120_000)) {
			const { trouble } = outputOf(execution, 'Start')[0][0].json.body as { trouble: string };
			executions.set(`${mode}: ${trouble}`, execution);
		}
	}
	await waitFor('what was given up to be accepted all the same', () =>
		TROUBLES.filter(({ isSent }) => isSent).every((trouble) =>
			MODES.every((mode) =>
				gateway.acceptedSends().some(({ text }) => text === textFor(mode, trouble, 'Bruno')),
			),
		),
	);
});

afterAll(async () => {
	await host?.stop();
});

function textFor(mode: string, trouble: Trouble, person: string): string {
	return `${mode}, ${trouble.name}: hello ${person}`;
}

/** Start → Split Out into people → the node → what reads it, on both outputs. */
function describeWorkflow(
	mode: (typeof MODES)[number],
	credentials: Host['credentials'],
): WorkflowDraft {
	const parameters = {
		to: to('phone', '={{ $json.phone }}'),
		text: '={{ $json.text }}',
		options: { timeout: 1 },
	};
	const requests = [{ method: 'POST', path: '', token: 'instance' }] as const;
	const send = { resource: 'message', operation: 'sendText', parameters, requests: [...requests] };
	return {
		name: mode,
		nodes: [
			makeStart(mode),
			makeNode('n8n-nodes-base.splitOut', 'People', { fieldToSplitOut: 'body.people' }),
			makeOperationNode(NODE, send, credentials, { onError: mode }),
			read('After'),
			read('After the failed'),
		],
		connections: {
			Start: { main: [lead(['People'])] },
			People: { main: [lead([NODE])] },
			[NODE]: { main: [lead(['After']), lead(['After the failed'])] },
		},
	};
}

/** Reads, for each of its items, the item that the node put out and the one that came in there. */
function read(name: string): INode {
	const assignment = (field: string, value: string) => ({
		id: field,
		name: field,
		type: 'string',
		value,
	});
	return makeNode(
		'n8n-nodes-base.set',
		name,
		{
			assignments: {
				assignments: [
					assignment('answer', `={{ JSON.stringify($('${NODE}').item.json) }}`),
					assignment('person', "={{ $('People').item.json.name }}"),
				],
			},
		},
		{ typeVersion: 3.4 },
	);
}

const readBy = (execution: Execution, node: string) =>
	(outputOf(execution, node)[0] ?? []).map(({ json }) => {
		const { error, messageId } = JSON.parse(String(json.answer)) as {
			error?: IDataObject;
			messageId?: string;
		};
		return {
			person: json.person,
			answer: error?.message ?? (messageId === undefined ? undefined : 'sent'),
		};
	});

describe.each(TROUBLES)('$name, for the second of three items', (trouble) => {
	const failed = { person: 'Bruno', answer: expect.stringMatching(trouble.message) };
	const sent = (person: string) => ({ person, answer: 'sent' });

	const find = (mode: string) => executions.get(`${mode}: ${trouble.name}`)!;

	function expectOneRequestEach(mode: string, names: string[]): void {
		const { gateway } = host;
		const texts = new Set(NAMES.map((name) => textFor(mode, trouble, name)));
		const asked = gateway.requests
			.map(({ body }) => (body as { text: string }).text)
			.filter((text) => texts.has(text));
		const accepted = gateway
			.acceptedSends()
			.map(({ text }) => text)
			.filter((text) => texts.has(text));
		const expected = (others: boolean | undefined) =>
			names
				.filter((name) => name !== 'Bruno' || others)
				.map((name) => textFor(mode, trouble, name));
		expect(asked).toEqual(expected(trouble.fault !== undefined));
		expect(accepted.sort()).toEqual(expected(trouble.isSent));
	}

	it('stops the workflow, saying which item it was and what became of it', () => {
		const execution = find('stopWorkflow');
		expect(execution.status).toBe('error');
		const { error } = execution.data.resultData;
		expect(error?.message).toMatch(trouble.message);
		expect(error).toMatchObject({
			description: expect.stringMatching(`Outcome: ${trouble.outcome}.*item 2`),
			context: expect.objectContaining({ itemIndex: 1 }),
		});
		expectOneRequestEach('stopWorkflow', ['Ana', 'Bruno']);
	});

	it('goes on with "Continue", the failed item linked to the person it was for', () => {
		const execution = find('continueRegularOutput');
		expect(execution.status).toBe('success');
		expect(readBy(execution, 'After')).toEqual([sent('Ana'), failed, sent('Carla')]);
		const [, { json }] = outputOf(execution, NODE)[0];
		expect(json.error).toMatchObject({ outcome: trouble.outcome, itemIndex: 1 });
		expectOneRequestEach('continueRegularOutput', NAMES);
	});

	it('parts with "Continue (using error output)", every item linked to its person', () => {
		const execution = find('continueErrorOutput');
		expect(execution.status).toBe('success');
		expect(readBy(execution, 'After')).toEqual([sent('Ana'), sent('Carla')]);
		expect(readBy(execution, 'After the failed')).toEqual([failed]);
		expectOneRequestEach('continueErrorOutput', NAMES);
	});
});
