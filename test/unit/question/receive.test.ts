import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import {
	noteArrival,
	openAccount,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { noteExecution } from '../../../nodes/MessagingGateway/question/parking';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { ANA, deletions, message, MINUTE, startWaiting } from './waiting';

// What waits for a list of webhooks gives up after seconds: nobody is to wait for that.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

describe('the answer', () => {
	it('resumes the execution, and only then the webhook goes', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		const event = message('On Friday');
		const { item, told, goOn } = await deliver(event);
		expect(told).toBe('Received');
		expect(item).toEqual({ answered: true, text: 'On Friday', chatInput: 'On Friday', event });
		expect(deletions(requests)).toEqual([]);
		goOn();
		await waitFor('the webhook to go', () => deletions(requests).length > 0, 5_000);
		expect(deletions(requests)[0].what).toBe(`DELETE /v1/webhooks/${webhookId}`);
	});

	it('counts once: its repeat is deferred while n8n goes on, and another comes too late', async () => {
		const { deliver } = startWaiting();
		const first = message('On Friday');
		const { goOn } = await deliver(first);
		expect(await deliver(first)).toMatchObject({ told: 503, item: undefined });
		expect(await deliver(message('Or Monday'))).toMatchObject({
			told: 'Answered already',
			item: undefined,
		});
		goOn();
	});

	it('is taken where the credential cannot be read, which keeps its webhook for now', async () => {
		const { deliver, getCredentials, requests, said } = startWaiting();
		getCredentials.mockRejectedValue(new Error('The vault does not answer'));
		const { told, goOn } = await deliver(message('On Friday'));
		expect(told).toBe('Received');
		goOn();
		await waitFor('the log', () => said.length > 0, 5_000);
		expect(said[0]).toMatch(/could not be deleted yet: The vault does not answer/);
		expect(deletions(requests)).toEqual([]);
	});

	it('lets its webhook go also where the credential cannot be read any more', async () => {
		const { deliver, getCredentials, requests } = startWaiting();
		const { goOn } = await deliver(message('On Friday'));
		getCredentials.mockRejectedValue(new Error('The vault does not answer'));
		goOn();
		await waitFor('the webhook to go', () => deletions(requests).length > 0, 5_000);
	});

	it('is known for taken once n8n goes on, and not before', async () => {
		const { deliver, gateway } = startWaiting();
		const account = await openAccount(gateway as unknown as IWebhookFunctions);
		const event = message('On Friday');
		const isTaken = () => account.looks.at(event as never).isTaken;
		const { goOn } = await deliver(event);
		expect(isTaken()).toBe(false);
		goOn();
		expect(isTaken()).toBe(true);
	});

	it('ends the question for its account, also where the credential cannot be read', async () => {
		const { gateway } = startWaiting();
		const account = await openAccount(gateway as unknown as IWebhookFunctions);
		const { deliver, getCredentials, question, webhookId } = startWaiting({
			account: account.fingerprint,
		});
		getCredentials.mockRejectedValue(new Error('The vault does not answer'));
		account.note(webhookId, { to: question.to, until: question.until, url: 'url' });
		const next = message('And now?');
		const isWaitedFor = () =>
			account.findAnswered(next as never).some(({ id }) => id === webhookId);
		const { goOn } = await deliver(message('On Friday'));
		expect(isWaitedFor()).toBe(true);
		goOn();
		expect(isWaitedFor()).toBe(false);
	});

	it('is the person’s text, also where a button was pressed', async () => {
		const { deliver } = startWaiting();
		const { item } = await deliver(message('The blue one', { buttonReply: { id: 'blue' } }));
		expect(item).toMatchObject({ text: 'The blue one' });
	});

	it('that a trigger forwards is a copy: the same event goes to others as well', async () => {
		const { deliver, gateway, webhookId } = startWaiting();
		const account = await openAccount(gateway as unknown as IWebhookFunctions);
		const event = message('On Friday');
		const told = account.forwarding.begin(webhookId, event as never);
		const { item } = await deliver(JSON.parse(told) as IDataObject, {
			secret: account.forwardSecret,
		});
		expect(item?.event).toEqual(event);
		expect(item?.event).not.toBe(event);
		expect((item?.event as IDataObject).data).not.toBe(event.data);
	});

	it('comes again where it could not be processed', async () => {
		const { deliver, question, said } = startWaiting({ type: 'choice' });
		const broken = { ...question, labels: null };
		expect(await deliver(message('Red'), { kept: broken })).toMatchObject({ told: 503 });
		expect(said).toEqual(['Messaging Gateway: a delivery to a question could not be processed']);
	});

	it('that n8n could not take leaves the question open', async () => {
		const { deliver, requests } = startWaiting();
		(await deliver(message('On Friday'))).goOn(500);
		expect(deletions(requests)).toEqual([]);
		expect(await deliver(message('Or Monday'))).toMatchObject({ told: 'Received' });
	});

	const approval: Partial<Question> = { type: 'approval', labels: ['Yes', 'No'] };
	it.each<[string, Partial<Question>, IDataObject, IDataObject]>([
		['yes', approval, message('Yes'), { text: 'Yes', approved: true, chatInput: 'Yes' }],
		['no', approval, message('no'), { text: 'no', approved: false, chatInput: 'no' }],
		[
			'a choice',
			{ type: 'choice', labels: ['Red', 'Blue'] },
			message('2'),
			{ text: '2', choice: 'Blue', chatInput: '2' },
		],
		[
			'a button without a text',
			{ type: 'choice', labels: ['Red', 'Blue'] },
			message(undefined, { buttonReply: { id: 'Blue' } }),
			{ text: 'Blue', choice: 'Blue', chatInput: 'Blue' },
		],
		[
			'a reviewer’s yes, of which the model hears nothing else',
			{ ...approval, isReview: true },
			message('Yes'),
			{ text: 'Yes', approved: true },
		],
		[
			'what a reviewer writes instead',
			{ ...approval, isReview: true },
			message('Only half of it'),
			{ text: 'Only half of it', approved: false, chatInput: 'Only half of it' },
		],
	])('gives %s', async (_what, asked, event, given) => {
		const { deliver } = startWaiting(asked);
		const { item } = await deliver(event, { query: { chat: ANA.id } });
		expect(item).toEqual({ answered: true, ...given, event });
	});
});

