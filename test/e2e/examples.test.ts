import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { INode } from 'n8n-workflow';
import type { StoredCredential } from '../../lab/host/api';
import {
	createModelCredential,
	startChatModel,
	type ChatModel,
	type ChatRequest,
} from '../../lab/host/chatModel';
import { choose, TRIGGER_NODE } from '../../lab/host/drafts/nodes';
import { outputOf } from '../../lab/host/executions';
import { findPlace, projectFolder } from '../../lab/host/places';
import { readWorkflow } from '../../lab/host/workflows';
import { freeClosedPort } from '../../lab/simulator';
import { host, useHost } from '../support/host';
import { makeN8nAgent } from '../support/n8nAgent';

useHost();

let model: ChatModel;
let credentials: Record<string, StoredCredential>;
let workflowId: string | undefined;

beforeAll(async () => {
	model = await startChatModel(answerFromConversation);
	credentials = {
		...host.credentials,
		smtp: await host.api.createCredential('smtp', 'SMTP account', {
			user: '',
			password: '',
			host: '127.0.0.1',
			port: await freeClosedPort(),
			secure: false,
			disableStartTls: true,
		}),
		openAi: await createModelCredential(host.api, model),
	};
});

afterAll(async () => {
	await model?.stop();
});

afterEach(async () => {
	if (workflowId !== undefined) await host.api.deleteWorkflow(workflowId);
	workflowId = undefined;
	host.gateway.reset();
});

/** Imports an example, with the credentials and the Agent of n8n chosen, and publishes it. */
async function useExample(name: string, agentId?: string): Promise<string> {
	const draft = readWorkflow(join(projectFolder, 'examples', `${name}.json`), credentials);
	chooseAgent(draft.nodes, agentId);
	workflowId = (await host.api.createWorkflow(draft)).id;
	await host.api.publish(workflowId);
	return workflowId;
}

/** n8n publishes no node without its Agent. */
function chooseAgent(nodes: INode[], agentId = 'any'): void {
	for (const { parameters } of nodes.filter(({ type }) => type.endsWith('.messageAnAgent')))
		parameters.agentId = { __rl: true, mode: 'list', value: agentId };
}

function findChat(name: string): string {
	const chat = host.gateway.chats().find((candidate) => candidate.name === name);
	if (chat === undefined) throw new Error(`There is no chat called ${name}.`);
	return chat.id;
}

/**
 * Somebody writes, several messages if there are several texts, and the workflow runs to its end once. Answers what it
 * sent, as recipient and text.
 */
async function write(
	texts: string | string[],
	chatId: string,
): Promise<Array<{ to: string; text: string }>> {
	await host.gateway.drained();
	const { length } = host.gateway.acceptedSends();
	const executions = (await host.api.listExecutions(workflowId ?? '')).length;
	for (const text of [texts].flat()) {
		host.gateway.write(text, { chatId });
		// At the same millisecond, nothing would tell their order.
		await pause(5);
	}

	const ended = await host.api.waitForExecutions(workflowId ?? '', executions + 1, 120_000);
	expect(ended.at(-1)?.data.resultData.error).toBeUndefined();
	return host.gateway
		.acceptedSends()
		.slice(length)
		.map(({ to, text: sent }) => ({ to, text: sent }));
}

/** What a model makes of a question that takes more than a sentence. */
const LONG_ANSWER = `## Opening hours

We open **every day**:

- Monday to Saturday: *6 to 20 h*
- Sunday: 7 to 13 h

Our bread is *fresh* each morning, see [what we bake](https://example.com/bread_and_cake).

Until soon!`;

/** Knows a name only if the conversation it is shown holds it. */
function answerFromConversation({ messages }: ChatRequest) {
	const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
	if (said.at(-1)?.includes('Tell me everything')) return { content: LONG_ANSWER };

	const name = /my name is (\w+)/i.exec(said.join('\n'))?.[1];
	if (!said.at(-1)?.includes('What is my name?')) return { content: 'Nice to meet you!' };
	return { content: name ? `You are ${name}.` : 'You did not tell me.' };
}

