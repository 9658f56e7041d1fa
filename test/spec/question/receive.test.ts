import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ICredentialsHelper } from 'n8n-workflow';
import { waitFor } from '../../../lab/host/waiting';
import { groupIdAt, PEOPLE } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { gateway } from '../../support/engineAndGateway';
import { compare, previewsOf, readPreview } from '../../support/previews';
import { forgetProcess, publish } from '../../support/receiving';
import { ANA, ask, refuseNext, write, type Asked } from './waitingExecutions';

const BRUNO = PEOPLE[1].phone!;
const APPROVAL = { responseType: 'approval' };
const SEND = { path: '/v1/messages/send-text' };
const CHOICE = { responseType: 'choice', choices: 'Red\nBlue' };

afterEach(() => void jest.restoreAllMocks());

const numberOf = ({ sent }: Asked, label: 1 | 2 = 1) =>
	new RegExp(`(\\d\\d${label})\\.`).exec(sent)![1];

it('resumes with the answer, at its first delivery, and deletes the webhook', async () => {
	const asked = await ask(APPROVAL);
	const from = Date.now();
	expect(await write(`${numberOf(asked)}!`)).toEqual([200]);
	const { data, ...beside } = asked.answer() as { data: { respondedAt: string } };
	expect(data).toEqual({
		approved: true,
		text: `${numberOf(asked)}!`,
		messageType: 'TEXT',
		responder: { id: PEOPLE[0].id },
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
			gateway.setDelivery({ drop: [type] } as never);
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
			const responder = { id: 'bruno@lid', name: 'Bruno' };
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

it.each([202, 502])(
	'lists the labels once, for one of two messages, if it gets %i',
	async (status) => {
		const asked = await ask(APPROVAL);
		if (status > 500)
			gateway.faults.add({ fault: { kind: 'acceptThenStatus', status }, match: SEND });
		gateway.setDelivery({ duplicate: 2 });
		for (const text of ['hm', 'sure']) gateway.write(text, { phone: ANA });
		await waitFor('the second list', () => gateway.acceptedSends().length === 2);
		const [, { messageId, ...list }] = gateway.acceptedSends();
		expect(list).toMatchObject({ to: PEOPLE[0].id, text: asked.sent.split('\n\n')[1] });
		await write('sure!');
		await write('why?');
		expect(asked.answer()).toBeUndefined();
		await write(status > 500 ? numberOf(asked) : 'yes', { quotedMessageId: messageId });
		expect(asked.answer()).toMatchObject({ data: { approved: true } });
		expect(gateway.acceptedSends()).toHaveLength(2);
	},
);

it('lists them from the number that asked', async () => {
	const { instanceId, instanceToken } = gateway;
	const furtherNumbers = `${instanceId}, ${instanceToken}`;
	const credential = { instanceId: 'inst_0', instanceToken: 'svc_inst_other', furtherNumbers };
	await ask({ ...APPROVAL, options: { instanceId } }, {}, credential);
	await write('sure');
	await waitFor('the second list', () => gateway.acceptedSends().length === 2);
});

it('lets a question take the message if the list of those in its chat cannot be read', async () => {
	const asked = [await ask(), await ask()];
	await gateway.drained();
	const match = { method: 'GET', path: '/v1/webhooks' };
	gateway.faults.add({ match, fault: { status: 503 }, times: 99 });
	gateway.faults.add({ match: { method: 'PATCH' }, fault: { status: 404 }, times: 99 });
	await write('at nine');
	expect(asked.filter((each) => each.answer() !== undefined)).not.toEqual([]);
});

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

it('takes no repeat of an answer for that to another question within a day, however short the waits', async () => {
	const askFor = async (resumeAmount: number) =>
		await ask({ options: { limitWaitTime: { values: { resumeAmount, resumeUnit: 'minutes' } } } });
	const asked = [await askFor(2880), await askFor(1)];
	await gateway.drained();
	const event = gateway.write('red', { phone: ANA });
	const isMarked = () => gateway.webhooks().some(({ url }) => url.includes('answeredBy'));
	await waitFor('the mark', isMarked);
	const { now } = Date;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + 86_340_000);
	// It deletes the webhooks of what is over.
	await ask({ to: to('phone', BRUNO) as never });
	forgetProcess();
	gateway.emit(event);
	await gateway.drained();
	jest.restoreAllMocks();
	expect(asked.map((each) => each.answer() !== undefined)).toEqual([false, true]);
});

it.each([[{}], [CHOICE], [APPROVAL]])(
	'Ignore Answers keeps from the trigger what nothing came before, for %j',
	async (parameters) => {
		gateway.setDelivery({ drop: ['MESSAGE.SENT'] } as never);
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
	await write(numberOf(asked));
	await write('thanks');
	expect(asked.answer()).toMatchObject({ data: { approved: true } });
	expect(receivers.map(({ executions }) => executions.map(([{ json }]) => json.text))).toEqual([
		['hello', 'why?', 'thanks'],
		['hello', 'sure', 'why?', numberOf(asked), 'thanks'],
	]);
});
