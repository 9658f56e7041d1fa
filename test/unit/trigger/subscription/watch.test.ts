import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { ITriggerFunctions } from 'n8n-workflow';
import { waitFor } from '../../../../host/waiting';
import { openAccount } from '../../../../nodes/MessagingGateway/question/accounts';
import {
	register,
	withdraw,
} from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { watch } from '../../../../nodes/MessagingGateway/trigger/subscription/watch';
import { DESIRED, standBesideGateway } from './besideGateway';

const SECONDS = 1_000;
const MINUTES = 60_000;
const REQUESTS_MS = [3 * SECONDS, 8 * SECONDS, 10 * SECONDS];

/** The pauses of the triggers, each of which ends when the test says so. */
const pauses: Array<{ about: number; end(): void }> = [];
const closing: Array<() => Promise<void>> = [];

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (REQUESTS_MS.includes(milliseconds)) return startTimeout(milliseconds);
		const controller = new AbortController();
		pauses.push({ about: milliseconds, end: () => controller.abort() });
		return controller.signal;
	});
});

afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	pauses.length = 0;
	jest.restoreAllMocks();
});

/** Ends the pause that the trigger makes now, and gives how long it was to be. */
async function pass(): Promise<number> {
	const pause = await waitFor('the trigger to pause', () => pauses.shift());
	pause.end();
	await waitFor('the trigger to pause again', () => pauses.length > 0);
	return pause.about;
}

/** Ends the pauses of all triggers, and lets everything happen that comes then. */
async function passAll(): Promise<void> {
	for (const pause of pauses.splice(0)) pause.end();
	await settle();
}

/** Lets everything happen that is under way. */
async function settle(): Promise<void> {
	for (let turns = 0; turns < 50; turns++) await yieldTurn();
}

type Stood = ReturnType<typeof standBesideGateway>;

async function switchOn(stood: Stood, alarm?: jest.Mock) {
	if (alarm) Object.assign(stood.trigger, { saveFailedExecution: alarm });
	const { closeFunction } = await watch.call(stood.trigger);
	closing.push(closeFunction!);
	return closeFunction!;
}

async function publish(desired = DESIRED) {
	const stood = standBesideGateway(desired);
	await stood.publish();
	const account = await openAccount(stood.trigger);
	const countChecks = () => stood.requests.filter((method) => method === 'GET').length;
	stood.requests.length = 0;
	return { ...stood, account, countChecks };
}

const REFUSED = { status: 401 };

describe('pauses', () => {
	it('are as long as documented, while all is well and during an outage', async () => {
		const stood = await publish();
		await switchOn(stood);
		expect([await pass(), await pass()]).toEqual([5 * SECONDS, 2 * MINUTES]);
		stood.answerWith('GET', REFUSED);
		expect([await pass(), await pass()]).toEqual([60 * MINUTES, 5 * MINUTES]);
		stood.answerWith('GET', undefined);
		expect([await pass(), await pass()]).toEqual([5 * MINUTES, 60 * MINUTES]);
		stood.webhooks.clear();
		// So soon it is looked whether the repair lasts.
		expect([await pass(), await pass()]).toEqual([60 * MINUTES, 5 * MINUTES]);
	});

	it('double while the gateway has not confirmed the webhook', async () => {
		const stood = standBesideGateway();
		stood.subscription.want(DESIRED);
		stood.answerWith('GET', 'silence');
		await switchOn(stood);
		const made: number[] = [];
		for (let times = 0; times < 6; times++) made.push((await pass()) / SECONDS);
		expect(made).toEqual([5, 12, 24, 48, 96, 120]);
	});
});

it('a webhook that is on a page which cannot be read is checked every hour, also after a repair', async () => {
	const stood = await publish();
	await switchOn(stood);
	await pass();
	stood.webhooks.clear();
	await pass();
	const data = [{ ...DESIRED, id: 'wh_other', url: 'https://shop.example.com/hook' }];
	stood.answerWith('GET', { status: 200, body: { data, has_more: true } });
	const made: number[] = [];
	for (let times = 0; times < 4; times++) made.push((await pass()) / MINUTES);
	expect(made).toEqual([5, 60, 60, 60]);
});

