import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateNodeTypeFile, type NodeTypeDescription } from '@n8n/workflow-sdk';
import type { INode } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../lab/host/api';
import {
	callTool,
	createModelCredential,
	startScriptedModel,
	type ChatReply,
	type ChatRequest,
	type ScriptedModel,
} from '../../lab/host/chatModel';
import { GATEWAY_NODE, lead, makeEntrance, TRIGGER_NODE } from '../../lab/host/drafts/nodes';
import { runPublished } from '../../lab/host/drafts/workflows';
import { findPlace } from '../../lab/host/places';
import { waitFor } from '../../lab/host/waiting';
import { groupNameAt, type Fault } from '../../lab/simulator';
import { to } from '../contract/document';
import { draftAgent } from '../support/drafts/agent';
import { makeOperationNode } from '../support/drafts/operation';
import { host, useHost } from '../support/host';
import { makeN8nAgent } from '../support/n8nAgent';

useHost();

let model: ScriptedModel;
let openAi: StoredCredential;

beforeAll(async () => {
	model = await startScriptedModel();
	openAi = await createModelCredential(host.api, model);
});

beforeEach(() => {
	model.script = [];
	model.requests.length = 0;
	host.gateway.reset();
});

afterAll(async () => {
	await model?.stop();
});

/** What the editor puts into a field that is left to the model. */
const fromModel = (key: string, description = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string') }}`;

/** An operation as a tool, the way the editor saves it. */
function makeTool(name: string, resource: string, operation: string, parameters: object): INode {
	const asked = { resource, operation, parameters: { ...parameters }, requests: [] };
	const node = makeOperationNode(name, asked, host.credentials);
	const token = resource === 'webhook' ? host.credentials.account : host.credentials.instance;
	return {
		...node,
		type: `${GATEWAY_NODE}Tool`,
		credentials: { [token.type]: { id: token.id, name: token.name } },
	};
}

/** A webhook starts an agent that has the tools named. */
const describeAgent = (path: string, tools: INode[], typeVersion?: number): WorkflowDraft =>
	draftAgent(path, { text: '={{ $json.body.wish }}', tools, model: openAi, typeVersion });

const toolAnswers = () =>
	model.requests
		.at(-1)!
		.messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));

const sendMessage = () =>
	makeTool('Send Message', 'message', 'sendText', {
		to: to('phone', fromModel('To', 'Phone number with country code')),
		text: fromModel('Text'),
	});

it('keeps the tool of an agent with several items from writing to the first person for all', async () => {
	const path = randomUUID();
	const tool = makeTool('Send Message', 'message', 'sendText', {
		to: to('phone', "={{ $('Items').item.json.phone }}"),
		text: fromModel('Text'),
	});
	const { nodes, connections } = describeAgent(path, [tool]);
	const draft: WorkflowDraft = {
		name: path,
		nodes: [...makeEntrance(path), ...nodes.slice(1)],
		connections: { ...connections, Start: { main: [lead(['Items'])] }, Items: connections.Start },
	};
	const say = ({ messages }: ChatRequest): ChatReply =>
		messages.some(({ role }) => role === 'tool')
			? { content: 'Done.' }
			: callTool('Send_Message', { Text: 'Hello' });
	model.script = Array.from({ length: 6 }, () => say);
	const body = { wish: 'Say hello' };
	const items = [1, 2, 3].map((index) => ({ phone: `+55 11 90000-000${index}`, body }));
	await runPublished(host, draft, path, { items });
	expect(host.gateway.requests).toEqual([]);
	expect(toolAnswers()).toEqual([
		expect.stringContaining('Nothing was done, because the agent has'),
	]);
});

describe('n8n’s MCP server tells a model', () => {
	/** The definition of a node as n8n has loaded it (`get_node_types`). */
	async function define(type: string): Promise<string> {
		const headers = { cookie: host.api.cookie };
		const response = await fetch(`${host.n8n.url}/types/nodes.json`, { headers });
		const types = (await response.json()) as NodeTypeDescription[];
		const description = types.find(({ name }) => name === type)!;
		const properties = description.properties.filter((each) => each.type !== 'hidden');
		return generateNodeTypeFile({ ...description, properties });
	}

	// A model reads all of it for any operation. A new operation or option raises the limits by some 600 characters.
	it.each([
		[GATEWAY_NODE, 22_150],
		[`${GATEWAY_NODE}Tool`, 32_150],
		[`${GATEWAY_NODE}HitlTool`, 11_000],
		[TRIGGER_NODE, 6_950],
	])('of %s at most %i characters', async (type, limit) => {
		expect((await define(type)).length).toBeLessThanOrEqual(limit);
	});
});

