import { Account } from '../../../../nodes/MessagingGateway/question/account';
import { hasForwarder, setForwarder } from '../../../../nodes/MessagingGateway/question/accounts';
import { nameOfKey } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { makeEvent } from '../event';
import { publish } from './delivering';

const CHANGED = { type: 'CONNECTION.UPDATED', data: { status: 'CONNECTED' } };
const WANTED = { events: ['CONNECTION.UPDATED'] };
const KNOWN = { webhookResponse: { message: 'Already received' } };

it('starts an execution with a genuine event that is wanted', async () => {
	const { answer, status } = await publish(WANTED).post(makeEvent(CHANGED));
	expect(status()).toBe(200);
	expect(answer.workflowData).toEqual([
		[{ json: expect.objectContaining({ status: 'CONNECTED' }) }],
	]);
});

it('acknowledges an event that nobody has chosen, and starts nothing', async () => {
	const { answer, status } = await publish({ events: ['MESSAGE.SENT'] }).post(makeEvent(CHANGED));
	expect([status(), answer]).toEqual([200, { webhookResponse: { message: 'Not subscribed to' } }]);
});

it('defers what it cannot process, says so in the log, and takes the repeat', async () => {
	const trigger = publish(WANTED);
	const event = makeEvent(CHANGED);
	// What nobody can choose in the editor, an expression can give.
	trigger.parameters.options = { maxPerExecution: 0 };
	const { answer, status } = await trigger.post(event);
	expect([status(), answer]).toEqual([503, { noWebhookResponse: true }]);
	expect(trigger.logged.error).toEqual([
		'Messaging Gateway Trigger: a delivery could not be processed',
	]);

	trigger.parameters.options = {};
	const repeat = await trigger.post(event);
	expect([repeat.status(), repeat.answer.workflowData]).toEqual([200, [[expect.anything()]]]);
});

it('defers what comes while an expression of the events gives nothing', async () => {
	const trigger = publish({ events: [] });
	const event = makeEvent(CHANGED);
	expect((await trigger.post(event)).status()).toBe(503);
	Object.assign(trigger.parameters, WANTED);
	const { answer, status } = await trigger.post(event);
	expect([status(), answer.workflowData]).toEqual([200, [[expect.anything()]]]);
});

it('starts nothing for a delivery of somebody else', async () => {
	const secret = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
	const { answer, status } = await publish(WANTED).post(makeEvent(CHANGED), { secret });
	expect([status(), answer.workflowData]).toEqual([503, undefined]);
});

it('notes that its self-test has arrived, which starts nothing and is no event', async () => {
	const trigger = publish({ events: ['N8N.SELF_CHECK'] });
	const account = new Account('account', 'whsec_x');
	setForwarder(nameOfKey(trigger.subscription().key), account, { isProven: true });
	expect(hasForwarder(account)).toBe(false);
	const event = makeEvent({ type: 'N8N.SELF_CHECK' });
	for (let time = 0; time < 2; time++) {
		const { answer } = await trigger.post(event);
		expect(answer).toEqual({ webhookResponse: { message: 'Self-test received' } });
	}
	expect(hasForwarder(account)).toBe(true);
	expect(trigger.logged.info).toEqual([]);
});

describe('an event that a person retries', () => {
	it('is deferred while the retry does its first work, and taken if that fails', async () => {
		const trigger = publish(WANTED);
		const event = makeEvent(CHANGED);
		const { retries } = trigger.subscription();
		retries.claim(event.id);
		expect((await trigger.post(event)).status()).toBe(503);
		retries.settle(event.id, false);
		expect((await trigger.post(event)).answer.workflowData).toHaveLength(1);
	});

	it('is known once the retry has done something', async () => {
		const trigger = publish(WANTED);
		const event = makeEvent(CHANGED);
		trigger.subscription().retries.settle(event.id, true);
		expect((await trigger.post(event)).answer).toEqual(KNOWN);
	});
});