describe('an approval', () => {
	const approval: Partial<Question> = { type: 'approval', labels: ['Yes', 'No'] };
	const place = { query: { chat: ANA.id } };

	it('is to be quoted where another question is open, which the person is told once', async () => {
		const other = `https://n8n.example.com/webhook-waiting/8/node?asked=${ANA.phone}&until=${Date.now() + MINUTE}&signature=x`;
		const stood = startWaiting(approval, ({ method, url }) => {
			if ((method ?? 'GET') !== 'GET' || !url.includes('/webhooks')) return undefined;
			const data = ['wh_8', stood.webhookId].map((id) => ({ id, url: other }));
			return { status: 200, body: { data } };
		});
		const { deliver, question, requests } = stood;
		for (let times = 0; times < 2; times++)
			expect(await deliver(message('Yes'), place)).toMatchObject({
				told: 'To be quoted',
				item: undefined,
			});
		const sent = () => requests.filter(({ what }) => what.startsWith('POST '));
		await waitFor('the person to be told', () => sent().length > 0, 5_000);
		// Nor by the other one, when that gets the next yes.
		const second = { ...question, webhookId: 'wh_8' };
		expect(await deliver(message('Yes'), { ...place, kept: second })).toMatchObject({
			told: 'To be quoted',
		});
		expect(sent()).toHaveLength(1);
		expect(sent()[0].body).toMatchObject({ to: ANA.id, text: expect.stringContaining('quote') });
	});

	it('is deferred where nobody can tell which questions are open', async () => {
		const { deliver } = startWaiting(approval, () => ({ status: 502 }));
		expect(await deliver(message('Yes'), place)).toMatchObject({ told: 503, item: undefined });
	});

	it('of one message decides one question alone', async () => {
		const { deliver, question } = startWaiting(approval);
		const event = message('Yes', { quotedMessageId: 'Q1' });
		await deliver(event, place);
		const second = { ...question, webhookId: 'wh_second' };
		expect(await deliver(event, { ...place, kept: second })).toMatchObject({
			told: 'To be quoted',
			item: undefined,
		});
	});
});