describe('a check that is asked for', () => {
	it('is one, however often it is asked for at once, and another one later', async () => {
		const stood = await publish();
		await switchOn(stood);
		const { switchedOn } = stood.subscription;
		for (let times = 0; times < 3; times++) switchedOn?.checkSoon();
		await settle();
		expect(stood.countChecks()).toBe(1);
		switchedOn?.checkSoon();
		await settle();
		expect(stood.countChecks()).toBe(2);
	});

	it('lets the trigger forward messages again, as after a webhook that was gone', async () => {
		const stood = await publish();
		await switchOn(stood);
		await settle();
		stood.account.forwarders.clear();
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		expect([...stood.account.forwarders.values()]).toMatchObject([{ isProven: true }]);
	});

	it('does not come any more, once n8n has switched the trigger off', async () => {
		const stood = await publish();
		const close = await switchOn(stood);
		const { switchedOn } = stood.subscription;
		await close();
		switchedOn?.checkSoon();
		await settle();
		expect(stood.requests).toEqual([]);
	});

	it.each([
		['says at once what lasts', REFUSED, 1],
		['says nothing of what may be over soon', { status: 502 }, 0],
	])('%s', async (_what, answer, said) => {
		const stood = await publish();
		await switchOn(stood);
		stood.answerWith('GET', answer);
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		expect(stood.said).toHaveLength(said);
	});

	it('says nothing of a trigger that is no longer published', async () => {
		const stood = await publish();
		const close = await switchOn(stood);
		stood.answerWith('GET', REFUSED);
		let closed = Promise.resolve();
		stood.during('GET', async () => await Promise.resolve(void (closed = close())));
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		await closed;
		expect(stood.said).toEqual([]);
	});

	it('says what it has repaired', async () => {
		const stood = await publish();
		await switchOn(stood);
		stood.webhooks.clear();
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		expect(stood.said).toContainEqual(
			expect.stringContaining('The trigger has created a new one.'),
		);
	});
});

describe('the alarm', () => {
	async function raise(answer: object, alarm?: jest.Mock) {
		const stood = await publish();
		await switchOn(stood, alarm);
		stood.answerWith('GET', answer as typeof REFUSED);
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		return stood;
	}

	it('is a failed execution, which says what happened and what to do', async () => {
		const alarm = jest.fn();
		const { trigger } = await raise(REFUSED, alarm);
		expect(alarm.mock.contexts).toEqual([trigger]);
		const [[{ message, description }]] = alarm.mock.calls as [[Record<string, string>]];
		expect(message).toMatch(/^The trigger cannot check its webhook: [^.]+$/);
		expect(description).toContain('The trigger checks again every few minutes.');
		expect(message).not.toContain(description.split('. ')[0]);
	});

	it('is a line in the log alone, where n8n has no such thing', async () => {
		const { said } = await raise(REFUSED);
		expect(said).toEqual([expect.stringContaining('The trigger cannot check its webhook')]);
	});

	it('is raised at once, where a repair did not last', async () => {
		const alarm = jest.fn();
		const stood = await publish();
		await switchOn(stood, alarm);
		for (let times = 0; times < 2; times++) {
			stood.webhooks.clear();
			stood.subscription.switchedOn?.checkSoon();
			await settle();
		}
		expect(alarm).toHaveBeenCalledTimes(1);
	});

	it('tells what keeps deliveries away, rather than what their time stamps would', async () => {
		const alarm = jest.fn();
		const stood = await publish();
		await switchOn(stood, alarm);
		stood.n8n.selfTest = { status: 401, body: { received: 'other' } };
		stood.subscription.clock.noteRefused(0);
		stood.subscription.switchedOn?.checkSoon();
		await settle();
		expect(alarm).toHaveBeenCalledWith(
			expect.objectContaining({ message: expect.stringContaining('on the way changes them') }),
		);
	});
});

