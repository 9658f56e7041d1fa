import { randomBytes, randomUUID } from 'node:crypto';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { PEOPLE } from '../../../simulator';
import { to } from '../../oracle/document';
import { ANA, publishAsk, untilNothingIsLeft, type OpenQuestion } from '../drafts/asking';
import { ANAS_CHAT, deliverMessage, tellQuestionSent, type Webhook } from '../drafts/messages';

// What counts as the answer to one question, and what does not.

let host: Host;

beforeAll(async () => {
	host = await startHost({
		n8n: {},
		gateway: {
			// When the gateway tells that a message has left the number, each test decides.
			statusDelaysMs: { sent: null, delivered: null, read: null },
			retryDelaysMs: Array<number>(200).fill(500),
		},
	});
});

beforeEach(() => {
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
});

const APPROVAL = { responseType: 'approval' };
const deliver = async (webhook: Webhook, data: object, others: object = {}) =>
	await deliverMessage(host, webhook, data, others);
const tellSent = async (question: OpenQuestion, chat: object) =>
	await tellQuestionSent(host, question, chat);

async function end(...questions: OpenQuestion[]): Promise<void> {
	for (const { executionId } of questions) await host.api.stopExecution(executionId);
}

describe('a message that quotes', () => {
	it('one of 14 questions answers none of the others, not even after a restart', async () => {
		const workflow = await publishAsk(host, APPROVAL);
		const questions: OpenQuestion[] = [];
		for (let order = 1; order <= 14; order++) questions.push(await workflow.ask(`order ${order}`));
		await host.n8n.restart();
		const quotedMessageId = questions[13].sent.messageId;
		host.gateway.write('yes', { phone: ANA, quotedMessageId });
		expect(await questions[13].answer()).toMatchObject({ approved: true });
		await host.gateway.drained();
		const open = await Promise.all(questions.map(async (question) => await question.isOpen()));
		expect(open).toEqual([...Array<boolean>(13).fill(true), false]);
		await end(...questions.slice(0, 13));
	}, 180_000);

	it('another message answers no question, and one that quotes none does', async () => {
		const question = await (await publishAsk(host, APPROVAL)).ask();
		const webhook = question.webhook();
		await tellSent(question, ANAS_CHAT);
		expect(await deliver(webhook, { quotedMessageId: 'LUNCH', text: 'ok' })).toBe(200);
		expect(await question.isOpen()).toBe(true);
		expect(await deliver(webhook, { text: 'ok' })).toBe(200);
		expect(await question.answer()).toMatchObject({ approved: true });
		await untilNothingIsLeft(host.gateway);
	});

	it('anything answers no question whose message nobody knows', async () => {
		const workflow = await publishAsk(host, APPROVAL);
		host.gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: 'cutAfter' });
		const question = await workflow.ask();
		const webhook = question.webhook();
		const old = new Date(Date.now() - 3_600_000).toISOString();
		expect(await deliver(webhook, {}, { timestamp: old })).toBe(200);
		expect(await deliver(webhook, { quotedMessageId: question.sent.messageId })).toBe(200);
		expect(await question.isOpen()).toBe(true);
		expect(await deliver(webhook, {})).toBe(200);
		expect(await question.answer()).toMatchObject({ approved: true });
		await untilNothingIsLeft(host.gateway);
	});

	it('is not waited for where nobody knows the message that it would have to quote', async () => {
		const options = { requireQuotedReply: true };
		const workflow = await publishAsk(host, { ...APPROVAL, options });
		host.gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: 'cutAfter' });
		const { message } = await workflow.askInVain();
		expect(message).toMatch(/may have been sent/);
		await untilNothingIsLeft(host.gateway);
	});
});

describe('an old yes approves nothing', () => {
	const MINUTE_MS = 60_000;

	it.each([
		['does not say when it made the webhook', undefined],
		['is seven minutes fast', 7 * MINUTE_MS],
		['is seven minutes slow', -7 * MINUTE_MS],
	])('where the gateway %s', async (_what, offMs) => {
		const { gateway } = host;
		const secret = `whsec_${randomBytes(24).toString('base64')}`;
		const createdAt = offMs === undefined ? undefined : new Date(Date.now() + offMs).toISOString();
		gateway.faults.add({
			match: { method: 'POST', path: '/v1/webhooks' },
			fault: { status: 201, body: { data: { id: randomUUID(), secret, createdAt } } },
		});
		const question = await (await publishAsk(host, APPROVAL)).ask();
		const [{ body }] = gateway.requests.filter(
			({ method, path }) => method === 'POST' && path === '/v1/webhooks',
		);
		const webhook = { url: (body as { url: string }).url, secret };
		const sent = { messageId: question.sent.messageId, chat: ANAS_CHAT, fromMe: true };
		expect(await deliver(webhook, sent, { type: 'MESSAGE.SENT' })).toBe(200);
		const at = (ago: number) => ({ timestamp: new Date(Date.now() - ago).toISOString() });
		expect(await deliver(webhook, {}, at(60 * MINUTE_MS))).toBe(200);
		expect(await deliver(webhook, {}, at(6 * MINUTE_MS))).toBe(200);
		expect(await deliver(webhook, {}, { timestamp: undefined })).toBe(200);
		expect(await question.isOpen()).toBe(true);
		expect(await deliver(webhook, {}, at(0))).toBe(200);
		expect(await question.answer()).toMatchObject({ approved: true });
	});
});

