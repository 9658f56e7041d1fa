import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { WebhookContext } from 'n8n-core';
import type { ICredentialsHelper } from 'n8n-workflow';
import { waitFor } from '../../../lab/host/waiting';
import { groupIdAt, PEOPLE } from '../../../lab/simulator';
import { phoneKeyOf } from '../../../nodes/MessagingGateway/values/phone';
import { to } from '../../contract/document';
import { gateway } from '../../support/engineAndGateway';
import { compare, previewsOf, readPreview } from '../../support/previews';
import { forgetProcess, publish } from '../../support/receiving';
import { ANA, ask, refusal, refuseNext, tryToAsk, write, type Asked } from './waitingExecutions';

const BRUNO = PEOPLE[1].phone!;
const MINUTE = 60_000;
const APPROVAL = { responseType: 'approval' };
const SEND = { path: '/v1/messages/send-text' };
const CHOICE = { responseType: 'choice', choices: 'Red\nBlue' };

afterEach(() => void jest.restoreAllMocks());

/** The warnings that nodes write into n8n's log, until the test calls `jest.restoreAllMocks`. */
function watchWarnings(): jest.Mock<void, [string]> {
	const warn = jest.fn<void, [string]>();
	const context = Object.getPrototypeOf(WebhookContext.prototype) as { logger: object };
	jest.spyOn(context, 'logger', 'get').mockReturnValue({ warn, error: warn });
	return warn;
}

const numberOf = ({ sent }: Asked, label: 1 | 2 = 1) =>
	new RegExp(`(\\d{3}${label})\\.`).exec(sent)![1];

it('resumes with the answer, at its first delivery, and deletes the webhook', async () => {
	const asked = await ask(APPROVAL);
	const from = Date.now();
	expect(await write(`${numberOf(asked)}!`)).toEqual([200]);
	const { data, ...beside } = asked.answer() as { data: { respondedAt: string } };
	expect(data).toEqual({
		approved: true,
		text: `${numberOf(asked)}!`,
		messageType: 'TEXT',
		responder: { id: PEOPLE[0].id, phone: `+${ANA}`, personKey: phoneKeyOf(ANA) },
		chatId: PEOPLE[0].id,
		messageId: asked.messageId,
		respondedAt: expect.any(String),
	});
	expect(Date.parse(data.respondedAt)).toBeGreaterThanOrEqual(from);
	expect(beside).toEqual({
		replyTo: PEOPLE[0].id,
		event: expect.objectContaining({ type: 'MESSAGE.RECEIVED' }),
	});
	await waitFor('the webhook to go', () => gateway.webhooks().length === 0);
});

describe.each(['MESSAGE.SENT', 'NOTHING'])(
	'while the gateway delivers no %s, a question',
	(type) => {
		const image = { text: undefined, messageType: 'IMAGE' };
		const carla = { id: 'carla@lid', phone: PEOPLE[2].phone };

		it.each([
			['Require Text', { requireText: true }, image, undefined],
			['Require Quoted Reply', { requireQuotedReply: true }, { quotedMessageId: null }, undefined],
			['Person Asked', { person: BRUNO }, { sender: carla }, undefined],
			['Number', {}, {}, 'inst_another'],
		])('keeps to %s, and takes the answer at its first delivery', async (...row) => {
			const [, chosen, wrong, elsewhere] = row;
			gateway.setDelivery({ drop: [type] });
			const { instanceId } = gateway;
			const group = { id: groupIdAt(0), type: 'GROUP' };
			const asking = { to: to('id', group.id) as never, options: { instanceId, ...chosen } };
			const asked = await ask(asking, {}, { instanceId });
			await gateway.drained();
			forgetProcess();
			const sender = { id: 'bruno@lid', phone: BRUNO, name: 'Bruno' };
			const { messageId } = asked;
			const data = {
				messageId: 'M1',
				quotedMessageId: messageId,
				chat: group,
				sender,
				text: 'Yes',
			};
			const deliver = async (others: object, at = instanceId) => {
				gateway.emit({ type: 'MESSAGE.RECEIVED', instanceId: at, data: { ...data, ...others } });
				await gateway.drained();
				return asked.answer();
			};
			expect(await deliver(wrong, elsewhere)).toBeUndefined();
			const responder = {
				id: 'bruno@lid',
				name: 'Bruno',
				phone: `+${BRUNO}`,
				personKey: phoneKeyOf(BRUNO),
			};
			const found = { data: { responder, chatId: group.id, messageType: 'TEXT' }, event: { data } };
			expect(await deliver({})).toMatchObject(found);
			expect(gateway.deliveries.filter(({ status }) => status !== 200)).toEqual([]);
		});
	},
);

