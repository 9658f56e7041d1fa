import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { StoredCredential } from '../../../host/api';
import {
	createModelCredential,
	startChatModel,
	type ChatModel,
	type ChatRequest,
} from '../../../host/chatModel';
import { openDataTable } from '../../../host/dataTables';
import { startHost, type Host } from '../../../host/host';
import { startMailbox, type Mailbox } from '../../../host/mailbox';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { readWorkflow } from '../../../host/workflows';

let host: Host;
let mailbox: Mailbox;
let model: ChatModel;
let credentials: Record<string, StoredCredential>;
let workflowId: string | undefined;

beforeAll(async () => {
	mailbox = await startMailbox();
	model = await startChatModel(answerFromConversation);
	host = await startHost();
	credentials = {
		...host.credentials,
		smtp: await host.api.createCredential('smtp', 'SMTP account', {
			user: '',
			password: '',
			host: mailbox.host,
			port: mailbox.port,
			secure: false,
			disableStartTls: true,
		}),
		openAi: await createModelCredential(host.api, model),
	};
});

afterAll(async () => {
	await host?.stop();
	await mailbox?.stop();
	await model?.stop();
});

afterEach(async () => {
	if (workflowId !== undefined) await host.api.deleteWorkflow(workflowId);
	workflowId = undefined;
	host.gateway.reset();
});

