import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../../../lab/host/waiting';
import type { GatewayEvent } from '../../../../lab/simulator';
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
	others: ReceiverOptions = {},
) {
	const ends: Array<(error?: Error) => void> = [];
	afterEnds.push(() => ends.splice(0).forEach((end) => end()));

	const published = await publish(
		{ output: 'simplified', options: { oneTurnAtATime: { values: {} }, ...options } },
		{
			beforeEnd: async () =>
				await new Promise<void>((resolve, reject) => {
					ends.push((error) => (error ? reject(error) : resolve()));
				}),
			...others,
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

	return { ...published, deliver, say, statuses, endNext, running };
}

const afterEnds: Array<() => void> = [];
afterEach(() => afterEnds.splice(0).forEach((end) => end()));

const textsOf = (executions: INodeExecutionData[][]) =>
	executions.map((items) => items.map(({ json }) => json.text));

it('acknowledges at once when it is to confirm what it has received, and lets it wait for a minute', async () => {
	const { receiver, say, deliver, endNext, running } = await listen({
		confirmWhen: 'received',
		combineMessages: { values: { quietSeconds: 40, maxWaitSeconds: 60 } },
	});
	const message = makeMessage('you');
	const all = await say('Hi');
	await pass(30_000);
	all.push(await deliver(message), await deliver(message));
	expect(await Promise.all(all.map(async ({ status }) => await status))).toEqual([200, 200, 200]);
	await pass(29_900);
	expect(receiver.executions).toEqual([]);
	await pass(100);
	await running(1);
	expect(await (await say('and'))[0].status).toBe(200);
	await endNext(new Error('it failed'));
	await pass(60_000);
	await running(2);
	expect(textsOf(receiver.executions)).toEqual([['Hi\nyou'], ['and']]);
});

it('starts beside an execution of which n8n tells nothing for longer than Max Turn', async () => {
	const { receiver, say, statuses, running } = await listen();
	const texts = ['Hi', 'Hello?', 'Are you there?'];
	await statuses(await say(texts[0]));
	// Also if that had to wait itself.
	for (const turns of [1, 2]) {
		const waiting = await say(texts[turns]);
		await pass(MAX_TURN_MS - 3_000);
		expect(receiver.executions).toHaveLength(turns);
		await pass(2_000);
		await running(turns + 1);
		expect(await statuses(waiting)).toEqual([503]);
	}
	expect(textsOf(receiver.executions)).toEqual(texts.map((text) => [text]));
});

it.each(['received', 'started', 'succeeded'])(
	'confirmed when %s, defers the message after the 300 that may wait for their turn, until there is room',
	async (confirmWhen) => {
		const { receiver, say, deliver, endNext, running } = await listen({ confirmWhen });
		await say('Hi');
		for (let waiting = 0; waiting < 300; waiting++) await deliver(makeMessage(`${waiting}`));
		const next = makeMessage('one more');
		expect(await (await deliver(next)).status).toBe(503);

		await endNext();
		await running(2);
		await deliver(next);
		for (const turn of [3, 4, 5]) {
			await endNext();
			await running(turn);
		}
		await endNext();

		const messages = receiver.executions.map(([{ json }]) => (json.messages as object[]).length);
		expect(messages).toEqual([1, 100, 100, 100, 1]);
	},
);
