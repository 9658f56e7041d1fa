import { chain, makeTrigger } from '../../lab/host/drafts/nodes';
import { publishDraft } from '../../lab/host/drafts/workflows';
import { waitFor } from '../../lab/host/waiting';
import { PEOPLE, type FaultPlan } from '../../lab/simulator';
import { to } from '../contract/document';
import { openDesk, type Desk } from '../support/desk';
import { BRUNO, makeAsk, untilOver, type OpenQuestion } from '../support/drafts/ask';
import { host, useHost } from '../support/host';
import { numberOf } from '../support/numberOf';

jest.setTimeout(300_000);

// Some of these orders restart n8n. The gateway repeats what n8n defers for about twenty seconds.
useHost({
	n8n: {},
	gateway: {
		retryDelaysMs: [250, 500, ...Array<number>(20).fill(1_000)],
		statusDelaysMs: { delivered: null, read: null },
	},
});

const CARLA = PEOPLE[2].phone!;
const BRIEFLY = { limitWaitTime: { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } } };

let desk: Desk;

beforeEach(async () => {
	host.gateway.reset({ webhooks: true });
	desk = await openDesk(host);
});

afterEach(async () => await desk.close());

/** Strikes each list of webhooks from now on. */
function strikeLists(fault: FaultPlan['fault']): void {
	host.gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		times: 'always',
		fault,
	});
}

/** Strikes each request of a method that changes or deletes a webhook. */
function strikeWebhooks(method: 'PATCH' | 'DELETE', status: number): void {
	host.gateway.faults.add({
		match: { method, token: 'account' },
		times: 'always',
		fault: { status },
	});
}

const LIST_FAULTS: Array<{ trouble: string; fault: FaultPlan['fault'] }> = [
	{ trouble: 'answers 503', fault: { status: 503 } },
	{ trouble: 'answers 429', fault: { status: 429 } },
	{ trouble: 'breaks off', fault: 'cutBefore' },
	{ trouble: 'takes nine seconds', fault: { kind: 'slow', delayMs: 9_000 } },
	{ trouble: 'is refused from the second one in a second on', fault: 'oneASecond' },
];

describe.each(LIST_FAULTS)('while the list of webhooks $trouble', ({ fault }) => {
	it('one message decides the newer of two replies, and the next one starts the bot', async () => {
		const older = await (await desk.publish()).ask();
		const newer = await (await desk.publish()).ask();
		await host.gateway.drained();

		strikeLists(fault);
		await desk.say('at nine');
		host.gateway.faults.clear();
		await desk.say('at ten');

		expect(await desk.report({ older, newer })).toEqual({
			older: 'waits',
			newer: 'at nine',
			bot: ['at ten'],
		});
	});

	it('the number of an approval decides the approval alone, beside an open reply', async () => {
		const reply = await (await desk.publish()).ask();
		const approval = await (await desk.publish({ responseType: 'approval' })).ask();
		await host.gateway.drained();

		strikeLists(fault);
		desk.write(numberOf(approval));
		await waitFor('the approval to be answered', async () => {
			const { status } = await host.api.getExecution(approval.executionId);
			return status === 'success';
		});
		host.gateway.faults.clear();

		expect(await desk.report({ reply, approval })).toEqual({
			reply: 'waits',
			approval: 'approved',
			bot: [],
		});
	});
});

it('a new reply is refused, and the older one stays open, if the list fails while it is asked', async () => {
	const older = await (await desk.publish()).ask();
	const refused = await desk.publish();
	strikeLists({ status: 503 });
	await expect(refused.ask()).rejects.toThrow('The message was not sent.');
	host.gateway.faults.clear();

	await desk.say('at nine');

	expect(await desk.report({ older })).toEqual({ older: 'at nine', bot: [] });
});

it('an answer that comes while the next question still types decides the one before', async () => {
	const older = await (await desk.publish()).ask();
	const next = await desk.publish({ options: { typingSeconds: 10 } });
	await host.gateway.drained();

	const asking = next.ask();
	await waitFor('the typing', () =>
		host.gateway.requests.some(({ path }) => path.endsWith('/messages/presence')),
	);
	desk.write('at nine');
	const newer = await asking;
	await desk.settle();
	await desk.say('at ten');

	expect(await desk.report({ older, newer })).toEqual({
		older: 'at nine',
		newer: 'at ten',
		bot: [],
	});
});