// docs/under-the-hood/webhook-checks.md, "The self-test".
describe('where n8n cannot reach its own address', () => {
	async function publishUnreached() {
		const stood = await publish();
		stood.n8n.selfTest = { status: 500, body: {} };
		const alarm = jest.fn();
		await switchOn(stood, alarm);
		await pass();
		return { ...stood, alarm };
	}

	it('a check that works ends an outage: the next one raises the alarm again', async () => {
		const { answerWith, alarm } = await publishUnreached();
		for (let times = 1; times <= 2; times++) {
			answerWith('GET', REFUSED);
			await pass();
			expect(alarm).toHaveBeenCalledTimes(times);
			answerWith('GET', undefined);
			await pass();
			expect(await pass()).toBe(60 * MINUTES);
		}
	});

	it('what has passed between two checks is no outage, however often it happens', async () => {
		const { answerWith, alarm } = await publishUnreached();
		for (let times = 0; times < 3; times++) {
			answerWith('GET', { status: 502 });
			await pass();
			answerWith('GET', undefined);
			await pass();
		}
		expect(alarm).not.toHaveBeenCalled();
	});
});

it('the self-test alone does not end that the webhook cannot be checked', async () => {
	const stood = await publish();
	const alarm = jest.fn();
	await switchOn(stood, alarm);
	stood.answerWith('GET', REFUSED);
	stood.subscription.switchedOn?.checkSoon();
	await settle();
	await pass();
	expect(stood.requests).toContain('self-test');
	await pass();
	expect(alarm).toHaveBeenCalledTimes(1);
	expect(await pass()).toBe(5 * MINUTES);
});

describe('switching off', () => {
	it('leaves what another process may go on with', async () => {
		const stood = await publish();
		const close = await switchOn(stood);
		await waitFor('the trigger to be known', () => stood.account.forwarders.size > 0);
		await close();
		expect(stood.subscription.switchedOn).toBeUndefined();
		expect(['starting', 'presumed']).toContain(stood.subscription.standing);
		expect(stood.account.forwarders.size).toBe(0);
		await settle();
		expect(stood.requests).toEqual([]);
	});

	it('leaves alone what was switched on since', async () => {
		const stood = await publish();
		const close = await switchOn(stood);
		await switchOn(stood);
		const { switchedOn } = stood.subscription;
		await close();
		expect(stood.subscription.switchedOn).toBe(switchedOn);
		expect(stood.subscription.standing).toBe('confirmed');
	});

	it('waits for a webhook that is just being made', async () => {
		const stood = await publish();
		const close = await switchOn(stood);
		stood.webhooks.clear();
		let goOn = () => {};
		const made = new Promise<void>((resolve) => (goOn = resolve));
		stood.during('POST', async () => await made);
		stood.subscription.switchedOn?.checkSoon();
		await waitFor('the creation', () => stood.requests.includes('POST'));
		const closed = close().then(() => [...stood.webhooks.keys()]);
		await settle();
		goOn();
		expect(await closed).toEqual([]);
	});
});

it('a new publication knows of no outage and no repair of the last one', async () => {
	const stood = await publish();
	stood.subscription.repairs.set('gone', { how: 'replaced', at: Date.now() });
	stood.subscription.conditions.note({
		check: { message: 'Down', advice: '', isPassing: false },
	});
	await switchOn(stood);
	expect(stood.subscription.conditions.hasOutage).toBe(false);
	stood.webhooks.clear();
	stood.subscription.switchedOn?.checkSoon();
	await settle();
	expect(stood.webhooks.size).toBe(1);
});