it('keeps the webhook if n8n cannot go on, and takes the answer when it comes again', async () => {
	const asked = await ask(APPROVAL);
	refuseNext();
	expect(await write(numberOf(asked))).toEqual([503, 200]);
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
});

it('takes the answer while no account token can be right, but a trigger keeps nothing for it', async () => {
	const { receiver } = await publish({ output: 'simplified' });
	const asked = await ask(APPROVAL);
	const vaults = Object.getPrototypeOf(
		asked.built.additionalData.credentialsHelper,
	) as ICredentialsHelper;
	const spoiled = { baseUrl: gateway.url, accountToken: 'svc_inst_1' };
	jest.spyOn(vaults, 'getDecrypted').mockResolvedValue(spoiled);
	await gateway.drained();
	const webhook = gateway.webhooks().find(({ id }) => id === asked.webhook.id)!;
	webhook.enabled = false;
	expect(await write(numberOf(asked))).toEqual([200]);
	expect(receiver.executions).toHaveLength(1);
	webhook.enabled = true;
	expect(await write(numberOf(asked))).toEqual([200, 200]);
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
});

it.each<[string, object, string, object]>([
	['a reply', {}, 'At eight', { text: 'At eight' }],
	['a choice', CHOICE, 'blue', { text: 'blue', choice: 'Blue' }],
])('puts out the fields of %s', async (_what, parameters, words, data) => {
	const asked = await ask(parameters as never);
	await write(words);
	expect(asked.answer()).toMatchObject({ data });
	const preview = readPreview(join(previewsOf('v1.0.0'), 'message', 'sendAndWait.json'));
	expect(compare(asked.answer(), preview, 'output', false)).toEqual([]);
});

it('takes the answer by the clock of a gateway that is behind', async () => {
	gateway.setClock(-60);
	const asked = await ask(APPROVAL);
	expect(await write(numberOf(asked))).toEqual([200]);
	gateway.setClock(0);
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
});

it('does not take what was written while typing was shown', async () => {
	const asked = await ask({ options: { typingSeconds: 0.2 } });
	const shown = gateway.requests.find(({ path }) => path === '/v1/messages/presence')!;
	gateway.emit({
		type: 'MESSAGE.RECEIVED',
		timestamp: new Date(shown.finishedAt).toISOString(),
		data: { messageId: 'M1', chat: { id: PEOPLE[0].id, phone: ANA }, text: 'Hello?' },
	});
	await gateway.drained();
	expect(asked.answer()).toBeUndefined();
});

