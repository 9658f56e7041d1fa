import { randomUUID } from 'node:crypto';
import { chain, makeEntrance, makeNothing } from '../../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	publish,
	publishSendWorkflow,
	startPublished,
	type TriggerDraft,
	type TriggerWorkflow,
} from '../../../host/drafts/workflows';
import { outputOf } from '../../../host/executions';
import { createCredentials, startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { PEOPLE, startSimulator } from '../../../simulator';
import { to } from '../../oracle/document';
import { ANA, FAMILY, makeAsk, publishAsk, type OpenQuestion } from '../drafts/asking';
import {
	ANAS_CHAT,
	deliverMessage,
	expectAsResponsive,
	makeMessage,
	tellQuestionSent,
	type Webhook,
} from '../drafts/messages';

// Messages that could be mistaken: for the answer to a question that they do not mean, or for none.

let host: Host;
let stranger: Host;
const published: string[] = [];

const OPTIONS = {
	statusDelaysMs: { sent: null, delivered: null, read: null },
	retryDelaysMs: Array<number>(200).fill(500),
};

beforeAll(async () => {
	host = await startHost({ gateway: OPTIONS });
	const gateway = await startSimulator(OPTIONS);
	stranger = { ...host, gateway, credentials: await createCredentials(host.api, gateway) };
});

afterEach(async () => {
	for (const { gateway } of [host, stranger]) gateway.faults.clear();
	for (const id of published.splice(0)) await host.api.deleteWorkflow(id);
	for (const { gateway } of [host, stranger]) gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await stranger?.gateway.stop();
	await host?.stop();
});

const APPROVAL = { responseType: 'approval' };
const CHOICE = { responseType: 'choice', choices: 'Tomorrow\nFriday' };
const deliver = async (webhook: Webhook, data: object, others: object = {}) =>
	await deliverMessage(host, webhook, data, others);
const tellSent = async (question: OpenQuestion, chat: object = ANAS_CHAT, others: object = {}) =>
	await tellQuestionSent(host, question, chat, others);

async function end(...questions: OpenQuestion[]): Promise<void> {
	for (const { executionId } of questions)
		await host.api.stopExecution(executionId).catch(() => {});
}

/** Publishes a trigger, and waits until it has proven that deliveries arrive. */
async function publishTrigger(
	of: Host,
	parameters: TriggerDraft['parameters'] = {},
): Promise<TriggerWorkflow> {
	const workflow = await createTriggerWorkflow(of, { parameters });
	published.push(workflow.id);
	await of.api.publish(workflow.id);
	const lists = () => of.gateway.requests.filter(({ method }) => method === 'GET').length;
	const before = lists();
	await waitFor('the trigger to look at its questions', () => lists() > before, 60_000);
	return workflow;
}

const webhookOf = (of: Host, { url }: TriggerWorkflow) =>
	of.gateway.webhooks().find((webhook) => webhook.url === url)!;

describe('a message that approves nothing', () => {
	it.each([
		['a choice', CHOICE, '1', { choice: 'Tomorrow' }],
		['a reply', {}, 'yes', { text: 'yes' }],
	])(
		'answers %s in the same chat, though it would be a yes',
		async (_what, parameters, text, answer) => {
			const approval = await (await publishAsk(host, APPROVAL)).ask();
			const other = await (await publishAsk(host, parameters)).ask();
			for (const each of [approval, other]) await tellSent(each);
			host.gateway.write(text, { phone: ANA });
			expect(await other.answer()).toMatchObject(answer);
			await host.gateway.drained();
			const isOpen = await approval.isOpen();
			await end(approval);
			expect(isOpen).toBe(true);
		},
		120_000,
	);

	it('has answered another question, and is edited later', async () => {
		const reply = await (await publishAsk(host)).ask();
		await tellSent(reply);
		const messageId = randomUUID();
		expect(await deliver(reply.webhook(), { messageId })).toBe(200);
		await reply.answer();
		const approval = await (await publishAsk(host, APPROVAL)).ask();
		await tellSent(approval);
		await deliver(approval.webhook(), { messageId, text: 'Yes.' });
		const isOpen = await approval.isOpen();
		await end(approval);
		expect(isOpen).toBe(true);
	}, 120_000);

	it('was written while the gateway wanted a pause before the question', async () => {
		const { api, gateway } = host;
		const send = await publishSendWorkflow(host);
		const workflow = await publishAsk(host, APPROVAL);
		published.push(send.id, workflow.id);
		gateway.faults.add({
			match: { path: '/v1/messages/send-text' },
			fault: { status: 429, headers: { 'retry-after': '6' } },
		});
		await send.start([{ to: PEOPLE[1].phone, text: 'other' }]);
		await api.waitForExecutions(send.id, 1);
		const asking = workflow.ask();
		await waitFor('the webhook of the question', () =>
			gateway.webhooks().some(({ url }) => url.includes('/webhook-waiting/')),
		);
		gateway.write('yes', { phone: ANA });
		const question = await asking;
		await tellSent(question);
		await gateway.drained();
		expect(await question.isOpen()).toBe(true);
		gateway.write('yes', { phone: ANA });
		expect(await question.answer()).toMatchObject({ approved: true });
	}, 120_000);

	it('is a reaction to something else', async () => {
		const approval = await (await publishAsk(host, APPROVAL)).ask();
		await tellSent(approval);
		const reaction = { messageType: 'REACTION', text: '👍' };
		await deliver(approval.webhook(), reaction);
		const isOpen = await approval.isOpen();
		await end(approval);
		expect(isOpen).toBe(true);
	}, 120_000);

	it('is written in a group in which two numbers of the account have asked', async () => {
		const chat = { id: FAMILY, type: 'GROUP' };
		const workflow = await publishAsk(host, { ...APPROVAL, to: to('id', FAMILY) });
		const [first, second] = [await workflow.ask(), await workflow.ask()];
		const another = { instanceId: 'inst_another' };
		await tellSent(first, chat);
		await tellSent(second, chat, another);
		const messageId = randomUUID();
		const sender = { id: PEOPLE[0].id, phone: ANA };
		await deliver(first.webhook(), { messageId, chat, sender });
		await deliver(second.webhook(), { messageId, chat, sender }, another);
		const open = [await first.isOpen(), await second.isOpen()];
		await end(first, second);
		expect(open).toEqual([true, true]);
	}, 120_000);

	it('was written while another approval was open whose time is over since', async () => {
		const limit = { limitWaitTime: { values: { resumeAmount: 0.1, resumeUnit: 'minutes' } } };
		const approval = await (await publishAsk(host, APPROVAL)).ask();
		const passing = await (await publishAsk(host, { ...APPROVAL, options: limit })).ask();
		for (const each of [approval, passing]) await tellSent(each);
		const written = { timestamp: new Date().toISOString() };
		await passing.answer();
		await deliver(approval.webhook(), {}, written);
		const isOpen = await approval.isOpen();
		await end(approval);
		expect(isOpen).toBe(true);
	}, 180_000);
});

describe('an answer that counts', () => {
	it.each<[string, ReturnType<typeof to>, object, object]>([
		[
			'an ID of another kind',
			to('id', `${ANA}@c.us`),
			{ id: `${ANA}@c.us`, type: 'CONTACT' },
			{ id: 'elsewhere@lid', type: 'CONTACT' },
		],
		[
			'a phone that the network writes otherwise',
			to('phone', '+52 55 1234 5678'),
			{ id: '5215512345678@c.us', type: 'CONTACT', phone: '5215512345678' },
			{ id: 'elsewhere@lid', type: 'CONTACT', phone: '5215512345678' },
		],
	])(
		'quotes a parked question, from %s',
		async (_what, recipient, asked, chat) => {
			await publishTrigger(host);
			const question = await (await publishAsk(host, { ...APPROVAL, to: recipient })).ask();
			await tellSent(question, asked);
			await waitFor(
				'it to be parked',
				() => !question.webhook().events.includes('MESSAGE.RECEIVED'),
			);
			const { data } = makeMessage(host, { chat, quotedMessageId: question.sent.messageId });
			host.gateway.emit({ type: 'MESSAGE.RECEIVED', data });
			await host.gateway.drained();
			const isOpen = await question.isOpen();
			await end(question);
			expect(isOpen).toBe(false);
		},
		120_000,
	);

	it('comes to the question long after it has come to a trigger', async () => {
		const { api, gateway } = host;
		const secret = `whsec_${Buffer.alloc(32, 'typed').toString('base64')}`;
		const credential = await api.createCredential('messagingGatewayAccountApi', 'By hand', {
			baseUrl: gateway.url,
			accountToken: gateway.accountToken,
			webhookSecret: secret,
		});
		const parameters = { webhookSetup: 'manual', options: { ignoreAnswers: true } };
		const { id, url } = await createTriggerWorkflow(host, { credential, parameters });
		published.push(id);
		await api.publish(id);
		gateway.faults.add({ match: { method: 'PATCH' }, times: 'always', fault: { status: 404 } });
		const question = await (await publishAsk(host)).ask();
		const chat = { id: PEOPLE[0].id, type: 'CONTACT' };
		await tellSent(question, chat);
		const same = { id: randomUUID() };
		const data = { chat, messageId: randomUUID() };
		expect(await deliver({ url, secret }, data, same)).toBe(200);
		const status = await deliver(question.webhook(), data, same);
		await end(question);
		expect(status).toBe(200);
	}, 120_000);

	it('comes behind that to another question of the same execution, which the gateway did not delete', async () => {
		const { api, gateway, n8n } = host;
		const path = randomUUID();
		const nodes = [
			...makeEntrance(path),
			makeAsk(host.credentials, APPROVAL),
			makeAsk(host.credentials, APPROVAL, { name: 'Manager' }),
			makeNothing(),
		];
		const id = await publish(api, { name: path, nodes, connections: chain(nodes) });
		published.push(id);
		gateway.faults.add({ match: { method: 'DELETE' }, times: 'always', fault: { status: 500 } });
		await startPublished(n8n.url, path, { items: [{}] });
		for (const sends of [1, 2]) {
			await waitFor('the question', () => gateway.acceptedSends().length === sends);
			await waitFor(
				'it to wait',
				async () => (await api.listExecutions(id, ['waiting'])).length === 1,
			);
			const { messageId } = gateway.acceptedSends()[sends - 1];
			gateway.emit({
				type: 'MESSAGE.SENT',
				data: { messageId, chat: ANAS_CHAT, fromMe: true },
			});
			await gateway.drained();
			gateway.write('yes', { phone: ANA });
			await gateway.drained();
		}
		const waiting = await api.listExecutions(id, ['waiting']);
		for (const each of waiting) await api.stopExecution(each.id);
		expect(waiting).toEqual([]);
		const [execution] = await api.waitForExecutions(id, 1);
		expect(outputOf(execution, 'Next')[0]).toMatchObject([{ json: { approved: true } }]);
	}, 120_000);
});

it('a phone that a gateway makes up does not stop n8n, whatever questions it lists', async () => {
	const question = await (await publishAsk(stranger)).ask();
	const trigger = await createTriggerWorkflow(stranger);
	published.push(trigger.id);
	await host.api.publish(trigger.id);
	const webhook = webhookOf(stranger, trigger);
	const made = Array.from({ length: 1_000 }, (_, index) => {
		const url = new URL(question.webhook().url);
		url.searchParams.set('asked', `5511${900_000_000 + index}`);
		return { id: `wh_${index}`, url: url.href, events: ['QRCODE.UPDATED'], enabled: true };
	});
	stranger.gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		times: 'always',
		fault: { status: 200, body: { data: [{ ...webhook, secret: undefined }, ...made] } },
	});
	const lists = () => stranger.gateway.requests.filter(({ method }) => method === 'GET').length;
	const before = lists();
	await waitFor('the trigger to look at its questions', () => lists() > before, 60_000);
	const long = 'x'.repeat(5_000_000);
	const chat = { id: 'x@lid', type: 'CONTACT' };
	await expectAsResponsive(
		host,
		async () => await deliver(webhook, { chat, text: long }),
		async () => await deliver(webhook, { chat: { ...chat, phone: long } }),
	);
	await end(question);
}, 400_000);