describe.each([
	['an agent that calls its tools itself', 2.2],
	['an agent whose tools n8n runs', 3.1],
])('%s, with a model that repeats whatever has failed', (_kind, typeVersion) => {
	/** Calls the tool until it is told of a success, or that something may have been done all the same. */
	function insist(name: string, values: object): void {
		const say = ({ messages }: ChatRequest): ChatReply => {
			const answers = messages.filter(({ role }) => role === 'tool');
			const last = String(answers.at(-1)?.content ?? '');
			const isDone = /messageId|may have been (sent|made)/.test(last);
			return isDone || answers.length >= 3 ? { content: 'Done.' } : callTool(name, values);
		};
		model.script = Array.from({ length: 4 }, () => say);
	}

	const settings: Array<[string, Partial<INode>]> = [
		['as it is', {}],
		['with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 50 }],
		['with On Error → Continue', { onError: 'continueRegularOutput' }],
	];
	it.each(
		settings.flatMap(([how, set]): Array<[string, Fault, string, number, Partial<INode>]> => [
			[`once what was accepted and cut off, ${how}`, 'cutAfter', 'may have been sent', 1, set],
			[`again what was surely not sent, ${how}`, { status: 400 }, 'was not sent', 2, set],
		]),
	)('sends %s', async (_what, fault, told, requests, set) => {
		host.gateway.faults.add({ match: { method: 'POST' }, fault });
		insist('Send_Message', { To: '+55 11 90000-0001', Text: 'Hello' });
		const draft = describeAgent(randomUUID(), [{ ...sendMessage(), ...set }], typeVersion);
		await runPublished(host, draft, draft.name, { wish: 'Say hello' });

		await waitFor('the message to be accepted', () => host.gateway.acceptedSends().length > 0);
		expect(toolAnswers()[0]).toContain(told);
		expect(host.gateway.requests.map(({ body }) => body)).toEqual(
			Array(requests).fill({ to: '5511900000001', text: 'Hello' }),
		);
		expect(host.gateway.acceptedSends()).toHaveLength(1);
	});
});

/** n8n before 2.41 has no Agents unless somebody switches them on. */
const { version } = JSON.parse(
	readFileSync(join(findPlace('n8n'), 'node_modules', 'n8n', 'package.json'), 'utf8'),
) as { version: string };
const hasAgents = version.localeCompare('2.41', undefined, { numeric: true }) >= 0;

(hasAgents ? describe : describe.skip)(
	'an Agent of n8n, which runs its tools without an execution',
	() => {
		/** Says something to an Agent. Answers all that it streams, as text. */
		async function say(agent: string, message: string): Promise<string> {
			const response = await fetch(`${host.n8n.url}/rest${agent}/chat`, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'browser-id': 'test',
					cookie: host.api.cookie,
				},
				body: JSON.stringify({ message }),
			});
			return await response.text();
		}

		const ANA = { To: '+55 11 90000-0001', Text: 'Your bread is ready, Ana!' };
		it.each<[string, string, object, Fault | undefined, string | RegExp, number]>([
			['sends', 'Send_Message', ANA, undefined, /messageId/, 1],
			['changes', 'Mute', { Chat: '120363041234567890@g.us' }, undefined, /success/, 1],
			['reads', 'Find_Groups', {}, undefined, groupNameAt(1), 1],
			['reads why it was refused', 'Send_Message', ANA, { status: 400 }, 'was not sent', 1],
			['reads that a connection broke', 'Send_Message', ANA, 'cutAfter', 'may have been sent', 1],
			['reads what is wrong', 'Send_Message', { ...ANA, To: 'Ana' }, undefined, 'phone number', 0],
		])('%s', async (_what, tool, values, fault, told, requests) => {
			const { path } = await makeN8nAgent(host.api, openAi, [
				sendMessage(),
				makeTool('Find Groups', 'group', 'getAll', { returnAll: true }),
				makeTool('Mute', 'chat', 'mute', { to: to('id', fromModel('Chat')) }),
			]);
			if (fault) host.gateway.faults.add({ match: { method: 'POST' }, fault });
			model.script = [() => callTool(tool, values), () => ({ content: 'Done.' })];

			expect(await say(path, 'Do it')).toContain('"type":"done"');
			expect(toolAnswers()).toEqual([expect.stringMatching(told)]);
			expect(host.gateway.requests).toHaveLength(requests);
		});

		it('may not ask, as n8n says when the Agent is saved', async () => {
			const asking = makeTool('Ask', 'message', 'sendAndWait', {
				to: to('phone', ANA.To),
				message: 'So?',
			});
			await expect(makeN8nAgent(host.api, openAi, [asking])).rejects.toThrow(
				'not supported for agent tool execution',
			);
		});
	},
);