describe('the lines of an approval', () => {
	const lists = () => gateway.acceptedSends().slice(1);

	it('are listed again three times, for one message each, and a quote of any list counts', async () => {
		const asked = await ask(APPROVAL);
		gateway.setDelivery({ duplicate: 2 });
		for (const [index, text] of ['hm', 'sure', 'why?', 'what?', 'hello?'].entries()) {
			await write(text);
			const wanted = Math.min(index + 1, 3);
			await waitFor('the list', () => lists().length === wanted);
		}
		const [first] = lists();
		expect(first).toMatchObject({ to: PEOPLE[0].id, text: asked.sent.split('\n\n')[1] });
		expect(lists()).toHaveLength(3);
		expect(asked.answer()).toBeUndefined();
		await write('yes', { quotedMessageId: first.messageId });
		expect(asked.answer()).toMatchObject({ data: { approved: true } });
	});

	it('that could not be sent do not count', async () => {
		const asked = await ask(APPROVAL);
		await gateway.drained();
		gateway.faults.add({ match: SEND, fault: { status: 422 }, times: 4 });
		for (const text of ['hm', 'sure', 'why?', 'what?']) await write(text);
		const refused = () => gateway.requests.filter(({ status }) => status === 422);
		await waitFor('the refusals', () => refused().length === 4);
		await write('hello?');
		await waitFor('the list', () => lists().length === 1);
		expect(asked.answer()).toBeUndefined();
	});

	it('that may have been sent count', async () => {
		await ask(APPROVAL);
		await gateway.drained();
		const fault = { kind: 'acceptThenStatus', status: 502 } as const;
		gateway.faults.add({ fault, match: SEND, times: 9 });
		for (const text of ['hm', 'sure', 'why?', 'what?', 'hello?']) await write(text);
		await waitFor('the lists', () => lists().length === 3);
	});

	it.each([
		{ text: (number: string) => `${number} please`, count: 1 },
		{ text: () => 'sure', count: 0 },
		{ text: () => '1', count: 0 },
	])(
		'are listed in a group if a message begins with its number: $count',
		async ({ text, count }) => {
			const asked = await ask({ ...APPROVAL, to: to('id', groupIdAt(0)) as never });
			await write(text(numberOf(asked)), { chatId: groupIdAt(0) });
			await write('thanks', { chatId: groupIdAt(0) });
			await waitFor('the list', () => lists().length === count);
			expect(asked.answer()).toBeUndefined();
		},
	);

	it('are listed by the newest of several approvals alone', async () => {
		await ask(APPROVAL);
		const newest = await ask(APPROVAL);
		await gateway.drained();
		await write('sure');
		const texts = () =>
			gateway
				.acceptedSends()
				.slice(2)
				.map(({ text }) => text);
		await waitFor('the list', () => texts().length > 0);
		expect(texts()).toEqual([newest.sent.split('\n\n')[1]]);
	});

	it('are not listed if another question can be meant, or the gateway’s list fails', async () => {
		const approval = await ask(APPROVAL);
		await gateway.drained();
		const match = { method: 'GET', path: '/v1/webhooks' };
		gateway.faults.add({ match, fault: { status: 503 } });
		expect(await write('sure')).toEqual([200]);
		const reply = await ask();
		await gateway.drained();
		await write('at nine');
		expect(reply.answer()).toMatchObject({ data: { text: 'at nine' } });
		expect(approval.answer()).toBeUndefined();
		expect(gateway.acceptedSends()).toHaveLength(2);
	});
});

it('lists them from the number that asked', async () => {
	const { instanceId, instanceToken } = gateway;
	const furtherNumbers = `${instanceId}, ${instanceToken}`;
	const credential = { instanceId: 'inst_0', instanceToken: 'svc_inst_other', furtherNumbers };
	await ask({ ...APPROVAL, options: { instanceId } }, {}, credential);
	await write('sure');
	await waitFor('the second list', () => gateway.acceptedSends().length === 2);
});