describe('what is no answer', () => {
	it('a picture without a word tells an agent nothing', async () => {
		const { deliver } = startWaiting({ type: 'approval', labels: ['Yes', 'No'], isReview: true });
		for (const text of [undefined, ' '])
			expect(await deliver(message(text))).toMatchObject({
				told: 'Not the answer',
				item: undefined,
			});
	});

	it('another message that the number has sent changes nothing', async () => {
		const { deliver, requests } = startWaiting();
		const sent = { ...message('Hi', { fromMe: true }), type: 'MESSAGE.SENT' };
		expect(await deliver(sent)).toMatchObject({ told: 'Not the answer', item: undefined });
		expect(requests).toEqual([]);
	});

	it.each<[string, IDataObject, string | number]>([
		[
			'a message of somebody else',
			{ chat: { id: '2@lid', phone: '5521900000002' } },
			'Not the answer',
		],
		['a message that quotes another one', { quotedMessageId: 'other' }, 'Not the answer'],
		['a message of the number itself', { fromMe: true }, 'Not the answer'],
	])('%s leaves the execution waiting', async (_what, data, told) => {
		const { deliver, requests } = startWaiting();
		expect(await deliver(message('On Friday', data))).toMatchObject({ told, item: undefined });
		expect(requests).toEqual([]);
	});

	it('is refused where it is not signed, or nobody is asked', async () => {
		const { deliver } = startWaiting();
		const secret = `whsec_${Buffer.alloc(32, 'nobody').toString('base64')}`;
		expect(await deliver(message('Hi'), { secret })).toMatchObject({ told: 401, item: undefined });
		expect(await deliver(message('Hi'), { kept: null })).toMatchObject({ told: 401 });
	});

	it('to an earlier question of the execution needs nothing', async () => {
		const { deliver, question } = startWaiting();
		expect(await deliver(message('Hi'), { until: question.until - 1 })).toMatchObject({
			told: 'No action required',
			item: undefined,
		});
	});

	it('is deferred if it cannot be processed, which the log says', async () => {
		const { deliver, said } = startWaiting({ labels: undefined, type: 'choice' });
		expect(await deliver(message('Red'))).toMatchObject({ told: 503, item: undefined });
		expect(said).toEqual(['Messaging Gateway: a delivery to a question could not be processed']);
	});
});

describe('a reply that fits nothing', () => {
	const choice: Partial<Question> = { type: 'choice', labels: ['Red', 'Blue'] };
	const askAgain = { text: 'Red or blue?', maxAttempts: 1 };

	it('is asked about as often as wanted, and the webhook holds the count', async () => {
		const { deliver, requests, webhookId } = startWaiting({ ...choice, askAgain });
		const unclear = message('Green');
		expect(await deliver(unclear)).toMatchObject({ told: 'Asked again', item: undefined });
		await waitFor('the person to be asked again', () => requests.length > 1, 5_000);
		expect(requests.map(({ what }) => what)).toEqual([
			`PATCH /v1/webhooks/${webhookId}`,
			'POST /v1/messages/send-text',
		]);
		expect(String(requests[0].body.url)).toContain('&again=1');
		expect(requests[1].body).toEqual({ to: ANA.id, text: 'Red or blue?' });
		expect(await deliver(unclear)).toMatchObject({ told: 'Not the answer' });
		expect(await deliver(message('Yellow'))).toMatchObject({ told: 'Not the answer' });
		expect(requests).toHaveLength(2);
		expect(await deliver(message('Blue'))).toMatchObject({ told: 'Received' });
	});

	it('is left alone if nobody wants to ask again', async () => {
		const { deliver, requests } = startWaiting(choice);
		expect(await deliver(message('Green'))).toMatchObject({ told: 'Not the answer' });
		expect(requests).toEqual([]);
	});

	it('is asked about in vain where the gateway does not send, which the log says', async () => {
		const { deliver, said } = startWaiting({ ...choice, askAgain }, ({ method }) =>
			method === 'POST' ? { status: 400, body: { message: 'No' } } : undefined,
		);
		await deliver(message('Green'));
		await waitFor('the log', () => said.length > 0, 5_000);
		expect(said[0]).toMatch(/the person asked could not be written to again: /);
	});
});