it('every trigger of the examples receives when n8n’s CLI has imported them', async () => {
	const { api, gateway, n8n } = host;
	const bin = join(findPlace('n8n'), 'node_modules', 'n8n', 'bin', 'n8n');
	const command = [bin, 'import:workflow', '--separate', `--input=${projectFolder}/examples`];
	const env = { PATH: process.env.PATH, N8N_USER_FOLDER: n8n.folder };
	await promisify(execFile)(process.execPath, command, { env });

	const imported = await api.listWorkflows();
	const files = readdirSync(join(projectFolder, 'examples')).filter((file) =>
		file.endsWith('.json'),
	);
	expect(imported).toHaveLength(files.length);

	let count = 0;
	for (const { id } of imported) {
		const { nodes } = await api.getWorkflow(id);
		const triggers = nodes.filter(({ type }) => type === TRIGGER_NODE);
		for (const trigger of triggers) Object.assign(trigger, choose(credentials.account));
		chooseAgent(nodes);
		await api.updateWorkflow(id, { nodes });
		if (triggers.length > 0) await api.publish(id);
		count += triggers.length;
	}

	const urls = gateway.webhooks().map(({ url }) => url);
	const answers = urls.map(async (url) => (await fetch(url, { method: 'POST' })).status);
	// n8n answers 404 if no trigger hears there.
	expect(count).toBeGreaterThan(4);
	expect(await Promise.all(answers)).toEqual(Array<number>(count).fill(401));

	for (const { id } of imported) await api.deleteWorkflow(id);
});

describe('automatic reply', () => {
	it('the example answers a message with a key word, and no group', async () => {
		await useExample('automatic-reply');
		const ana = findChat('Ana Souza');

		expect(await write('What are your HOURS on Sunday?', ana)).toEqual([
			{ to: ana, text: expect.stringContaining('from 7 to 13 h') },
		]);
		expect(await write('', ana)).toEqual([]);

		host.gateway.write('What are your hours?', { chatId: findChat('Família Souza') });
		await host.gateway.drained();
		expect(await host.api.listExecutions(workflowId ?? '')).toHaveLength(2);
	});

	it('the example offers its choices once in a chat and day', async () => {
		const id = await useExample('automatic-reply');
		const ana = findChat('Ana Souza');
		const bruno = findChat('Bruno Carvalho');
		const choices = (to: string) => [{ to, text: expect.stringContaining('Write *hours*') }];
		const liveIn = async (timezone: string) => {
			const { settings } = await host.api.getWorkflow(id);
			await host.api.updateWorkflow(id, { settings: { ...settings, timezone } });
			await host.api.publish(id);
		};

		// Between these two it is never the same day.
		await liveIn('Pacific/Pago_Pago');
		expect(await write('Bom dia!', ana)).toEqual(choices(ana));
		expect(await write('Do you bake cakes?', ana)).toEqual([]);
		expect(await write('Bom dia!', bruno)).toEqual(choices(bruno));
		await liveIn('Pacific/Kiritimati');
		expect(await write('Is anybody there?', ana)).toEqual(choices(ana));
		expect(await write('Hello?', ana)).toEqual([]);
	});
});

describe('take over from the phone', () => {
	it('is silent in a chat where somebody has written on the phone, and answers again after the pause', async () => {
		const id = await useExample('take-over');
		const ana = findChat('Ana Souza');
		const bruno = findChat('Bruno Carvalho');
		const answer = (to: string) => [{ to, text: expect.stringContaining('Padaria Aurora') }];
		/** Somebody types on the phone, and the workflow pauses the chat. */
		const type = async (text: string, chatId: string): Promise<void> => {
			const { length } = await host.api.listExecutions(id);
			host.gateway.writeOnPhone(text, { chatId });
			const ended = await host.api.waitForExecutions(id, length + 1, 60_000);
			expect(outputOf(ended.at(-1)!, 'Pause This Chat')[0]).toHaveLength(1);
		};

		// The event of the answer comes too, and pauses nothing.
		expect(await write('Hello', ana)).toEqual(answer(ana));
		expect(await write('Are you open?', ana)).toEqual(answer(ana));
		await type('I am here myself.', ana);
		expect(await write('Great!', ana)).toEqual([]);
		expect(await write('Hello', bruno)).toEqual(answer(bruno));

		// Pauses from now on are over when they begin.
		const { nodes } = await host.api.getWorkflow(id);
		const changed = JSON.stringify(nodes).replace("plus(1, 'hour')", "plus(-1, 'hour')");
		await host.api.updateWorkflow(id, { nodes: JSON.parse(changed) as INode[] });
		await host.api.publish(id);
		await type('Goodbye!', ana);
		expect(await write('One more thing', ana)).toEqual(answer(ana));
	});
});