describe('a newer question of the chat', () => {
	const byId = { to: to('id', PEOPLE[0].id) as never };

	it.each([
		{ name: 'a reply', parameters: {} },
		{ name: 'a choice', parameters: CHOICE },
		{ name: 'a question by the ID of the chat', parameters: byId },
		{
			name: 'a question that must be quoted',
			parameters: { options: { requireQuotedReply: true } },
		},
	])('ends the older one, as soon as its message is accepted: $name', async ({ parameters }) => {
		const older = await ask();
		await gateway.drained();
		const newer = await ask(parameters as never);
		expect(gateway.webhooks().map(({ id }) => id)).toEqual([newer.webhook.id]);
		await gateway.drained();
		await write('red', { quotedMessageId: newer.messageId });
		expect(newer.answer()).toMatchObject({ data: { text: 'red' } });
		await write('blue');
		expect(older.answer()).toBeUndefined();
	});

	it.each([
		{ name: 'an approval', parameters: APPROVAL },
		{ name: 'a reply in another chat', parameters: { to: to('phone', BRUNO) as never } },
	])('does not end the older one if it is $name', async ({ parameters }) => {
		const older = await ask();
		await ask(parameters as never);
		await write('at nine');
		expect(older.answer()).toMatchObject({ data: { text: 'at nine' } });
	});

	it('ends no question that another number asks', async () => {
		const { instanceId, instanceToken } = gateway;
		const credential = { furtherNumbers: `inst_2, ${instanceToken}` };
		const older = await ask({ options: { instanceId } }, {}, { instanceId, ...credential });
		await ask({ options: { instanceId: 'inst_2' } }, {}, { instanceId, ...credential });
		expect(gateway.webhooks().map(({ id }) => id)).toContain(older.webhook.id);
	});

	it.each([
		{ status: 422, name: 'is refused' },
		{ status: 400, name: 'is wrong' },
	])('leaves the older one open if its message $name', async ({ status }) => {
		const older = await ask();
		await gateway.drained();
		gateway.faults.add({ match: SEND, fault: { status } });
		expect(await refusal()).toMatch(/was not sent/);
		await write('at nine');
		expect(older.answer()).toMatchObject({ data: { text: 'at nine' } });
	});

	it('leaves the answer to the older one while it still types', async () => {
		const older = await ask();
		await gateway.drained();
		const asking = ask({ options: { typingSeconds: 0.5 } });
		const isShown = () => gateway.requests.some(({ path }) => path === '/v1/messages/presence');
		await waitFor('typing', isShown);
		await write('for the older one');
		const newer = await asking;
		await write('for the newer one');
		expect(older.answer()).toMatchObject({ data: { text: 'for the older one' } });
		expect(newer.answer()).toMatchObject({ data: { text: 'for the newer one' } });
	});

	it('is refused if a newer one was asked while it still types', async () => {
		const slow = refusal({ options: { typingSeconds: 0.5 } });
		const isShown = () => gateway.requests.some(({ path }) => path === '/v1/messages/presence');
		await waitFor('typing', isShown);
		const newer = await ask();
		expect(await slow).toMatch(/Another workflow has just asked.*was not sent/);
		await write('at nine');
		expect(newer.answer()).toMatchObject({ data: { text: 'at nine' } });
		expect(gateway.acceptedSends()).toHaveLength(1);
	});

	it('is not asked if the list cannot be read, and may be tried again', async () => {
		const older = await ask();
		await gateway.drained();
		gateway.faults.add({ match: { method: 'GET', path: '/v1/webhooks' }, fault: { status: 503 } });
		expect(await refusal()).toMatch(/was not sent/);
		expect(gateway.webhooks().map(({ id }) => id)).toEqual([older.webhook.id]);
		await write('at nine');
		expect(older.answer()).toMatchObject({ data: { text: 'at nine' } });
	});

	it('yields to one that another worker has asked in the same instant', async () => {
		const { webhook } = await ask();
		await gateway.drained();
		const newer = new URL(webhook.url);
		newer.searchParams.set('openedAt', String(Date.now() + MINUTE));
		gateway.moveWebhook(webhook.id, newer.href);
		forgetProcess();
		expect(await refusal()).toMatch(/Another workflow has just asked/);
		expect(gateway.webhooks()).toHaveLength(1);
		expect(gateway.acceptedSends()).toHaveLength(1);
	});

	it.each([
		{ name: 'in this process', restart: () => {} },
		{ name: 'after a restart', restart: forgetProcess },
	])(
		'deletes the older one at its first delivery if the gateway fails, $name',
		async ({ restart }) => {
			const older = await ask();
			await gateway.drained();
			gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 503 } });
			gateway.setDelivery({ drop: ['MESSAGE.SENT'] });
			const newer = await ask();
			expect(gateway.webhooks().map(({ id }) => id)).toContain(older.webhook.id);
			restart();
			await write('hello', { phone: BRUNO });
			expect(gateway.webhooks().map(({ id }) => id)).toEqual([newer.webhook.id]);
			await write('at nine');
			expect(older.answer()).toBeUndefined();
			expect(newer.answer()).toMatchObject({ data: { text: 'at nine' } });
		},
	);

	it('ends the older one at MESSAGE.SENT if their names of the chat are different', async () => {
		const hidden = { id: PEOPLE[0].id };
		gateway.setDelivery({ drop: ['MESSAGE.SENT'] });
		const tellSent = async ({ messageId }: Asked) => {
			await gateway.drained();
			gateway.setDelivery({ drop: [] });
			const data = { messageId, chat: hidden, fromMe: true };
			gateway.emit({ type: 'MESSAGE.SENT', instanceId: gateway.instanceId, data });
			await gateway.drained();
			gateway.setDelivery({ drop: ['MESSAGE.SENT'] });
		};
		const older = await ask(byId);
		await tellSent(older);
		const newer = await ask();
		expect(gateway.webhooks()).toHaveLength(2);
		await tellSent(newer);
		expect(gateway.webhooks().map(({ id }) => id)).toEqual([newer.webhook.id]);
		await write('at nine');
		expect(older.answer()).toBeUndefined();
		expect(newer.answer()).toMatchObject({ data: { text: 'at nine' } });
	});
});