describe('who wrote, nobody can tell', () => {
	/** From a chat whose phone the network hides. */
	const hidden = { chat: { id: '9@lid' }, sender: { id: '9@lid' } };

	it('until the gateway tells where the question went: it is deferred, and said after a minute once', async () => {
		const late = startWaiting();
		for (let times = 0; times < 2; times++)
			expect(await late.deliver(message('Hi', hidden))).toMatchObject({ told: 503 });
		expect(late.said).toHaveLength(1);
		expect(late.said[0]).toContain('The gateway has not sent MESSAGE.SENT for the question yet');

		const fresh = startWaiting({ askedAt: Date.now() - 1_000 });
		expect(await fresh.deliver(message('Hi', hidden))).toMatchObject({ told: 503 });
		expect(fresh.said).toEqual([]);
	});

	it('which is said again of the next question that waits behind the same webhook', async () => {
		const { deliver, question, said } = startWaiting();
		await deliver(message('Hi', hidden));
		const until = question.until + 1;
		await deliver(message('Hi', hidden), { until, kept: { ...question, until } });
		expect(said).toHaveLength(2);
	});

	it('ever, where the message of the question is not known: it does not count, which is said once', async () => {
		const { deliver, said } = startWaiting({ messageId: undefined });
		for (let times = 0; times < 2; times++)
			expect(await deliver(message('Hi', hidden))).toMatchObject({ told: 'Not the answer' });
		expect(said).toHaveLength(1);
		expect(said[0]).toContain('Such messages do not count as the answer.');
	});

	it('ever, where another chat is known to be that of the question: it does not count, which is said once', async () => {
		const { deliver, said } = startWaiting();
		const query = { chat: '5511900000001@c.us' };
		for (let times = 0; times < 2; times++)
			expect(await deliver(message('Hi', hidden), { query })).toMatchObject({
				told: 'Not the answer',
			});
		expect(said).toEqual([expect.stringContaining('Such messages do not count as the answer.')]);
	});

	it('once MESSAGE.SENT has named the chat, in which the answer then counts', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		const sent = {
			id: 'evt_sent',
			type: 'MESSAGE.SENT',
			instanceId: 'inst_1',
			data: { messageId: 'Q1', chat: hidden.chat },
		};
		expect(await deliver(sent)).toMatchObject({ told: 'Noted', item: undefined });
		expect(requests.map(({ what }) => what)).toEqual([`PATCH /v1/webhooks/${webhookId}`]);
		const { url, events } = requests[0].body;
		expect(Object.fromEntries(new URL(String(url)).searchParams)).toMatchObject({
			asked: ANA.phone,
			chat: hidden.chat.id,
			instance: 'inst_1',
		});
		expect(events).toEqual(['MESSAGE.RECEIVED']);
		expect(await deliver({ ...message('Hi', hidden), instanceId: 'inst_1' })).toMatchObject({
			told: 'Received',
		});
	});
});

describe('where and when it was asked, the question', () => {
	const sent = () => ({
		id: 'evt_sent',
		type: 'MESSAGE.SENT',
		timestamp: new Date().toISOString(),
		data: { messageId: 'Q1', chat: { id: '9@lid' } },
	});
	/** Its gateway changes webhooks as told at the moment. */
	function askWhere(state: { status: number | 'cut off' }) {
		return startWaiting({}, ({ method }) => {
			if (method !== 'PATCH') return undefined;
			if (state.status === 'cut off') throw new Error('Cut off');
			return { status: state.status };
		});
	}

	it.each([429, 503, 'cut off'] as const)(
		'is told again until its webhook can note it: %s',
		async (status) => {
			const state: Parameters<typeof askWhere>[0] = { status };
			const { deliver, requests } = askWhere(state);
			const event = sent();
			expect(await deliver(event)).toMatchObject({ told: 503, item: undefined });
			state.status = 200;
			expect(await deliver(event)).toMatchObject({ told: 'Noted' });
			expect(String(requests.at(-1)?.body.url)).toContain('&chat=9%40lid');
		},
	);

	it('is told again for two minutes at most', async () => {
		const { deliver } = askWhere({ status: 503 });
		const event = sent();
		expect(await deliver(event)).toMatchObject({ told: 503 });
		jest.setSystemTime(Date.now() + 2 * MINUTE - 1);
		expect(await deliver(event)).toMatchObject({ told: 503 });
		jest.setSystemTime(Date.now() + 1);
		expect(await deliver(event)).toMatchObject({ told: 'Noted' });
	});

	it('is told once where the gateway changes no webhooks', async () => {
		const { deliver } = askWhere({ status: 405 });
		expect(await deliver(sent())).toMatchObject({ told: 'Noted' });
	});

	it('knows at once, whether its webhook can note it or not', async () => {
		const { deliver } = askWhere({ status: 503 });
		expect(await deliver(sent())).toMatchObject({ told: 503 });
		const answer = message('Hi', { chat: { id: '9@lid' }, sender: { id: '9@lid' } });
		expect(await deliver(answer)).toMatchObject({ told: 'Received' });
	});
});

