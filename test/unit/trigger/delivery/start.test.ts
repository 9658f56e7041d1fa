import type { IWebhookFunctions, Logger } from 'n8n-workflow';
import { start } from '../../../../nodes/MessagingGateway/trigger/delivery/start';
import type { TriggerSettings } from '../../../../nodes/MessagingGateway/trigger/settings';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import type { Settlement } from '../../../../nodes/MessagingGateway/webhooks/http';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const pass = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);

/** A trigger whose deliveries start executions, of which the test says what n8n answers. */
function listen(change: Partial<TriggerSettings> = {}, mode: 'webhook' | 'manual' = 'webhook') {
	const key = { workflowId: 'workflow', nodeId: 'node', test: mode === 'manual' };
	const subscription = new Subscription(key, {} as Logger);
	const settings = { maxPerExecution: 100, confirmWhen: 'started', ...change } as TriggerSettings;
	return {
		subscription,
		/** Starts with an event that arrived at this time. */
		deliver(id: string, arrivedAt = Date.now()) {
			const settled: Settlement[] = [];
			const statuses: number[] = [];
			let hear: (settlement: Settlement) => Settlement = (settlement) => settlement;
			const ends = {
				sender: {
					headersSent: false,
					status: (code: number) => ({ json: () => statuses.push(code) }),
				},
				follow: (settle: typeof hear) => {
					hear = settle;
				},
			};
			const settle = (settlement: Settlement): Settlement => {
				settled.push(settlement);
				return settlement;
			};
			const context = { getMode: () => mode } as unknown as IWebhookFunctions;
			const item = { json: { id } };
			const said = { ids: [id], entry: { item, time: Date.now() }, settle };
			const started = start({ context, subscription, arrivedAt, ends }, said, settings);
			return {
				settled,
				statuses,
				/** What n8n answers to the execution that this delivery has started. */
				end: (settlement: Settlement) => hear(settlement),
				async items() {
					await pass(0);
					const outcome = await Promise.race([started, undefined]);
					return outcome?.workflowData?.[0].map(({ json }) => json.id);
				},
			};
		},
	};
}

/** Two events that share an execution, while another one starts. */
async function share(trigger: ReturnType<typeof listen>, ...ids: string[]) {
	const before = trigger.deliver('before');
	await before.items();
	const sharing = ids.map((id) => trigger.deliver(id));
	before.end('accepted');
	const [leading] = sharing;
	expect(await leading.items()).toEqual(ids);
	return sharing;
}

it.each([
	['where no more than one may', { maxPerExecution: 1 }, 'webhook'],
	['for the editor, which waits for one', {}, 'manual'],
] as const)('nothing shares an execution %s', async (_when, change, mode) => {
	const trigger = listen(change, mode);
	const deliveries = ['a', 'b'].map((id) => trigger.deliver(id));
	expect([await deliveries[0].items(), await deliveries[1].items()]).toEqual([['a'], ['b']]);
	for (const delivery of deliveries) {
		delivery.end('accepted');
		expect(delivery.settled).toEqual(['accepted']);
	}
});

it.each<[Settlement, number]>([
	['accepted', 200],
	['deferred', 503],
])(
	'all that share an execution learn that it was %s, and the others are answered %i',
	async (settlement, status) => {
		const [leading, riding] = await share(listen(), 'a', 'b');
		expect(leading.end(settlement)).toBe(settlement);
		await pass(0);
		expect([leading.settled, riding.settled]).toEqual([[settlement], [settlement]]);
		expect([leading.statuses, riding.statuses]).toEqual([[], [status]]);
	},
);

describe('events of an execution that has failed', () => {
	it.each([
		['succeeded', 1],
		// n8n could not start it: that says nothing of the events.
		['started', 100],
	] as const)('are tried in smaller groups if it is to have %s: %i', async (confirmWhen, size) => {
		const trigger = listen({ confirmWhen });
		const [leading] = await share(trigger, 'a', 'b');
		leading.end('deferred');
		await pass(0);
		expect(['a', 'b'].map((id) => trigger.subscription.smallerGroups.sizeFor([id], 100))).toEqual([
			size,
			size,
		]);
	});

	it('are tried like all others once they have gone well', async () => {
		const trigger = listen({ confirmWhen: 'succeeded' });
		trigger.subscription.smallerGroups.noteFailure(['a'], 10);
		const delivery = trigger.deliver('a');
		await delivery.items();
		delivery.end('accepted');
		expect(trigger.subscription.smallerGroups.sizeFor(['a'], 100)).toBe(100);
	});
});

describe('while n8n does not answer the start before', () => {
	it('an event is deferred 6 seconds after it has arrived', async () => {
		const trigger = listen();
		await trigger.deliver('before').items();
		const delivery = trigger.deliver('a', Date.now() - 1_000);
		await pass(4_999);
		expect(delivery.statuses).toEqual([]);
		await pass(1);
		expect([delivery.statuses, delivery.settled]).toEqual([[503], ['deferred']]);
	});

	it.each([
		['combined, 8.5 seconds after it has arrived', { debounce: {} }, 8_499],
		['waiting for its turn, 6 seconds after that', { maxTurnMs: 1 }, 5_999],
	])('what was said starts by itself: %s', async (_what, change, milliseconds) => {
		const trigger = listen(change as Partial<TriggerSettings>);
		await trigger.deliver('before').items();
		const arrivedAt = 'maxTurnMs' in change ? Date.now() - 60_000 : Date.now();
		const delivery = trigger.deliver('a', arrivedAt);
		await pass(milliseconds);
		expect(await delivery.items()).toBeUndefined();
		await pass(1);
		expect(await delivery.items()).toEqual(['a']);
		expect(delivery.settled).toEqual([]);
	});
});
