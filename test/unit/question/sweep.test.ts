import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import { arrangeQuestions } from '../../../nodes/MessagingGateway/question/sweep';
import { gatewayContext } from '../gatewayContext';

const OWN = 'https://n8n.example.com/webhook/hook';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A gateway with parked questions that takes so many changes at once. */
function park(questions: number, atOnce: number): { awake: Set<string>; context: GatewayContext } {
	const url = `https://n8n.example.com/webhook-waiting/7/node?asked=5511987654321&until=${Date.now() + 3_600_000}&signature=x`;
	const data = [...Array(questions).keys()].map((index) => ({
		id: `wh_${index}`,
		url,
		events: ['QRCODE.UPDATED'],
	}));
	const awake = new Set<string>();
	let taken = { at: 0, count: 0 };
	const context = gatewayContext({
		answer({ method, url: asked }) {
			if (method === 'GET') return { status: 200, body: { data } };
			if (taken.at !== Date.now()) taken = { at: Date.now(), count: 0 };
			if (++taken.count > atOnce) return { status: 429 };
			awake.add(asked.split('/').at(-1)!);
			return { status: 200, body: { data: {} } };
		},
	});
	return { awake, context: context as unknown as GatewayContext };
}

/** What it comes to, with each pause over as soon as it begins. */
async function arrange(context: GatewayContext): Promise<string> {
	let outcome = '';
	arrangeQuestions(context, OWN).then(
		() => (outcome = 'done'),
		({ message }: Error) => (outcome = message),
	);
	while (outcome === '') {
		await yieldTurn();
		if (jest.getTimerCount() > 0) await jest.advanceTimersToNextTimerAsync();
	}
	return outcome;
}

describe('questions that get their messages themselves again', () => {
	it('are all changed, however few the gateway changes at a time', async () => {
		const { awake, context } = park(6, 1);
		expect(await arrange(context)).toBe('done');
		expect(awake.size).toBe(6);
	});

	it('are given up where the gateway changes none of them', async () => {
		const { awake, context } = park(6, 0);
		expect(await arrange(context)).toBe('the gateway did not change 6 of them');
		expect(awake.size).toBe(0);
	});
});