describe('a text that begins like the number of an approval', () => {
	it('is left to that approval by a reply of the chat, also in another process', async () => {
		const reply = await ask();
		const approval = await ask(APPROVAL);
		await gateway.drained();
		forgetProcess();
		await write(`${numberOf(approval)}!`);
		expect(approval.answer()).toMatchObject({ data: { approved: true } });
		expect(reply.answer()).toBeUndefined();
	});

	it('answers a reply if no such approval is open in the chat', async () => {
		const reply = await ask();
		const elsewhere = await ask({ ...APPROVAL, to: to('phone', BRUNO) as never });
		await gateway.drained();
		await write(numberOf(elsewhere));
		expect(reply.answer()).toMatchObject({ data: { text: numberOf(elsewhere) } });
		expect(elsewhere.answer()).toBeUndefined();
	});

	it('waits for the gateway’s list if that fails for a moment', async () => {
		const reply = await ask();
		await gateway.drained();
		gateway.faults.add({ match: { method: 'GET', path: '/v1/webhooks' }, fault: { status: 429 } });
		expect(await write('1501')).toEqual([503, 200]);
		expect(reply.answer()).toMatchObject({ data: { text: '1501' } });
	});

	it('answers an approval without any request to the gateway but the deletion', async () => {
		const asked = await ask(APPROVAL);
		await gateway.drained();
		const { length } = gateway.requests;
		await write(numberOf(asked));
		await waitFor('the webhook to go', () => gateway.webhooks().length === 0);
		// Those of other tests are deleted meanwhile.
		const others = gateway.requests.slice(length).filter(({ method }) => method !== 'DELETE');
		expect(others).toEqual([]);
	});
});

it('a message of somebody else costs no request to the gateway', async () => {
	for (const parameters of [{}, APPROVAL, CHOICE]) await ask(parameters as never);
	await gateway.drained();
	const { length } = gateway.requests;
	for (const text of ['hello', '1', '2711', 'yes']) await write(text, { phone: BRUNO });
	expect(gateway.requests.slice(length)).toEqual([]);
});

it('n8n’s log tells once of a message that would be the answer but for its time, with both times', async () => {
	const warn = watchWarnings();
	const asked = await ask();
	await gateway.drained();
	for (const seconds of [3 * 3600, 3 * 3600 - 5]) {
		const written = new Date(Date.now() - seconds * 1000).toISOString();
		const data = { messageId: 'M1', chat: { id: PEOPLE[0].id, phone: ANA }, text: 'At eight' };
		gateway.emit({ type: 'MESSAGE.RECEIVED', timestamp: written, data });
		await gateway.drained();
	}
	expect(asked.answer()).toBeUndefined();
	const told = warn.mock.calls.filter(([words]) => words.includes('but for its time'));
	expect(told).toHaveLength(1);
	expect(told[0][0]).toMatch(/written at 20\S+Z\. .* open from 20\S+Z to 20\S+Z/);
});

it.each([
	{ name: 'a minute', seconds: -60, corrects: true },
	{
		name: 'three hours, as of a gateway that tells local time,',
		seconds: -3 * 3600,
		corrects: false,
	},
])('a clock that is behind by $name is corrected: $corrects', async ({ seconds, corrects }) => {
	gateway.setClock(seconds);
	const { run } = await tryToAsk();
	gateway.setClock(0);
	const [, askedAt] = /"askedAt":(\d+)/.exec(JSON.stringify(run.data))!;
	const isEarlier = Date.now() - Number(askedAt) > 30_000;
	expect(isEarlier).toBe(corrects);
});

it.each(['LOCATION', 'contactMessage', 'ORDER', 'PRODUCT', 'viewOnceMessage', 'IMAGE'])(
	'a reply is answered by content of the type %s without text',
	async (messageType) => {
		const asked = await ask();
		await gateway.drained();
		const data = { messageId: 'M1', chat: { id: PEOPLE[0].id, phone: ANA }, messageType };
		gateway.emit({ type: 'MESSAGE.RECEIVED', data });
		await gateway.drained();
		expect(asked.answer()).toMatchObject({ data: { messageType } });
		expect(asked.answer()?.data).not.toHaveProperty('text');
	},
);

