import { setImmediate as yieldTurn } from 'node:timers/promises';
import { hooks } from '../../../../nodes/MessagingGateway/trigger/subscription/hooks';
import { watch } from '../../../../nodes/MessagingGateway/trigger/subscription/watch';
import type { Answered } from '../../gatewayContext';
import { DESIRED, standBesideGateway } from './besideGateway';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));

let close: (() => Promise<void>) | undefined;

afterEach(async () => {
	await close?.();
	close = undefined;
	jest.useRealTimers();
});

/** Waits for what pauses in between. */
async function finish<T>(work: Promise<T>): Promise<T> {
	let isOver = false;
	const end = () => void (isOver = true);
	work.then(end, end);
	while (!isOver) {
		await jest.advanceTimersByTimeAsync(100);
		await yieldTurn();
	}
	return await work;
}

/** n8n 2.41 around a trigger, as far as it matters: its `workflows/triggers` and `workflows/publication`. */
function stand() {
	const stood = standBesideGateway();
	stood.n8n.parameters = { events: DESIRED.events };
	/** Whether n8n takes the webhook for registered. */
	let isRegistered = false;
	let isSwitchedOn = false;

	const register = async (): Promise<void> => {
		isRegistered = true;
		try {
			if (!(await hooks.checkExists.call(stood.hook))) await hooks.create.call(stood.hook);
		} catch (error) {
			await hooks.delete.call(stood.hook).then(
				() => (isRegistered = false),
				() => {},
			);
			throw error;
		}
	};
	const switchOn = async (): Promise<void> => {
		({ closeFunction: close } = await watch.call(stood.trigger));
		isSwitchedOn = true;
	};

	/** Registers what is not registered. */
	const publish = async (): Promise<void> => {
		if (isRegistered && isSwitchedOn) return;
		const [registered] = await Promise.allSettled([register(), switchOn()]);
		if (registered.status === 'rejected') throw registered.reason;
	};
	/** Gives how its first try to delete the webhook ended; n8n makes three. */
	const unpublish = async () => {
		const switchOff = close;
		isRegistered = false;
		isSwitchedOn = false;
		close = undefined;
		const [deleted] = await Promise.allSettled([hooks.delete.call(stood.hook), switchOff?.()]);
		return deleted.status;
	};
	return {
		...stood,
		publish: async () => await finish(publish()),
		unpublish: async () => await finish(unpublish()),
	};
}

const OUTAGES: Array<[string, Answered | 'silence']> = [
	['cannot be reached', 'silence'],
	['refuses the token', { status: 401 }],
];

it.each(OUTAGES)(
	'a first publication while the gateway %s fails, and the next one makes the webhook',
	async (_how, answer) => {
		const { publish, answerWith, webhooks, subscription } = stand();
		answerWith('GET', answer);
		await expect(publish()).rejects.toThrow();
		answerWith('GET', undefined);
		await publish();
		expect([...webhooks.values()]).toMatchObject([DESIRED]);
		expect(subscription).toMatchObject({ desired: DESIRED, isUnpublished: false });
	},
);

it.each(OUTAGES)(
	'so does a change that is published while the gateway %s: one webhook is left',
	async (_how, answer) => {
		const { publish, unpublish, answerWith, webhooks, subscription } = stand();
		await publish();
		answerWith('GET', answer);
		await unpublish();
		await expect(publish()).rejects.toThrow();
		answerWith('GET', undefined);
		await publish();
		expect([...webhooks.keys()]).toEqual([subscription.ownRecord?.webhookId]);
		expect(subscription).toMatchObject({ desired: DESIRED, isUnpublished: false });
	},
);

it('a change to manual webhook setup without its secret fails while the gateway is silent, and n8n can forget it', async () => {
	const { publish, unpublish, n8n, hook, answerWith, subscription } = stand();
	await publish();
	answerWith('GET', 'silence');
	await unpublish();
	n8n.parameters = { ...n8n.parameters, webhookSetup: 'manual' };
	await expect(publish()).rejects.toThrow('no webhook secret');
	const credential = {
		...(await hook.getCredentials('')),
		webhookSecret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
	};
	Object.assign(hook, { getCredentials: async () => await Promise.resolve(credential) });
	await publish();
	expect(subscription).toMatchObject({ desired: DESIRED, isUnpublished: false });
});

it('unpublishing while the gateway does not answer fails, so that n8n tries again', async () => {
	const { publish, unpublish, answerWith } = stand();
	await publish();
	answerWith('GET', 'silence');
	expect(await unpublish()).toBe('rejected');
});