it('a message that was written before the next question, and comes after it, is not lost', async () => {
	const older = await (await desk.publish()).ask();
	const next = await desk.publish();
	await host.gateway.drained();

	host.gateway.setDelivery({ pause: true });
	desk.write('at nine');
	const newer = await next.ask();
	host.gateway.setDelivery({ pause: false });
	await desk.settle();
	const before = await desk.report({ older, newer });
	await desk.say('at ten');

	// The older question may have it or the bot, but the newer one never.
	expect([before.older, ...before.bot]).toContain('at nine');
	expect(await desk.report({ newer })).toMatchObject({ newer: 'at ten' });
});

it('no message is lost if PATCH and DELETE fail at an answer, and n8n restarts', async () => {
	const older = await (await desk.publish()).ask();
	const newer = await (await desk.publish()).ask();
	await host.gateway.drained();

	strikeWebhooks('PATCH', 502);
	strikeWebhooks('DELETE', 502);
	await desk.say('at nine');
	host.gateway.faults.clear();
	await host.n8n.restart();
	await desk.say('at ten');
	await desk.say('at eleven');

	expect(await desk.report({ older, newer })).toEqual({
		older: 'waits',
		newer: 'at nine',
		bot: ['at ten', 'at eleven'],
	});
});

it('a repeat after a restart decides no second reply of a gateway without PATCH', async () => {
	strikeWebhooks('PATCH', 405);
	const older = await (await desk.publish()).ask();
	const newer = await (await desk.publish()).ask();
	await host.gateway.drained();

	const event = desk.write('at nine');
	await desk.settle();
	await host.n8n.restart();
	host.gateway.emit(event);

	expect(await desk.report({ older, newer })).toMatchObject({ older: 'waits', newer: 'at nine' });
});

it.each([
	{ how: 'with a quote', isQuoting: true },
	{ how: 'without a quote', isQuoting: false },
])('late answers to ten approvals decide none of ten newer ones, $how', async ({ isQuoting }) => {
	const brief = await desk.publish({ responseType: 'approval', options: BRIEFLY });
	const late: OpenQuestion[] = [];
	for (let count = 0; count < 10; count++) late.push(await brief.ask());
	await untilOver(host.gateway);

	const lasting = await desk.publish({ responseType: 'approval' });
	const newer: Record<string, OpenQuestion> = {};
	for (let count = 0; count < 10; count++) newer[`approval ${count}`] = await lasting.ask();

	for (const each of late) {
		const quoted = isQuoting ? each.sent.messageId : undefined;
		await desk.say(numberOf(each), quoted);
	}

	const outcome = await desk.report(newer);
	const waiting = Object.keys(newer).map((name) => [name, 'waits']);
	expect(outcome).toEqual({
		...Object.fromEntries(waiting),
		bot: late.map((each) => numberOf(each)),
	});
});

it('25 messages of one customer to a bot that asks its boss stop no approval of another workflow', async () => {
	const { api, gateway, credentials } = host;
	const bot = [
		makeTrigger(credentials.account, { events: ['MESSAGE.RECEIVED'] }, { id: 'desk' }),
		makeAsk(credentials, { to: to('phone', BRUNO), responseType: 'approval' }),
	];
	const id = await publishDraft(api, { name: 'Desk', nodes: bot, connections: chain(bot) });
	for (let count = 0; count < 25; count++) await desk.say(`I want my money back ${count}`);

	const other = await desk.publish({ responseType: 'approval', to: to('phone', CARLA) });
	const asked = await other.ask().catch((error: Error) => error);
	const atBoss = gateway.acceptedSends().filter((send) => send.to === BRUNO).length;
	expect({ atBoss, other: asked }).toMatchObject({ other: { sent: { to: CARLA } } });
	expect(atBoss).toBeLessThanOrEqual(20);

	for (const execution of await api.listExecutions(id, ['waiting']))
		await api.stopExecution(execution.id);
	await api.deleteWorkflow(id);
});