describe('where a trigger forwards the messages of the account', () => {
	const [PARKED, DELIVERED] = [['QRCODE.UPDATED'], ['MESSAGE.RECEIVED']];
	const again = { text: 'Red or blue?', maxAttempts: 1 };

	async function forward(...[asked, answers]: Parameters<typeof startWaiting>) {
		const stood = startWaiting(asked, answers);
		const account = await openAccount(stood.gateway as unknown as IWebhookFunctions);
		account.memory.listsAll = true;
		const noteParked = async () => await Promise.resolve(true);
		setForwarder(account.fingerprint, account, { isProven: true, noteParked });
		noteArrival(account.fingerprint);
		noteExecution({ getMode: () => 'webhook' });
		return { ...stood, account };
	}

	it.each([
		['once its chat is known', { chat: { id: '9@lid' } }, PARKED],
		['not while nobody knows that', {}, DELIVERED],
	])('the question is parked when its message was sent: %s', async (_when, data, events) => {
		const { deliver, requests } = await forward();
		const sent = {
			id: 'evt_sent',
			type: 'MESSAGE.SENT',
			timestamp: new Date().toISOString(),
			data: { messageId: 'Q1', ...data },
		};
		expect(await deliver(sent)).toMatchObject({ told: 'Noted' });
		expect(requests).toMatchObject([{ body: { events } }]);
	});

	it.each([
		['once its chat is known', { chat: ANA.id }, PARKED],
		['not while nobody knows that', { left: String(Date.now()) }, DELIVERED],
		['nor while it may not have left yet', {}, [...DELIVERED, 'MESSAGE.SENT']],
	])('the question is parked when the person is asked again: %s', async (_when, query, events) => {
		const asked: Partial<Question> = { type: 'choice', labels: ['Red'], askAgain: again };
		const { deliver, requests } = await forward(asked);
		expect(await deliver(message('Green'), { query })).toMatchObject({ told: 'Asked again' });
		await waitFor('the count to be kept', () => requests.length > 1, 5_000);
		expect(requests[0].body).toMatchObject({ events });
	});

	it('a message that quotes the question is forwarded to it alone, also after a restart', async () => {
		const { deliver, account, webhookId } = await forward();
		await deliver(message('Hi', { fromMe: true }));
		account.note('wh_other', { to: '5511900000002', until: Infinity, url: 'other' });
		account.park(webhookId, 'url');
		const event = message('Hi', { chat: { id: '9@lid' }, quotedMessageId: 'Q1' });
		expect(account.findAnswered(event as never)).toMatchObject([{ id: webhookId }]);
	});
});

describe('a delivery to a parked webhook', () => {
	const pairing = { id: 'evt_qr', type: 'QRCODE.UPDATED', data: {} };

	it('lets the gateway deliver the messages to it again', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		expect(await deliver(pairing, { query: { chat: ANA.id } })).toMatchObject({
			told: 'Noted',
			item: undefined,
		});
		expect(requests).toMatchObject([
			{ what: `PATCH /v1/webhooks/${webhookId}`, body: { events: ['MESSAGE.RECEIVED'] } },
		]);
	});

	it('is repeated as long as the gateway does not', async () => {
		const { deliver } = startWaiting({}, () => ({ status: 502 }));
		expect(await deliver(pairing)).toMatchObject({ told: 503, item: undefined });
	});
});