// n8n does so where a publication failed, and the next one finds the webhook alone missing.
describe('a trigger that n8n switches on again without having switched it off', () => {
	it('leaves the webhook to the later one, also in another account', async () => {
		const stood = await publish();
		await switchOn(stood);
		const close = await switchOn(stood);
		const other = standBesideGateway();
		Object.assign(other.hook, { getWorkflow: () => stood.trigger.getWorkflow() });
		const { subscription } = stood;
		await Promise.all([close(), withdraw(subscription, stood.hook, DESIRED.url)]);
		await register(subscription, other.hook, DESIRED);
		await switchOn(other);
		const [made] = other.webhooks.keys();
		for (let hours = 0; hours < 8; hours++) {
			await passAll();
			expect(subscription.ownRecord?.webhookId).toBe(made);
		}
		expect(stood.webhooks.size).toBe(0);
	});

	it('makes no webhook for a workflow that is unpublished after an update of the package', async () => {
		const stood = await publish();
		await switchOn(stood);
		await switchOn(stood);
		stood.subscription.handOver();
		stood.webhooks.clear();
		for (let hours = 0; hours < 8; hours++) await passAll();
		expect(stood.webhooks.size).toBe(0);
	});

	it('raises no alarm about the credential from before', async () => {
		const stood = await publish();
		const alarm = jest.fn();
		// n8n gives each call a context of its own.
		const before = { ...stood.trigger, saveFailedExecution: alarm };
		await switchOn({ ...stood, trigger: before as unknown as ITriggerFunctions });
		await switchOn(stood);
		const deleted = async () => await Promise.reject(new Error('Credential does not exist'));
		Object.assign(before, { getCredentials: deleted });
		for (let hours = 0; hours < 8; hours++) await passAll();
		expect(alarm).not.toHaveBeenCalled();
	});
});

describe('questions', () => {
	it('are told of a trigger at once, which forwards as soon as its self-test has arrived', async () => {
		const stood = await publish();
		await switchOn(stood);
		const proven = () => [...stood.account.forwarders.values()].map(({ isProven }) => isProven);
		await waitFor('the trigger to be known', () => proven().length > 0);
		expect(proven()).toEqual([false]);
		await pass();
		expect(proven()).toEqual([true]);
		stood.n8n.selfTest = { status: 500 };
		await pass();
		expect(proven()).toEqual([]);
	});

	it('are left alone by a trigger whose webhook is not confirmed', async () => {
		const stood = standBesideGateway();
		stood.subscription.want(DESIRED);
		stood.answerWith('GET', 'silence');
		await switchOn(stood);
		await pass();
		const account = await openAccount(stood.trigger);
		expect(account.forwarders.size).toBe(0);
	});

	it('are left alone by a trigger that does not get all messages', async () => {
		const stood = await publish({ ...DESIRED, events: ['MESSAGE.SENT'] });
		await switchOn(stood);
		await pass();
		expect(stood.account.forwarders.size).toBe(0);
	});

	it('that are over are removed with each check, and a check goes on where they are not listed', async () => {
		const stood = await publish();
		const url = `https://n8n.example.com/webhook-waiting/7/node?asked=5511900000001&until=1000&signature=x`;
		stood.webhooks.set('wh_7', { id: 'wh_7', url, events: ['MESSAGE.RECEIVED'] });
		await switchOn(stood);
		await pass();
		expect([...stood.webhooks.keys()]).not.toContain('wh_7');
		let lists = 0;
		stood.during('GET', async () => {
			lists++;
			stood.during('GET', async () => await Promise.resolve(void stood.answerWith('GET', REFUSED)));
			await Promise.resolve();
		});
		expect(await pass()).toBe(2 * MINUTES);
		expect(lists).toBe(1);
		stood.answerWith('GET', undefined);
		expect(await pass()).toBe(60 * MINUTES);
	});
});

it('a trigger with manual webhook setup, or for which the editor listens, does nothing by itself', async () => {
	for (const n8n of [{ mode: 'manual' }, { parameters: { webhookSetup: 'manual' } }]) {
		const stood = standBesideGateway();
		Object.assign(stood.n8n, n8n);
		expect(await watch.call(stood.trigger as ITriggerFunctions)).toEqual({});
	}
	expect(pauses).toEqual([]);
});