it.each([
	{
		what: 'a location',
		type: 'LOCATION',
		content: { location: { latitude: -23.5, longitude: -46.6 } },
	},
	{ what: 'a contact', type: 'CONTACT', content: { contact: { displayName: 'Bruno' } } },
])('$what answers a reply', async ({ type, content }) => {
	const where = await (await desk.publish({ message: 'Where shall we deliver?' })).ask();

	await desk.send(type, content);

	expect(await desk.report({ where })).toEqual({ where: type, bot: [] });
});

it.each([
	{ spelling: '1. Sales', choices: ['1. Sales', '2. Support', '3. Billing'] },
	{ spelling: '1) Sales', choices: ['1) Sales', '2) Support', '3) Billing'] },
	{ spelling: '1️⃣ Sales', choices: ['1️⃣ Sales', '2️⃣ Support', '3️⃣ Billing'] },
	{ spelling: '1 - Sales', choices: ['1 - Sales', '2 - Support', '3 - Billing'] },
	{ spelling: '1: Sales', choices: ['1: Sales', '2: Support', '3: Billing'] },
])('a menu that its author has numbered as $spelling is listed as it is, and read', async (row) => {
	const workflow = await desk.publish({ responseType: 'choice', choices: row.choices.join('\n') });
	const byNumber = await workflow.ask();
	expect(byNumber.sent.text).toBe(`Shall we?\n\n${row.choices.join('\n')}`);

	await desk.say('2');
	const byWord = await workflow.ask();
	await desk.say('billing');

	expect(await desk.report({ byNumber, byWord })).toEqual({
		byNumber: row.choices[1],
		byWord: row.choices[2],
		bot: [],
	});
});

const TIMES = ['9:00', '9:30', '10:00', '10:30', '11:00', '13:00', '14:30', '15:00'];

it('eight times are chosen by their number and by their words', async () => {
	const choices = TIMES.map((time) => `Tue ${time}`).join('\n');
	const workflow = await desk.publish({ responseType: 'choice', choices });
	const byNumber = await workflow.ask();
	expect(byNumber.sent.text).toContain('\n2. Tue 9:30\n');

	await desk.say('2');
	const byWords = await workflow.ask();
	await desk.say('tue 14:30');

	expect(await desk.report({ byNumber, byWords })).toEqual({
		byNumber: 'Tue 9:30',
		byWords: 'Tue 14:30',
		bot: [],
	});
});

it('faces choose none of eight times, and the number still does', async () => {
	const choices = TIMES.join('\n');
	const times = await (await desk.publish({ responseType: 'choice', choices })).ask();
	for (const face of [':D', ':3', ':c']) await desk.say(face);
	await desk.say('5');

	expect(await desk.report({ times })).toMatchObject({ times: '11:00' });
});

it.each([
	{ face: 'NUMBER ):' },
	{ face: ':( NUMBER' },
	{ face: 'NUMBER -_-' },
	{ face: 'NUMBER ;_;' },
	{ face: 'NUMBER,-' },
])('the face $face approves nothing, and the number alone still does', async ({ face }) => {
	const approval = await (await desk.publish({ responseType: 'approval' })).ask();
	const number = numberOf(approval);
	await desk.say(face.replace('NUMBER', number));
	const afterFace = await desk.report({ approval });
	await desk.say(number);

	expect(afterFace).toEqual({ approval: 'waits', bot: [] });
	expect(await desk.report({ approval })).toEqual({ approval: 'approved', bot: [] });
});

it('lists the lines again at most three times, and again if they could not be sent', async () => {
	const { gateway } = host;
	const choice = await (await desk.publish({ responseType: 'choice', choices: 'Red\nBlue' })).ask();
	gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: { status: 400 } });
	await desk.say('maybe');
	await waitFor('the refusal', () => gateway.requests.some(({ status }) => status === 400));

	for (const [count, words] of ['hm', 'well', 'so'].entries()) {
		await desk.say(words);
		await waitFor('the lines', () => gateway.acceptedSends().length === count + 2);
	}
	await desk.say('and more');
	const [, ...lists] = gateway.acceptedSends();
	await desk.say('2');

	expect(lists.map(({ text }) => text)).toEqual(Array(3).fill('1. Red\n2. Blue'));
	expect(await desk.report({ choice })).toMatchObject({ choice: 'Blue' });
});
