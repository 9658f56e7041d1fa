import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../../../host/waiting';
import type { GatewayEvent } from '../../../../simulator';
import { makeEvent } from '../../../contract/deliveries';
import { handOver, pass, publish, useFakeClock } from '../../../support/receiving';
import type { ReceiverOptions } from '../../../support/webhookReceiver';

const MAX_TURN_MS = 5 * 60_000;
/** The sender is answered so long after the event was handed to n8n. */
const ANSWER_MS = 1_000;

useFakeClock();

function makeMessage(text: string, chat = 'ana'): GatewayEvent {
	return makeEvent({
		timestamp: new Date().toISOString(),
		data: { messageId: text, text, chat: { id: chat, type: 'CONTACT' }, sender: { id: chat } },
	});
}

/** A trigger that takes one turn at a time, and executions that last until the test ends them. */
async function listen(
	options: Record<string, NodeParameterValueType> = {},
	others: ReceiverOptions & { events?: string[] } = {},
) {
	const ends: Array<(error?: Error) => void> = [];
	const { events = ['MESSAGE.RECEIVED'], ...more } = others;
	const published = await publish(
		{ events, output: 'simplified', options: { oneTurnAtATime: { values: {} }, ...options } },
		{
			beforeEnd: async () =>
				await new Promise<void>((resolve, reject) => {
					ends.push((error) => (error ? reject(error) : resolve()));
				}),
			...more,
		},
	);
	const { receiver } = published;
	const deliver = async (event: GatewayEvent) => await handOver(published, event);
	const say = async (...texts: string[]) => {
		const all: Array<{ status: Promise<number> }> = [];
		for (const text of texts) {
			all.push(await deliver(makeMessage(text)));
			await pass(10);
		}
		return all;
	};
	const statuses = async (all: Array<{ status: Promise<number> }>) => {
		await pass(ANSWER_MS);
		return await Promise.all(all.map(async ({ status }) => await status));
	};
	/** Waits for so many executions to run, and ends the oldest that still runs. */
	const endNext = async (error?: Error) => {
		await waitFor('an execution to run', () => ends.length > 0);
		ends.shift()?.(error);
		await new Promise(setImmediate);
		await pass(0);
	};
	const running = async (count: number) =>
		await waitFor(`${count} executions`, () => receiver.executions.length >= count);
	afterEnds.push(() => ends.splice(0).forEach((end) => end()));
	return { ...published, deliver, say, statuses, endNext, running };
}

const afterEnds: Array<() => void> = [];
afterEach(() => afterEnds.splice(0).forEach((end) => end()));

const textsOf = (executions: INodeExecutionData[][]) =>
	executions.map((items) => items.map(({ json }) => json.text));

it('starts the next execution when the one before has ended, with all that has come meanwhile in one item', async () => {
	const { receiver, say, statuses, endNext, running } = await listen();
	expect(await statuses(await say('Hi'))).toEqual([200]);
	const waiting = await say('one', 'two', 'three');
	await pass(3_000);
	expect(textsOf(receiver.executions)).toEqual([['Hi']]);

	await endNext();
	await running(2);
	expect(await statuses(waiting)).toEqual([200, 200, 200]);
	expect(textsOf(receiver.executions)).toEqual([['Hi'], ['one\ntwo\nthree']]);
	expect(receiver.executions[1][0].json.messages).toMatchObject([
		{ text: 'one' },
		{ text: 'two' },
		{ text: 'three' },
	]);
});

it('delays no other conversation, and no event that belongs to none', async () => {
	const events = ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'];
	const { receiver, deliver, statuses } = await listen({}, { events });
	const connection = makeEvent({ type: 'CONNECTION.UPDATED', data: { status: 'CONNECTED' } });
	const all = [
		await deliver(makeMessage('Hi', 'ana')),
		await deliver(makeMessage('Hello', 'bruno')),
		await deliver(connection),
		await deliver({ ...connection, id: `${connection.id} too` }),
	];
	expect(await statuses(all)).toEqual([200, 200, 200, 200]);
	expect(receiver.executions).toHaveLength(4);
});

it('defers what has waited 8.5 seconds, and its repeats too, keeps it, and starts it without them', async () => {
	const { receiver, say, deliver, statuses, endNext, running } = await listen();
	await statuses(await say('Hi'));
	const message = makeMessage('still there?');
	for (let tries = 0; tries < 2; tries++) {
		const { status } = await deliver(message);
		await pass(8_500);
		expect(await status).toBe(503);
	}
	expect(receiver.executions).toHaveLength(1);
	const last = await deliver(message);
	await endNext();
	await running(2);
	expect(await statuses([last])).toEqual([200]);
	await pass(ANSWER_MS);
	expect(await statuses([await deliver(message)])).toEqual([200]);
	expect(textsOf(receiver.executions)).toEqual([['Hi'], ['still there?']]);
});