describe('an answer that comes before the gateway has told where the question is', () => {
	const HIDDEN = { id: PEOPLE[0].id, type: 'CONTACT' };

	it('to another number of the account approves nothing', async () => {
		const question = await (await publishAsk(host, APPROVAL)).ask();
		const webhook = question.webhook();
		const toAnother = { instanceId: 'inst_another' };
		expect(await deliver(webhook, {}, toAnother)).toBe(503);
		expect(await question.isOpen()).toBe(true);
		await tellSent(question, ANAS_CHAT);
		expect(await deliver(question.webhook(), {}, toAnother)).toBe(200);
		expect(await question.isOpen()).toBe(true);
		expect(await deliver(question.webhook(), {})).toBe(200);
		expect(await question.answer()).toMatchObject({ approved: true });
		await untilNothingIsLeft(host.gateway);
	});

	it.each<[string, ReturnType<typeof to>, object, object]>([
		[
			'from a Mexican number with its 1',
			to('phone', '+52 55 1234 5678'),
			{ id: '5215512345678@c.us', type: 'CONTACT', phone: '5215512345678' },
			{},
		],
		[
			'from an Argentinian number with its 9',
			to('phone', '+54 11 2345 6789'),
			{ id: '5491123456789@c.us', type: 'CONTACT', phone: '5491123456789' },
			{},
		],
		['under another ID', to('id', `${ANA}@c.us`), ANAS_CHAT, {}],
		[
			'from a hidden number, long after the question',
			to('phone', ANA),
			HIDDEN,
			{ timestamp: new Date(Date.now() + 240_000).toISOString() },
		],
	])('%s is asked for again until then', async (_whose, recipient, chat, others) => {
		const question = await (await publishAsk(host, { ...APPROVAL, to: recipient })).ask();
		const webhook = question.webhook();
		expect(await deliver(webhook, { chat }, others)).toBe(503);
		expect(await deliver(webhook, { chat, quotedMessageId: 'LUNCH' }, others)).toBe(200);
		expect(await question.isOpen()).toBe(true);
		await tellSent(question, chat);
		expect(
			await deliver(question.webhook(), { chat: { ...chat, id: 'else@lid', phone: undefined } }),
		).toBe(200);
		expect(await question.isOpen()).toBe(true);
		expect(await deliver(question.webhook(), { chat }, others)).toBe(200);
		expect(await question.answer()).toMatchObject({ approved: true });
		await untilNothingIsLeft(host.gateway);
	});

	it('is said in the log once where nobody will ever tell', async () => {
		const workflow = await publishAsk(host, APPROVAL);
		host.gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: 'cutAfter' });
		const question = await workflow.ask();
		const webhook = question.webhook();
		for (const text of ['yes', 'yes!'])
			expect(await deliver(webhook, { chat: HIDDEN, text })).toBe(200);
		const about = `may be the answer to the question of webhook ${webhook.id}`;
		expect(host.n8n.log().split(about)).toHaveLength(2);
		expect(await question.isOpen()).toBe(true);
		await end(question);
	});
});

it.each([
	['A+\nA-\nO+\nO-', 'O-', 'O-'],
	['Avó\nAvô', 'Avô', 'Avô'],
	['C++\nC#', 'C#', 'C#'],
	['+\n-', '-', '-'],
	['2 people\n3 people\n4 people', '3', '3 people'],
])('a choice of %j is read from %j as it was typed', async (choices, text, choice) => {
	const question = await (await publishAsk(host, { responseType: 'choice', choices })).ask();
	expect(await deliver(question.webhook(), { text })).toBe(200);
	expect(await question.answer()).toMatchObject({ choice });
	await untilNothingIsLeft(host.gateway);
});

it('"ok?" is no approval', async () => {
	const question = await (await publishAsk(host, APPROVAL)).ask();
	for (const text of ['ok?', 'Pode?', '~yes~', '-1', 'yes 🛑'])
		expect(await deliver(question.webhook(), { text })).toBe(200);
	expect(await question.isOpen()).toBe(true);
	await end(question);
});

describe('Ask Again', () => {
	const parameters = {
		responseType: 'choice',
		choices: 'Red\nBlue',
		options: { askAgain: { values: { text: 'A number, please.', maxAttempts: 2 } } },
	};
	const countSends = () => host.gateway.acceptedSends().length - 1;

	it('counts on after a restart of n8n', async () => {
		const question = await (await publishAsk(host, parameters)).ask();
		await deliver(question.webhook(), { text: 'Green' });
		await waitFor('the first time', () => countSends() === 1);
		await host.n8n.restart();
		await deliver(question.webhook(), { text: 'Green!' });
		await waitFor('the second time', () => countSends() === 2);
		await host.n8n.restart();
		await deliver(question.webhook(), { text: 'Green?' });
		await deliver(question.webhook(), { text: 'Blue' });
		expect(await question.answer()).toMatchObject({ choice: 'Blue' });
		await untilNothingIsLeft(host.gateway);
		expect(countSends()).toBe(2);
	}, 180_000);

	it('keeps to the rate limit of the question', async () => {
		const options = { ...parameters.options, messagesPerMinute: 6 };
		const question = await (await publishAsk(host, { ...parameters, options })).ask();
		await deliver(question.webhook(), { text: 'Green' });
		await waitFor('the first time', () => countSends() === 1);
		const [asked, again] = host.gateway.requests
			.filter(({ path }) => path === '/v1/messages/send-text')
			.map(({ startedAt }) => startedAt);
		// A timer may be early.
		expect(again - asked).toBeGreaterThanOrEqual(10_000 - 10);
		await end(question);
	});

	it('waits where the gateway wants a pause', async () => {
		const { gateway } = host;
		const question = await (await publishAsk(host, parameters)).ask();
		gateway.faults.add({
			match: { text: 'A number, please.' },
			fault: { status: 429, headers: { 'retry-after': '2' } },
		});
		await deliver(question.webhook(), { text: 'Green' });
		await waitFor('the first time', () => countSends() === 1);
		await end(question);
	});
});
