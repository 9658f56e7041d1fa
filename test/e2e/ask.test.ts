import { publish } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { makeNumbers, PEOPLE } from '../../simulator';
import { to } from '../contract/document';
import {
	ANA,
	BRUNO,
	FAMILY,
	publishAsk,
	untilNothingIsLeft,
	untilOver,
	type OpenQuestion,
} from '../support/drafts/ask';
import { draftAnswering } from '../support/drafts/trigger';

const CARLA = PEOPLE[2].phone!;
const APPROVAL = { responseType: 'approval' };
const CHOICE = { responseType: 'choice', choices: 'Tomorrow\nOn Friday' };

let host: Host;

beforeAll(async () => {
	host = await startHost({
		gateway: { furtherNumbers: makeNumbers(1) },
	});
});

beforeEach(() => host.gateway.reset({ webhooks: true }));

afterEach(() => {
	const deferred = host.gateway.deliveries.filter(
		({ status, answer = '' }) => status === 503 && !answer.includes('not ready'),
	);
	expect(deferred).toEqual([]);
});

afterAll(async () => await host?.stop());

const numberOf = ({ sent }: OpenQuestion, label: 1 | 2 = 1) =>
	new RegExp(`^(\\d\\d${label})\\. `, 'm').exec(sent.text)![1];

/** Ana writes. Resolves when all deliveries of it are answered, with their number and statuses. */
async function write(words: string, writing: object = {}): Promise<Array<number | null>> {
	await host.gateway.drained();
	const { id } = host.gateway.write(words, { phone: ANA, ...writing });
	await host.gateway.drained();
	return host.gateway.deliveries.flatMap((each) => (each.eventId === id ? [each.status] : []));
}

const texts = () => host.gateway.acceptedSends().map(({ text }) => text);

describe('an approval', () => {
	it.each([
		['its number', (asked: OpenQuestion) => numberOf(asked), false, true],
		['its number and a sign', (asked: OpenQuestion) => `${numberOf(asked)}!`, false, true],
		['its number and label', (asked: OpenQuestion) => `${numberOf(asked, 2)}. No`, false, false],
		['its label in a quote', () => 'yes', true, true],
		['the other label in a quote', () => 'No.', true, false],
	])('counts by %s, at the first delivery', async (_what, compose, isQuoting, approved) => {
		const question = await (await publishAsk(host, APPROVAL)).ask('order 42');
		expect(question.sent.text).toMatch(/^Shall we\?\n\n(\d\d)1\. Yes\n\1[2]\. No$/);
		const { messageId } = question.sent;
		const words = compose(question);
		const quote = isQuoting ? { quotedMessageId: messageId } : {};
		expect(await write(words, quote)).toEqual([200]);
		expect(await question.answer()).toEqual({
			data: {
				...{ approved, text: words, messageId },
				messageType: 'TEXT',
				...{ responder: { id: PEOPLE[0].id }, chatId: PEOPLE[0].id },
				respondedAt: expect.any(String),
			},
			replyTo: PEOPLE[0].id,
			event: expect.objectContaining({ type: 'MESSAGE.RECEIVED' }),
			note: 'order 42',
		});
		await untilNothingIsLeft(host.gateway);
	});

	it('is listed once more after anything else, which decides nothing', async () => {
		const question = await (await publishAsk(host, APPROVAL)).ask();
		for (const words of ['yes', 'sure', '1', 'no']) expect(await write(words)).toEqual([200]);
		await waitFor('the second list', () => texts().length === 2);
		expect(texts()[1]).toBe(question.sent.text.split('\n\n')[1]);
		expect(await question.isOpen()).toBe(true);
		await write(numberOf(question, 2));
		expect(await question.answer()).toMatchObject({ data: { approved: false } });
		expect(texts()).toHaveLength(2);
	});

	it('has numbers of its own beside another one in the same chat', async () => {
		const workflow = await publishAsk(host, APPROVAL);
		const [first, second] = [await workflow.ask('first'), await workflow.ask('second')];
		await write('yes');
		expect([await first.isOpen(), await second.isOpen()]).toEqual([true, true]);
		await write(numberOf(second));
		expect(await second.answer()).toMatchObject({ note: 'second', data: { approved: true } });
		// Repeats and late numbers are nothing.
		await write(numberOf(second));
		await write(numberOf(second, 2));
		await write('no', { quotedMessageId: second.sent.messageId });
		expect(await first.isOpen()).toBe(true);
		await write(numberOf(first, 2));
		expect(await first.answer()).toMatchObject({ note: 'first', data: { approved: false } });
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(2);
	});

	it('counts neither in another chat, nor at another number, nor from before it', async () => {
		const question = await (await publishAsk(host, APPROVAL)).ask();
		const number = numberOf(question);
		const { instanceId } = host.gateway.furtherNumbers[0];
		await write(number, { phone: BRUNO });
		await write('yes', { phone: BRUNO, quotedMessageId: question.sent.messageId });
		await write(number, { instanceId });
		await write(number, { chatId: FAMILY });
		host.gateway.emit({
			type: 'MESSAGE.RECEIVED',
			timestamp: new Date(Date.now() - 3_600_000).toISOString(),
			data: { messageId: 'BEFORE', chat: PEOPLE[0], sender: PEOPLE[0], text: number },
		} as never);
		await host.gateway.drained();
		expect(await question.isOpen()).toBe(true);
		expect(texts()).toHaveLength(1);
		await write(number);
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
	});

	it('counts a message as it reads after an edit, and decides nothing twice', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host, APPROVAL);
		const question = await workflow.ask();
		// The webhook stays, so that n8n gets the last edit too.
		gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 422 } });
		const edit = async (text: string) => {
			const data = { messageId: 'EDITED', chat: PEOPLE[0], sender: PEOPLE[0], text };
			gateway.emit({ type: 'MESSAGE.RECEIVED', data } as never);
			await gateway.drained();
		};
		await edit('sure');
		expect(await question.isOpen()).toBe(true);
		await edit(numberOf(question));
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
		await edit(numberOf(question, 2));
		expect(gateway.deliveries.at(-1)).toMatchObject({
			webhookId: question.webhook().id,
			status: 200,
		});
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(1);
	});

	it('asks a group, and counts the person asked alone', async () => {
		const asked = { ...APPROVAL, to: to('list', FAMILY), options: { person: BRUNO } };
		const question = await (await publishAsk(host, asked)).ask();
		await write(numberOf(question), { chatId: FAMILY });
		await write('sure', { chatId: FAMILY, phone: BRUNO });
		expect(await question.isOpen()).toBe(true);
		await write(numberOf(question), { chatId: FAMILY, phone: BRUNO });
		expect(await question.answer()).toMatchObject({ data: { approved: true }, replyTo: FAMILY });
		expect(texts()).toHaveLength(1);
	});

	it('is asked, and asked again, by the number that the author chose', async () => {
		const { instanceId } = host.gateway.furtherNumbers[0];
		const question = await (await publishAsk(host, { ...APPROVAL, options: { instanceId } })).ask();
		expect(question.sent.instanceId).toBe(instanceId);
		await write(numberOf(question));
		expect(await question.isOpen()).toBe(true);
		await write('sure', { instanceId });
		await waitFor('the second list', () => texts().length === 2);
		expect(host.gateway.acceptedSends()[1].instanceId).toBe(instanceId);
		await write(numberOf(question), { instanceId });
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
	});
});