it('acknowledges at once when it is to confirm what it has received, and lets it wait for a minute', async () => {
	const { receiver, say, deliver, endNext, running } = await listen({
		confirmWhen: 'received',
		combineMessages: { values: { quietSeconds: 60, maxWaitSeconds: 60 } },
	});
	const message = makeMessage('you');
	const all = [...(await say('Hi')), await deliver(message), await deliver(message)];
	expect(await Promise.all(all.map(async ({ status }) => await status))).toEqual([200, 200, 200]);
	await pass(59_000);
	expect(receiver.executions).toEqual([]);
	await pass(1_000);
	await running(1);
	expect(await (await say('and'))[0].status).toBe(200);
	await endNext(new Error('it failed'));
	await pass(60_000);
	await running(2);
	expect(textsOf(receiver.executions)).toEqual([['Hi\nyou'], ['and']]);
});

describe('when the execution succeeds', () => {
	const confirmWhen = 'succeeded';

	it('acknowledges at the end, whatever has come meanwhile', async () => {
		const { receiver, deliver, statuses, endNext, running } = await listen({ confirmWhen });
		const messages = ['Hi', 'you'].map((text) => makeMessage(text));
		const [first, second] = [await deliver(messages[0]), await deliver(messages[1])];
		await pass(8_500);
		expect(await statuses([first, second])).toEqual([503, 503]);
		await endNext();
		await running(2);
		expect(await statuses([await deliver(messages[0])])).toEqual([200]);
		await endNext();
		expect(await statuses([await deliver(messages[1])])).toEqual([200]);
		expect(textsOf(receiver.executions)).toEqual([['Hi'], ['you']]);
	});

	it('lets the repeat of a failed one join what waits', async () => {
		const { receiver, deliver, statuses, endNext, running } = await listen({ confirmWhen });
		const [first, second, third] = ['Hi', 'you', 'there'].map((text) => makeMessage(text));
		const failing = await deliver(first);
		await pass(10);
		const waiting = await deliver(second);
		await endNext(new Error('it failed'));
		expect(await failing.status).toBe(503);
		await running(2);
		const repeat = [await deliver(first), await deliver(third)];
		await endNext();
		expect(await waiting.status).toBe(200);
		await running(3);
		await endNext();
		expect(await statuses(repeat)).toEqual([200, 200]);
		expect(textsOf(receiver.executions)).toEqual([['Hi'], ['you'], ['Hi\nthere']]);
	});
});

it('has ended its turn with a failure, which is no reason to repeat an event whose execution has started', async () => {
	const { receiver, say, deliver, statuses, endNext, running } = await listen();
	const message = makeMessage('Hi');
	expect(await statuses([await deliver(message)])).toEqual([200]);
	await say('you');
	await endNext(new Error('it failed'));
	await running(2);
	expect(await statuses([await deliver(message)])).toEqual([200]);
	expect(textsOf(receiver.executions)).toEqual([['Hi'], ['you']]);
});

it('defers what n8n cannot start, and lets what waits start', async () => {
	let starts = 0;
	const beforeStart = async () => {
		starts += 1;
		if (starts > 1) return;
		await pass(0);
		throw new Error('database is locked');
	};
	const { receiver, deliver, say, statuses } = await listen({}, { beforeStart });
	const message = makeMessage('Hi');
	expect(await statuses([await deliver(message)])).toEqual([503]);
	expect(await statuses(await say('you'))).toEqual([200]);
	expect(textsOf(receiver.executions)).toEqual([['you']]);
});

it('starts beside an execution of which n8n tells nothing for longer than Max Turn', async () => {
	const { receiver, say, statuses, running } = await listen();
	await statuses(await say('Hi'));
	const waiting = await say('Hello?');
	await pass(MAX_TURN_MS - 3_000);
	expect(receiver.executions).toHaveLength(1);
	await pass(2_000);
	await running(2);
	expect(await statuses(waiting)).toEqual([503]);
	expect(textsOf(receiver.executions)).toEqual([['Hi'], ['Hello?']]);
});

it('waits for the end of a turn and for somebody to finish writing', async () => {
	const { receiver, say, statuses, endNext, running } = await listen({
		combineMessages: { values: { quietSeconds: 2 } },
	});
	const first = await say('Hi', 'you');
	await pass(2_000);
	expect(await statuses(first)).toEqual([200, 200]);
	const waiting = await say('and');
	await endNext();
	await pass(1_000);
	waiting.push(...(await say('another')));
	await pass(1_500);
	expect(receiver.executions).toHaveLength(1);
	await pass(500);
	await running(2);
	expect(await statuses(waiting)).toEqual([200, 200]);
	expect(textsOf(receiver.executions)).toEqual([['Hi\nyou'], ['and\nanother']]);
});
