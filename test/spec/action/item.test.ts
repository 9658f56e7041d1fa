import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { ItemWorker } from '../../../nodes/MessagingGateway/action/item';
import { findOperation } from '../../../nodes/MessagingGateway/operations';
import { gatewayContext } from '../../support/gatewayContext';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => void jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/**
 * Sends messages, each after so many seconds of typing.
 *
 * @returns when typing was first shown and when the message went out, for each item, in milliseconds
 */
async function sendAll(typing: number[], perMinute: number, isTogether: boolean) {
	const typed: number[] = [];
	const sent: number[] = [];
	const gateway = gatewayContext({
		answer: ({ url, body }: IHttpRequestOptions) => {
			const index = Number.parseInt((JSON.parse(String(body)) as { to: string }).to);
			if (url.endsWith('/presence')) {
				typed[index] ??= Date.now() - NOW;
				return { status: 200, body: { data: { success: true } } };
			}
			sent[index] = Date.now() - NOW;
			return { status: 202, body: { data: { messageId: 'M1' } } };
		},
	});
	const context = {
		...gateway,
		getCredentials: async () => ({
			...(await gateway.getCredentials()),
			instanceToken: 'svc_inst_abcdefgh',
		}),
		getParentNodes: () => [],
		getInputData: () => typing.map(() => ({ json: {} })),
		getExecutionCancelSignal: () => undefined,
		getNodeParameter: (name: string, index: number) =>
			({
				to: { __rl: true, mode: 'id', value: `${index}@lid` },
				text: 'Hello',
				options: { messagesPerMinute: perMinute, typingSeconds: typing[index] },
			})[name],
	} as unknown as IExecuteFunctions;
	const operation = findOperation('message', 'sendText')!;
	const worker = new ItemWorker(context, operation, new AbortController().signal);
	const settleAll = async () => {
		const outcomes: unknown[] = [];
		for (const index of typing.keys()) {
			const outcome = worker.settle(index);
			outcomes.push(isTogether ? outcome : await outcome);
		}
		return await Promise.all(outcomes);
	};
	const all = settleAll();
	let isDone = false;
	void all.then(() => (isDone = true));
	for (let steps = 0; steps < 4_000 && !isDone; steps++) {
		await jest.advanceTimersByTimeAsync(100);
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(await all).toEqual(
		typing.map(() => expect.objectContaining({ result: expect.anything() })),
	);
	return { typed, sent };
}

describe('Messages Per Minute', () => {
	it.each<[string, number[]]>([
		['never', Array<number>(25).fill(0)],
		['as long as its text is', Array.from({ length: 20 }, (_, index) => 60 - 3 * index)],
		['only for some', Array.from({ length: 40 }, (_, index) => (index < 20 ? 60 : 0))],
	])('holds in every minute, where typing is shown %s', async (_how, typing) => {
		const { sent } = await sendAll(typing, 20, true);
		const inMinuteFrom = (from: number) =>
			sent.filter((at) => at >= from && at < from + MINUTE).length;
		expect(Math.max(...sent.map(inMinuteFrom))).toBeLessThanOrEqual(20);
	});
});