/** Two people write to a model, and one of them a message without text. Answers their chats. */
async function talk(): Promise<string[]> {
	const chats = [findChat('Ana Souza'), findChat('Bruno Carvalho')];

	const [ana, bruno] = chats;
	expect(await write('My name is Ana.', ana)).toEqual([{ to: ana, text: 'Nice to meet you!' }]);
	expect(await write('What is my name?', bruno)).toEqual([
		{ to: bruno, text: 'You did not tell me.' },
	]);
	expect(await write('What is my name?', ana)).toEqual([{ to: ana, text: 'You are Ana.' }]);

	const { length } = model.requests;
	expect(await write('', ana)).toEqual([]);
	expect(model.requests).toHaveLength(length);

	return chats;
}

describe('AI agent in the chat', () => {
	it('the agent answers each person from their own conversation, shows that it is typing, and reads no message without text', async () => {
		await useExample('ai-agent');
		const [ana, bruno] = await talk();
		// While it thinks, and while it writes the answer.
		const typing = host.gateway.requests.filter(({ path }) => path === '/v1/messages/presence');
		expect(typing.map(({ body }) => (body as { to: string }).to)).toEqual(
			[ana, bruno, ana].flatMap((chat) => [chat, chat]),
		);
	});

	it('the agent sends a long answer in paragraphs, in order, typing before each, as the phone shows them', async () => {
		await useExample('ai-agent');
		const ana = findChat('Ana Souza');

		expect((await write('Tell me everything', ana)).map(({ text }) => text)).toEqual([
			'*Opening hours*\nWe open *every day*:\n• Monday to Saturday: _6 to 20 h_\n• Sunday: 7 to 13 h',
			'Our bread is _fresh_ each morning, see what we bake: https://example.com/bread_and_cake.',
			'Until soon!',
		]);

		const asked = host.gateway.requests
			.filter(({ path }) => path.startsWith('/v1/messages/'))
			.map(({ path }) => path.split('/').at(-1));
		expect(asked).toEqual(['presence', ...Array(3).fill(['presence', 'send-text']).flat()]);
	});
});

describe('Agent of n8n in the chat', () => {
	it('the agent answers each person from their own conversation, and reads no message without text', async () => {
		const { id, path } = await makeN8nAgent(host.api, credentials.openAi);
		await host.api.request('POST', `${path}/publish`, {});
		await useExample('n8n-agent', id);
		expect(await talk()).toHaveLength(2);
	});
});

describe('connection watch', () => {
	it('the example writes a mail when the number is logged out or banned, and none when it will come back by itself', async () => {
		const id = await useExample('connection-watch');

		host.gateway.setConnection('DISCONNECTED');
		host.gateway.setConnection('LOGGED_OUT');
		host.gateway.setConnection('CONNECTED');
		host.gateway.setConnection('BANNED', { expiresIn: 5400, reason: 'Too many reports' });

		const executions = await host.api.waitForExecutions(id, 4, 60_000);
		// No mail server is there, so the last node fails.
		const mails = executions.filter(({ data }) => 'Send Alarm' in data.resultData.runData);
		expect(mails.map(({ status }) => status)).toEqual(['error', 'error']);
		const described = (node: string) =>
			executions.flatMap((execution) => outputOf(execution, node)[0] ?? []).map(({ json }) => json);
		expect(described('Describe Logout')).toEqual([
			{
				subject: 'The number was logged out',
				text: expect.stringContaining('pair the number again'),
			},
		]);
		expect(described('Describe Ban')).toEqual([
			{
				subject: 'The number was banned',
				text: expect.stringMatching(/Reason: Too many reports\nDuration: 90 minutes/),
			},
		]);
	});
});