it('counts an approval by its number in Persian digits', async () => {
	const question = await (await publishAsk(host, APPROVAL)).ask();
	const persian = numberOf(question).replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)]);
	expect(await write(persian)).toEqual([200]);
	expect(await question.answer()).toMatchObject({ data: { approved: true, text: persian } });
});

describe('a choice', () => {
	it.each([
		['Arabic digits', '٢', 'Amanhã'],
		['a keycap', '2️⃣', 'Amanhã'],
		['Portuguese without accents', 'amanha', 'Amanhã'],
		['Turkish capitals', 'HAYIR', 'Hayır'],
		['another skin tone', '👍🏽', '👍'],
	])('counts in %s, at once', async (_what, words, choice) => {
		const choices = 'Hayır\nAmanhã\n👍';
		const question = await (await publishAsk(host, { responseType: 'choice', choices })).ask();
		expect(await write(words)).toEqual([200]);
		expect(await question.answer()).toMatchObject({ data: { choice, text: words } });
		expect(texts()).toHaveLength(1);
	});

	it.each<[string, string, object, string]>([
		['number', '2', {}, 'On Friday'],
		['words', 'tomorrow!', {}, 'Tomorrow'],
		['button', 'pressed', { buttonReplyId: '2' }, 'On Friday'],
	])('counts by its %s', async (_what, words, writing, choice) => {
		const question = await (await publishAsk(host, CHOICE)).ask();
		expect(question.sent.text).toBe('Shall we?\n\n1. Tomorrow\n2. On Friday');
		expect(await write(words, writing)).toEqual([200]);
		expect(await question.answer()).toMatchObject({ data: { choice } });
	});
});

it('takes the next message for a reply', async () => {
	const question = await (await publishAsk(host)).ask();
	await write('About something else', { quotedMessageId: 'another' });
	const [chat] = PEOPLE;
	for (const messageType of ['STICKER', 'REACTION', 'TEXT']) {
		const data = { messageId: messageType, chat, sender: chat, messageType };
		host.gateway.emit({ type: 'MESSAGE.RECEIVED', data } as never);
	}
	await host.gateway.drained();
	expect(await question.isOpen()).toBe(true);
	expect(await write('At eight')).toEqual([200]);
	expect(await question.answer()).toMatchObject({ data: { text: 'At eight' } });
});

it('goes on without an answer with the input, but for its data', async () => {
	const workflow = await publishAsk(host, {
		...APPROVAL,
		options: { limitWaitTime: { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } } },
	});
	await workflow.start([{ note: 'order 42', data: { approved: true } }]);
	await waitFor('the question', () => texts().length === 1);
	await host.gateway.drained();
	await untilOver(host.gateway);
	// n8n looks once a minute.
	const [{ id }] = await host.api.waitForExecutions(workflow.id, 1, 120_000);
	const saved = JSON.stringify((await host.api.getExecution(id)).data.resultData.runData.Next);
	expect(saved).toContain('order 42');
	expect(saved).not.toContain('approved');
});

it('keeps its answers from a bot beside it', async () => {
	const bot = await publish(host.api, draftAnswering(host, []));
	const carla = { phone: CARLA };
	const question = await (await publishAsk(host, { ...APPROVAL, to: to('phone', CARLA) })).ask();
	for (const words of ['sure', numberOf(question), 'thanks']) await write(words, carla);
	expect(await question.answer()).toMatchObject({ data: { approved: true } });
	await host.api.waitForExecutions(bot, 1);
	expect(texts().filter((text) => text.startsWith('Answer to'))).toEqual(['Answer to thanks']);
	await host.api.deleteWorkflow(bot);
});

it('refuses the 21st open question in words', async () => {
	const workflow = await publishAsk(host, APPROVAL);
	for (let open = 0; open < 20; open++) await workflow.ask();
	const { message } = await workflow.askInVain();
	expect(message).toMatch(
		/^20 questions are open, and at most 20 may be open at once. The message was not sent.$/,
	);
	expect(new Set(texts()).size).toBe(20);
	expect(texts()).toHaveLength(20);
});