it('takes at the test URL also what was sent before this process began, which nobody repeats there', async () => {
	const event = makeEvent(CHANGED);
	const sentAt = Math.floor(Date.now() / 1000) - 240;
	expect((await publish(WANTED).post(event, { sentAt })).status()).toBe(503);
	const { answer, status } = await publish(WANTED, 'manual').post(event, { sentAt });
	expect([status(), answer.workflowData]).toEqual([200, [[expect.anything()]]]);
});

it('acknowledges an outdated status each time it comes', async () => {
	const trigger = publish({
		events: ['MESSAGE.STATUS_UPDATED'],
		options: { ignoreOutdatedStatuses: true },
	});
	const say = (status: string) =>
		makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds: ['m'], status } });
	(await trigger.post(say('READ'))).end(200);
	await new Promise(setImmediate);
	const sent = say('SENT');
	for (let time = 0; time < 2; time++) {
		const { answer } = await trigger.post(sent);
		expect(answer).toEqual({ webhookResponse: { message: 'Not subscribed to' } });
	}
	expect(trigger.subscription().busy).toBe(false);
});

describe('a message that waits for its turn', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const pass = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);
	const PUBLISHED = { url: 'https://n8n.example.com', events: ['MESSAGE.RECEIVED'] };

	/** One whose turn comes due just after n8n has let go of the webhook. */
	async function writeAndUnpublish() {
		const trigger = publish({
			events: PUBLISHED.events,
			options: { combineMessages: { values: { quietSeconds: 1, maxWaitSeconds: 60 } } },
		});
		const subscription = trigger.subscription();
		subscription.want(PUBLISHED);
		const delivery = trigger.post(makeEvent({ type: 'MESSAGE.RECEIVED' }));
		await pass(900);
		subscription.want(undefined);
		return { ...trigger, subscription, delivery };
	}

	it('starts an execution, if what n8n publishes is only a change', async () => {
		const { subscription, delivery } = await writeAndUnpublish();
		await pass(3_000);
		subscription.want(PUBLISHED);
		await pass(500);
		expect((await delivery).answer.workflowData).toHaveLength(1);
	});

	it('starts nothing, and is deferred, if n8n has unpublished the workflow, which the log says', async () => {
		const { delivery, logged } = await writeAndUnpublish();
		await pass(11_000);
		const { answer, status } = await delivery;
		expect([status(), answer.workflowData]).toEqual([503, undefined]);
		expect(logged.warn).toEqual([expect.stringContaining('They start no execution')]);
	});
});

describe('an event whose start n8n does not answer', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const pass = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);

	it('may be started again a minute after its messages were handed to n8n, and not later', async () => {
		const trigger = publish({
			events: ['MESSAGE.RECEIVED'],
			options: { combineMessages: { values: { quietSeconds: 1, maxWaitSeconds: 60 } } },
		});
		const event = makeEvent({ type: 'MESSAGE.RECEIVED' });
		const first = trigger.post(event);
		await pass(1_000);
		expect((await first).answer.workflowData).toHaveLength(1);
		await pass(59_999);
		expect((await trigger.post(event)).answer).toEqual({ noWebhookResponse: true });
		await pass(1);
		const repeat = trigger.post(event);
		await pass(1_000);
		expect((await repeat).answer.workflowData).toHaveLength(1);
	});

	it('defers an older status for 6 seconds, which is new again then', async () => {
		const trigger = publish({
			events: ['MESSAGE.STATUS_UPDATED'],
			options: { ignoreOutdatedStatuses: true },
		});
		const say = (status: string) =>
			makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds: ['m'], status } });
		const read = await trigger.post(say('READ'));
		const delivered = say('DELIVERED');
		const waiting = trigger.post(delivered);
		await pass(6_000);
		expect((await waiting).status()).toBe(503);
		read.end(500);
		await pass(0);
		expect((await trigger.post(delivered)).answer.workflowData).toHaveLength(1);
	});
});
