import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';
import { openDataTable } from '../../../host/dataTables';
import { hasEnded, outputOf, type Execution } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { readWorkflow } from '../../../host/workflows';
import { PEOPLE, type GatewayEvent } from '../../../simulator';
import { addModel } from '../../../tools/demo/standIns/model';

// Each branch of the example, with the demo's stand-in for a model. The people write at the same time, each in a chat of
// their own, and each test looks at what became of one of them.

const PATIENCE_MS = 120_000;
const QUESTION = 'When do you open?';
const HOURS = 'Opening hours: Monday to Saturday 6 to 20 h, Sunday 7 to 13 h.';
const PERSON_WANTED = 'I want to talk to a colleague, a real person.';

const [ana, bruno, carla, davi, lucia] = PEOPLE;
const eva = { phone: '5541900000006' };
const fabio = { phone: '5581900000007' };

let host: Host;
let model: FastifyInstance;
let workflowId: string;
/** What the model was asked, each time the last words of a person. */
const asked: string[] = [];
/** Lets the model answer whoever has told it to think. */
let think: () => void;
const thought = new Promise<void>((resolve) => (think = resolve));

beforeAll(async () => {
	host = await startHost();
	model = Fastify();
	model.addHook('preHandler', async ({ body }) => {
		const { messages = [] } = body as { messages?: Array<{ role: string; content: string }> };
		const words = messages.findLast(({ role }) => role === 'user')?.content;
		if (words !== undefined) asked.push(words);
		if (words?.startsWith('Think')) await thought;
	});
	addModel(model);
	await model.listen({ host: '127.0.0.1', port: 0 });
	const { port } = model.server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/v1`;
	const openAi = await host.api.createCredential('openAiApi', 'OpenAI', { apiKey: 'any', url });
	workflowId = await publishExample({ ...host.credentials, openAi });
	for (const [name, play] of Object.entries(plays)) {
		played[name] = play();
		// Whose test it is will tell.
		played[name].catch(() => undefined);
	}
});

afterAll(async () => {
	await Promise.allSettled(Object.values(played));
	await host?.stop();
	await model?.close();
});

/** Imports the example as a person does who has followed its note: in the demo, where Ana is the colleague. */
async function publishExample(credentials: Parameters<typeof readWorkflow>[1]): Promise<string> {
	const draft = readWorkflow(join(projectFolder, 'examples', 'front-desk.json'), credentials);
	const note = draft.nodes.find(({ name }) => name === 'About')?.parameters.content;
	const path = /\/v1\/simulator-invention\/files\/\{\{.*?\}\}/.exec(String(note))?.[0];
	const fetchFile = draft.nodes.find(({ name }) => name === 'Fetch File')!;
	expect(fetchFile.parameters.path).toBe('');
	fetchFile.parameters.path = `=${path}`;
	const { id } = await host.api.createWorkflow(draft);
	await host.api.publish(id);
	return id;
}

/** Whoever has a chat with the number. */
interface Writer {
	id?: string;
	phone?: string;
}

const chatOf = ({ id, phone }: Writer) =>
	host.gateway.chats().find((chat) => (id === undefined ? chat.phone === phone : chat.id === id));

/** What the workflow has written to somebody. */
const sentTo = (who: Writer) =>
	(chatOf(who)?.messages ?? []).filter(({ fromMe, byHand }) => fromMe && !byHand);

const write = (who: Writer, text: string, as?: 'picture' | 'voice'): GatewayEvent =>
	host.gateway.write(text, who.id === undefined ? { ...who, as } : { chatId: who.id, as });

/** What somebody gets for an answer. */
async function ask(who: Writer, text: string, as?: 'picture' | 'voice'): Promise<string> {
	const { length } = sentTo(who);
	write(who, text, as);
	const answers = () => sentTo(who).length > length && sentTo(who);
	return (await waitFor(`an answer to ${text}`, answers, PATIENCE_MS))[length].text;
}

/** What the colleague is told of somebody. */
async function hearOf(text: string): Promise<string> {
	const heard = () => sentTo(ana).find((message) => message.text.includes(text));
	return (await waitFor(`word of ${text}`, heard, PATIENCE_MS)).text;
}

const ended = new Map<string, Execution>();

/** Waits for the end of the execution that a trigger has started with an event. */
async function endOf({ id }: GatewayEvent, trigger = 'Message Received'): Promise<Execution> {
	const isOf = (execution: Execution) =>
		outputOf(execution, trigger)
			.flat()
			.flatMap(({ json }) => (json.messages ?? [json]) as IDataObject[])
			.some(({ eventId }) => eventId === id);
	const find = async () => {
		for (const summary of (await host.api.listExecutions(workflowId)).filter(hasEnded))
			if (!ended.has(summary.id)) ended.set(summary.id, await host.api.getExecution(summary.id));
		return [...ended.values()].find(isOf);
	};
	return await waitFor(`the execution of ${id}`, find, PATIENCE_MS);
}

async function readRow(who: Writer): Promise<IDataObject | undefined> {
	const table = await openDataTable(host.api, 'gateway front desk');
	return (await table.readRows()).find(({ chat }) => String(chat).endsWith(`:${chatOf(who)?.id}`));
}

async function waitForRow(who: Writer, isThere: (row: IDataObject) => boolean): Promise<void> {
	const find = async () => {
		const row = await readRow(who);
		return row !== undefined && isThere(row);
	};
	await waitFor('the row', find, PATIENCE_MS);
}

const played: Record<string, Promise<unknown>> = {};

/** What everybody does, up to where a test can look at it. */
const plays = {
	remembers: async () => [
		await ask(bruno, `My name is Bruno. ${QUESTION}`),
		await ask(bruno, 'What is my name?'),
		await ask(bruno, 'New'),
		await ask(bruno, 'What is my name?'),
	],

	listens: async () => {
		// Of messages of one moment, the trigger has an order too.
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const first = write(carla, 'My name is Carla', 'voice');
		write(carla, 'I love your bread');
		const answer = ask(carla, 'What is my name?', 'voice');
		clock.mockRestore();
		return { first, answer: await answer, execution: await endOf(first) };
	},

	looks: async () => [await ask(eva, '', 'picture'), await ask(eva, 'Where are you?', 'picture')],

	fails: async () => {
		write(lucia, 'My order is 42');
		return [
			await ask(lucia, 'Please let the model fail', 'voice'),
			await hearOf('let the model fail'),
			await ask(lucia, QUESTION),
		];
	},

	handsOver: async () => {
		const answer = await ask(fabio, PERSON_WANTED);
		const told = await hearOf(PERSON_WANTED);
		const before = await readRow(fabio);
		await endOf(write(fabio, 'new'));
		const { length } = sentTo(fabio);
		host.gateway.writeAsOwner('This is Ana. How can I help?', fabio);
		await waitForRow(fabio, ({ silentUntil }) => String(silentUntil) > String(before?.silentUntil));
		await endOf(write(fabio, QUESTION));
		const silentAnswers = sentTo(fabio).slice(length);
		host.gateway.writeAsOwner(' #bot', fabio);
		await waitForRow(fabio, ({ silentUntil }) => Date.parse(String(silentUntil)) <= Date.now());
		return { answer, told, silentAnswers, afterwards: await ask(fabio, QUESTION) };
	},

	stops: async () => {
		const question = write(davi, `Think: ${QUESTION}`);
		await waitFor('the model to think', () => asked.includes(`Think: ${QUESTION}`), PATIENCE_MS);
		const stop = write(davi, 'Stop!');
		await waitForRow(davi, ({ stoppedChat }) => stoppedChat === davi.id);
		think();
		const { data } = await endOf(question);
		await endOf(stop);
		await endOf(write(davi, 'Are you there?'));
		return { sent: sentTo(davi), answered: Object.keys(data.resultData.runData) };
	},
};

it('knows the opening hours, remembers the conversation, and begins a new one', async () => {
	expect(await played.remembers).toEqual([
		`Nice to meet you, Bruno! ${HOURS}`,
		'You are Bruno.',
		'Let us begin again. What can I do for you?',
		'You have not told me your name yet.',
	]);
});

it('hears voice messages between texts, in the order in which they came, and answers once', async () => {
	const listened = (await played.listens) as Awaited<ReturnType<typeof plays.listens>>;
	expect(listened.answer).toBe('You are Carla.');
	const [{ json }] = outputOf(listened.execution, 'Message Received').flat();
	const words = (json.messages as IDataObject[]).map(
		({ text, eventId }) =>
			text ?? (eventId === listened.first.id ? 'My name is Carla' : 'What is my name?'),
	);
	expect(words).toHaveLength(3);
	expect(asked).toContain(words.join('\n'));
	expect(sentTo(carla)).toHaveLength(1);
});

it('says that it sees no pictures, and answers what is written below one', async () => {
	expect(await played.looks).toEqual([
		'I cannot see pictures and files. Please tell me in words what it is about.',
		'Address: Rua das Flores 120, Pinheiros.',
	]);
});

it('when the model fails, answers the person, tells the colleague all they wrote, and tries the next time', async () => {
	expect(await played.fails).toEqual([
		expect.stringContaining('I cannot answer right now'),
		expect.stringMatching(
			new RegExp(
				`could not answer ${lucia.phone}, who wrote:(?=.*\\nMy order is 42\\n).*\\nPlease let the model fail\\n.*The reason: `,
				's',
			),
		),
		HOURS,
	]);
});

it('hands over with a summary, is silent until the colleague is done, and goes on', async () => {
	expect(await played.handsOver).toEqual({
		answer: 'I have told a colleague, who will go on with you here.',
		told: expect.stringMatching(new RegExp(`take over the chat with ${fabio.phone}`)),
		silentAnswers: [],
		afterwards: HOURS,
	});
});

it('sends nothing after STOP, not even the answer that the model was thinking of', async () => {
	const { sent, answered } = (await played.stops) as Awaited<ReturnType<typeof plays.stops>>;
	expect(answered).toEqual(expect.arrayContaining(['Answer', 'Only if Not Stopped']));
	expect(sent).toEqual([]);
});

it('sends nothing to a colleague either who wrote STOP', async () => {
	await Promise.allSettled(Object.values(played));
	const { length } = sentTo(ana);
	write(ana, 'stop');
	await waitForRow(ana, ({ stoppedChat }) => stoppedChat === ana.id);
	await ask(lucia, 'Let the model fail again');
	const failed = (await host.api.listExecutions(workflowId)).filter(({ status }) =>
		['error', 'crashed'].includes(status),
	);
	expect(sentTo(ana)).toHaveLength(length);
	expect(failed).toEqual([]);
});
