import { randomUUID } from 'node:crypto';
import { createCredentials, startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { startSimulator } from '../../../simulator';
import { to } from '../../oracle/document';
import { ANA, publishAsk } from '../drafts/asking';
import { deliverMessage, expectAsResponsive, tellQuestionSent } from '../drafts/messages';

// What somebody does who has an account and a gateway of their own in the same n8n, and what a person writes who was
// asked something else.

let host: Host;
let stranger: Host;

const OPTIONS = {
	statusDelaysMs: { sent: null, delivered: null, read: null },
	retryDelaysMs: Array<number>(200).fill(500),
};

beforeAll(async () => {
	host = await startHost({ gateway: OPTIONS });
	const gateway = await startSimulator(OPTIONS);
	stranger = { ...host, gateway, credentials: await createCredentials(host.api, gateway) };
});

beforeEach(() => {
	for (const { gateway } of [host, stranger]) {
		gateway.faults.clear();
		gateway.reset({ webhooks: true });
	}
});

afterAll(async () => {
	await stranger?.gateway.stop();
	await host?.stop();
});

const APPROVAL = { responseType: 'approval' };
it('a chat’s ID that a gateway makes up does not stop n8n', async () => {
	const workflow = await publishAsk(stranger, { ...APPROVAL, to: to('id', `${ANA}@c.us`) });
	const question = await workflow.ask();
	const chat = { id: `${'@'.repeat(100_000)}\n`, type: 'CONTACT' };
	await expectAsResponsive(
		host,
		async () => await deliverMessage(stranger, question.webhook(), { chat: { ...chat, id: 'x' } }),
		async () => await deliverMessage(stranger, question.webhook(), { chat }),
	);
	await host.api.stopExecution(question.executionId);
}, 240_000);

it('the approvals that a gateway lists do not stop n8n, however they are chained', async () => {
	const question = await (await publishAsk(stranger, APPROVAL)).ask();
	const webhook = question.webhook();
	const phoneOf = (index: number) => (index === 0 ? ANA : `5511${900_000_000 + index}`);
	const data = Array.from({ length: 4_000 }, (_, index) => {
		const url = new URL(webhook.url);
		url.searchParams.set('asked', phoneOf(index + 1));
		url.searchParams.set('chat', phoneOf(index));
		return { id: `wh_${index}`, url: url.href, events: ['MESSAGE.RECEIVED'], enabled: true };
	}).reverse();
	stranger.gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		times: 'always',
		fault: { status: 200, body: { data } },
	});
	await expectAsResponsive(
		host,
		async () => await deliverMessage(stranger, webhook, { text: 'Not now' }),
		async () => await deliverMessage(stranger, webhook, {}),
	);
	await host.api.stopExecution(question.executionId);
}, 300_000);

// A question is plain text: whoever presses a button has pressed that of another message.
it.each([
	['number', 'See our offers', '1'],
	['plain word', 'See our offers', 'yes'],
	['words', 'Yes', 'newsletter'],
])(
	'a button of another message approves nothing by its %s',
	async (_what, text, id) => {
		const question = await (await publishAsk(host, APPROVAL)).ask();
		await tellQuestionSent(host, question);
		const pressed = { text, messageType: 'BUTTON_REPLY', buttonReply: { id } };
		await deliverMessage(host, question.webhook(), pressed);
		const isOpen = await question.isOpen();
		if (isOpen) await host.api.stopExecution(question.executionId);
		expect(isOpen).toBe(true);
	},
	120_000,
);

it('a yes that was written while two were open decides none of them, however late it comes', async () => {
	const workflow = await publishAsk(host, APPROVAL);
	const [first, second] = [await workflow.ask(), await workflow.ask()];
	for (const each of [first, second]) await tellQuestionSent(host, each);
	const unquoted = new Date().toISOString();
	const webhook = first.webhook();
	const quoting = { quotedMessageId: second.sent.messageId };
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(await deliverMessage(host, second.webhook(), quoting)).toBe(200);
	expect(await second.answer()).toMatchObject({ approved: true });
	await waitFor('its webhook to go', () => host.gateway.webhooks().length === 1);
	await deliverMessage(host, webhook, {}, { timestamp: unquoted });
	const isOpen = await first.isOpen();
	if (isOpen) await host.api.stopExecution(first.executionId);
	expect(isOpen).toBe(true);
}, 120_000);

it('an answer that is edited later decides no other approval', async () => {
	const workflow = await publishAsk(host, APPROVAL);
	const first = await workflow.ask();
	await tellQuestionSent(host, first);
	const messageId = randomUUID();
	expect(await deliverMessage(host, first.webhook(), { messageId, text: 'yes' })).toBe(200);
	await first.answer();
	const second = await workflow.ask();
	await tellQuestionSent(host, second);
	await deliverMessage(host, second.webhook(), { messageId, text: 'Yes.' });
	const isOpen = await second.isOpen();
	if (isOpen) await host.api.stopExecution(second.executionId);
	expect(isOpen).toBe(true);
}, 120_000);

it('"approve" is nothing beside a yes that rejects', async () => {
	const approvalOptions = {
		values: { approveLabel: 'Yes, reject it', disapproveLabel: 'No, approve it' },
	};
	const question = await (await publishAsk(host, { ...APPROVAL, approvalOptions })).ask();
	await tellQuestionSent(host, question);
	await deliverMessage(host, question.webhook(), { text: 'Approve' });
	const isOpen = await question.isOpen();
	if (isOpen) await host.api.stopExecution(question.executionId);
	expect(isOpen).toBe(true);
}, 120_000);

it('an approval to another spelling of the phone is in the same chat', async () => {
	const chat = { id: '5215512345678@c.us', type: 'CONTACT', phone: '5215512345678' };
	const [first, second] = [
		await (await publishAsk(host, { ...APPROVAL, to: to('phone', '+52 1 55 1234 5678') })).ask(),
		await (await publishAsk(host, { ...APPROVAL, to: to('phone', '+52 55 1234 5678') })).ask(),
	];
	await tellQuestionSent(host, first, chat);
	await deliverMessage(host, first.webhook(), { chat });
	const isOpen = await first.isOpen();
	for (const each of [first, second])
		await host.api.stopExecution(each.executionId).catch(() => {});
	expect(isOpen).toBe(true);
}, 120_000);