it('learns the chat of the question, and gets received messages alone from then on', async () => {
	const asked = await ask(APPROVAL);
	await gateway.drained();
	const [webhook] = gateway.webhooks();
	expect(webhook).toMatchObject({ id: asked.webhook.id, events: ['MESSAGE.RECEIVED'] });
	const { searchParams } = new URL(webhook.url);
	expect(searchParams.get('chatId')).toBe(PEOPLE[0].id);
	expect(searchParams.get('instanceId')).toBe(gateway.instanceId);
	const hidden = { id: PEOPLE[0].id };
	const data = { messageId: 'M1', chat: hidden, sender: hidden, text: numberOf(asked) };
	// Not after a restart either.
	forgetProcess();
	for (const instanceId of ['inst_another', gateway.instanceId]) {
		expect(asked.answer()).toBeUndefined();
		gateway.emit({ type: 'MESSAGE.RECEIVED', instanceId, data });
		await gateway.drained();
	}
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
});

it('knows the chat in this process if the gateway cannot change webhooks', async () => {
	gateway.faults.add({ match: { method: 'PATCH' }, fault: { status: 404 }, times: 99 });
	const asked = await ask(APPROVAL);
	await gateway.drained();
	gateway.emit({
		type: 'MESSAGE.RECEIVED',
		data: { messageId: 'M1', chat: { id: PEOPLE[0].id }, text: numberOf(asked) },
	});
	await gateway.drained();
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
	expect(gateway.deliveries.every(({ status }) => status === 200)).toBe(true);
});

it('refuses everybody who does not have the secret of this question', async () => {
	const asked = await ask(APPROVAL);
	const other = await ask(APPROVAL);
	const event = {
		id: randomUUID(),
		type: 'MESSAGE.RECEIVED',
		instanceId: gateway.instanceId,
		data: { messageId: 'M', chat: { id: PEOPLE[0].id, phone: ANA }, text: numberOf(asked) },
	};
	const post = async (headers: Record<string, string>) => {
		const body = JSON.stringify(event);
		return (await fetch(asked.webhook.url, { method: 'POST', headers, body })).status;
	};
	// The execution's data does not tell it.
	const [, secret] = asked.webhook.secret.split('_');
	expect(JSON.stringify(asked.run.data)).not.toContain(secret);
	expect(await post({})).toBe(401);
	expect(await post(gateway.sign(event as never, other.webhook.secret))).toBe(401);
	expect(asked.answer()).toBeUndefined();
	expect(await post(gateway.sign(event as never, asked.webhook.secret))).toBe(200);
	expect(asked.answer()).toBeDefined();
});

it('takes no repeat of an answer for a question that was asked later, also after a restart', async () => {
	gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 502 }, times: 9 });
	const first = await ask();
	await gateway.drained();
	const event = gateway.write('red', { phone: ANA });
	await waitFor('the answer', () => first.answer() !== undefined);
	const second = await ask();
	forgetProcess();
	gateway.emit(event);
	await gateway.drained();
	expect(second.answer()).toBeUndefined();
});

it.each([[{}], [CHOICE], [APPROVAL]])(
	'Ignore Answers keeps from the trigger what nothing came before, for %j',
	async (parameters) => {
		gateway.setDelivery({ drop: ['MESSAGE.SENT'] });
		const { receiver } = await publish();
		const asked = await ask(parameters as never);
		gateway.deleteWebhook(asked.webhook.id);
		await write(parameters === APPROVAL ? numberOf(asked) : 'red');
		expect(receiver.executions).toEqual([]);
	},
);

it('Ignore Answers keeps the answer, what the labels are listed for, and the repeats of both from the trigger; nothing else', async () => {
	const publishWith = async (options: object) =>
		(await publish({ output: 'simplified', options } as never)).receiver;
	const receivers = [await publishWith({}), await publishWith({ ignoreAnswers: false })];
	const asked = await ask(APPROVAL);
	gateway.setDelivery({ duplicate: 2 });
	await write('hello', { phone: BRUNO });
	await write('sure');
	await write('why?');
	await write('4th');
	await write('5th');
	await write(numberOf(asked));
	await write('thanks');
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
	expect(receivers.map(({ executions }) => executions.map(([{ json }]) => json.text))).toEqual([
		['hello', '5th', 'thanks'],
		['hello', 'sure', 'why?', '4th', '5th', numberOf(asked), 'thanks'],
	]);
});