/** Imports an example, with the credentials chosen, and publishes it. */
async function useExample(name: string): Promise<string> {
	const draft = readWorkflow(join(projectFolder, 'examples', `${name}.json`), credentials);
	workflowId = (await host.api.createWorkflow(draft)).id;
	await host.api.publish(workflowId);
	return workflowId;
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
	const ended = await host.api.waitForExecutions(workflowId ?? '', executions + 1);
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

describe('automatic reply', () => {
	it('answers what it has a key word for, offers its choices otherwise, and leaves groups alone', async () => {
		await useExample('automatic-reply');
		const ana = findChat('Ana Souza');

		expect(await write('What are your HOURS on Sunday?', ana)).toEqual([
			{ to: ana, text: expect.stringContaining('from 7 to 13 h') },
		]);
		expect(await write('And the address?', ana)).toEqual([
			{ to: ana, text: expect.stringContaining('Rua das Flores') },
		]);
		expect(await write('Bom dia!', ana)).toEqual([
			{ to: ana, text: expect.stringContaining('Write *hours*') },
		]);
		expect(await write('', ana)).toEqual([]);

		host.gateway.write('What are your hours?', { chatId: findChat('Família Souza') });
		await host.gateway.drained();
		expect(await host.api.listExecutions(workflowId ?? '')).toHaveLength(4);
	});

	it('offers its choices once in a chat and day', async () => {
		const id = await useExample('automatic-reply');
		const [ana, bruno] = [findChat('Ana Souza'), findChat('Bruno Carvalho')];
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

describe('AI agent in the chat', () => {
	it('answers each person from what was said in their own conversation, and shows that it is typing', async () => {
		await useExample('ai-agent');
		const [ana, bruno] = [findChat('Ana Souza'), findChat('Bruno Carvalho')];

		expect(await write('My name is Ana. When do you open?', ana)).toEqual([
			{ to: ana, text: 'Nice to meet you!' },
		]);
		expect(await write('What is my name?', bruno)).toEqual([
			{ to: bruno, text: 'You did not tell me.' },
		]);
		expect(await write('What is my name?', ana)).toEqual([{ to: ana, text: 'You are Ana.' }]);

		expect(model.requests).toHaveLength(3);
		// While it thinks, and while it writes the answer.
		const typing = host.gateway.requests.filter(({ path }) => path === '/v1/messages/presence');
		expect(typing.map(({ body }) => (body as { to: string }).to)).toEqual(
			[ana, bruno, ana].flatMap((chat) => [chat, chat]),
		);
	});

	it('answers once what somebody writes in several messages', async () => {
		await useExample('ai-agent');
		const { length } = model.requests;
		const ana = findChat('Ana Souza');

		expect(await write(['Hi', 'My name is Ana', 'What is my name?'], ana)).toEqual([
			{ to: ana, text: 'You are Ana.' },
		]);
		await host.gateway.drained();

		expect(await host.api.listExecutions(workflowId ?? '')).toHaveLength(1);
		expect(model.requests).toHaveLength(length + 1);
		expect(model.requests.at(-1)?.messages.at(-1)?.content).toBe(
			'Hi\nMy name is Ana\nWhat is my name?',
		);
	});

	it('sends a long answer in paragraphs, in order, typing before each, as the phone shows them', async () => {
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

	it('does not ask the model about a message without text', async () => {
		await useExample('ai-agent');
		const { length } = model.requests;

		expect(await write('', findChat('Ana Souza'))).toEqual([]);

		expect(model.requests).toHaveLength(length);
	});
});

describe('connection watch', () => {
	it('writes a mail when the number is logged out or banned, and none when it will come back by itself', async () => {
		const id = await useExample('connection-watch');

		host.gateway.setConnection('DISCONNECTED');
		host.gateway.setConnection('LOGGED_OUT');
		host.gateway.setConnection('CONNECTED');
		host.gateway.setConnection('BANNED', { expiresIn: 5400, reason: 'Too many reports' });

		await host.api.waitForExecutions(id, 4);
		const mails = await waitFor('two mails', () => mailbox.mails.length >= 2 && mailbox.mails);
		expect([...mails].sort((one, other) => other.subject.localeCompare(one.subject))).toEqual([
			{
				from: 'n8n@example.com',
				to: ['ana@example.com'],
				subject: 'The number was logged out',
				text: expect.stringContaining('pair the number again'),
			},
			{
				from: 'n8n@example.com',
				to: ['ana@example.com'],
				subject: 'The number was banned',
				text: expect.stringMatching(/Reason: Too many reports\nDuration: 90 minutes/),
			},
		]);
	});
});

describe('welcome to groups', () => {
	it('greets every group once, and persons never', async () => {
		await useExample('group-welcome');
		const [family, customers] = [findChat('Família Souza'), findChat('Clientes da Padaria')];

		expect(await write('Welcome, padaria!', family)).toEqual([
			{ to: family, text: expect.stringContaining('Hello everybody') },
		]);
		expect(await write('Who is this?', family)).toEqual([]);
		expect(await write('Bom dia, grupo!', customers)).toEqual([
			{ to: customers, text: expect.stringContaining('Hello everybody') },
		]);

		host.gateway.write('Is anybody there?', { chatId: findChat('Ana Souza') });
		await host.gateway.drained();
		expect(await host.api.listExecutions(workflowId ?? '')).toHaveLength(3);
	});
});

describe('human takeover', () => {
	const read = async (name: string) => await (await openDataTable(host.api, name)).readRows();
	const isSilent = (chatId: string, rows: IDataObject[]) =>
		rows.some(({ chat }) => String(chat).endsWith(`:${chatId}`));

	it('is silent where a person answers by hand, only there, until it is woken or the time is over', async () => {
		await useExample('human-takeover');
		const [ana, bruno] = [findChat('Ana Souza'), findChat('Bruno Carvalho')];
		const answer = [{ to: ana, text: expect.stringContaining('I am its assistant') }];

		expect(await write('Hello?', ana)).toEqual(answer);
		// What it sent itself is reported as well, and silences nothing.
		await host.api.waitForExecutions(workflowId ?? '', 2);
		expect(await read('gateway silent chats')).toEqual([]);
		expect((await read('gateway bot messages')).map(({ messageId }) => messageId)).toEqual([
			host.gateway.acceptedSends()[0].messageId,
		]);

		const HALF_AN_HOUR_MS = 30 * 60_000;
		const before = Date.now();
		host.gateway.writeAsOwner('This is Carla, how can I help?', { chatId: ana });
		await host.api.waitForExecutions(workflowId ?? '', 3);
		const [row] = await read('gateway silent chats');
		expect(isSilent(ana, [row])).toBe(true);
		const silencedAt = Date.parse(String(row.silentUntil)) - HALF_AN_HOUR_MS;
		expect(silencedAt).toBeGreaterThanOrEqual(before);
		expect(silencedAt).toBeLessThanOrEqual(Date.now());

		expect(await write('About my order', ana)).toEqual([]);
		expect(await write('Hello?', bruno)).toEqual([{ ...answer[0], to: bruno }]);

		expect(await write(' #BOT ', ana)).toEqual([]);
		expect(isSilent(ana, await read('gateway silent chats'))).toBe(false);
		expect(await write('And now?', ana)).toEqual(answer);

		const table = await openDataTable(host.api, 'gateway silent chats');
		const silentUntil = new Date(Date.now() - 1_000).toISOString();
		await table.addRows([{ chat: `${host.gateway.instanceId}:${bruno}`, silentUntil }]);
		expect(await write('Half an hour later', bruno)).toEqual([{ ...answer[0], to: bruno }]);
	});

	it('is woken by the owner of the number, too', async () => {
		await useExample('human-takeover');
		const ana = findChat('Ana Souza');
		host.gateway.writeAsOwner('I am there', { chatId: ana });
		await host.api.waitForExecutions(workflowId ?? '', 1);
		expect(isSilent(ana, await read('gateway silent chats'))).toBe(true);

		host.gateway.writeAsOwner('#bot', { chatId: ana });
		await host.api.waitForExecutions(workflowId ?? '', 2);
		expect(isSilent(ana, await read('gateway silent chats'))).toBe(false);
	});
});
