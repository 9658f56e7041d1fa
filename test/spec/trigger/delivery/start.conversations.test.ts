import type { INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import type { GatewayEvent } from '../../../../lab/simulator';
import { makeEvent } from '../../../contract/deliveries';
import { handOver, pass, publish, useFakeClock } from '../../../support/receiving';
import type { ReceiverOptions } from '../../../support/webhookReceiver';

const QUIET_MS = 4_000;

useFakeClock();

interface Place {
	chat?: string;
	group?: string;
	/** Of the gateway: which number is written to. */
	instanceId?: string;
	data?: Record<string, unknown>;
}

/** Somebody writes: the chat with one person, or in a group. */
function makeMessage(
	text: string | undefined,
	{ chat = 'ana', group, instanceId = 'inst_1', data }: Place = {},
) {
	return makeEvent({
		instanceId,
		timestamp: new Date().toISOString(),
		data: {
			messageId: `m ${text}`,
			fromMe: false,
			...(text !== undefined && { text }),
			messageType: 'TEXT',
			chat: group ? { id: `${group}@g.us`, type: 'GROUP' } : { id: chat, type: 'CONTACT' },
			sender: { id: chat },
			...data,
		},
	});
}

/** The trigger's options with messages combined. */
const combine = (
	values: { quietSeconds: number; maxWaitSeconds?: number },
	others: Record<string, NodeParameterValueType> = {},
): Record<string, NodeParameterValueType> => ({ combineMessages: { values }, ...others });

async function listen(
	options: Record<string, NodeParameterValueType> = {},
	{ output = 'raw', ...others }: ReceiverOptions & { output?: string } = {},
	...id: [workflow?: string, node?: string]
) {
	const published = await publish(
		{
			output,
			chatTypes: [],
			options: {
				...combine({ quietSeconds: QUIET_MS / 1_000 }),
				...options,
			},
		},
		others,
		...id,
	);
	const deliver = async (event: GatewayEvent) => await handOver(published, event);

	/** Somebody writes one message after another, so many milliseconds apart. */
	const say = async (texts: string[], place: Place = {}, apart = 1_000) => {
		const statuses: Array<Promise<number>> = [];
		for (const text of texts) {
			statuses.push((await deliver(makeMessage(text, place))).status);
			await pass(apart);
		}
		return statuses;
	};

	return { ...published, deliver, say };
}

const textsOf = (executions: INodeExecutionData[][]) =>
	executions.map((items) => items.map(({ json }) => json.allText));
const all = async (statuses: Array<Promise<number>>) => await Promise.all(statuses);

it.each([
	['answers all of it then', 2_000, [200, 200, 200]],
	['has answered 503 after 8.5 seconds', 2_900, [503, 200, 200]],
])('starts once with all that somebody writes, and %s', async (_what, apart, expected) => {
	const { receiver, say } = await listen();
	const statuses = await say(['Hi', "I'm Ana", 'about my order'], {}, apart);
	await pass(QUIET_MS - apart - 1);
	expect(receiver.executions).toEqual([]);
	const isEarly = expected.map((status) => status === 503);
	expect(receiver.answers.map(({ writableEnded }) => writableEnded)).toEqual(isEarly);
	await pass(1);
	expect(await all(statuses)).toEqual(expected);
	expect(textsOf(receiver.executions)).toEqual([["Hi\nI'm Ana\nabout my order"]]);
});

describe('the item', () => {
	it.each(['raw', 'simplified'])(
		'of messages without a text has none either, with output %s',
		async (output) => {
			const { receiver, say } = await listen({}, { output });
			const statuses = await say(['', '']);
			await pass(QUIET_MS);
			await all(statuses);

			const [[{ json }]] = receiver.executions;
			expect(json.messages).toHaveLength(2);
			for (const field of ['text', 'chatInput', 'allText']) expect(json).not.toHaveProperty(field);
		},
	);

	it('is the last event with all events and texts beside it, in the order of their timestamps', async () => {
		const { receiver, deliver } = await listen();
		const first = makeEvent({ ...makeMessage('one'), timestamp: new Date(0).toISOString() });
		const second = makeEvent({ ...makeMessage('two'), timestamp: new Date(1_000).toISOString() });
		// Without a time stamp, the time of arrival counts.
		const third = makeEvent({ ...makeMessage(undefined), timestamp: undefined });
		const statuses = [third, first, second].map(async (event) => await deliver(event));
		const delivered = await Promise.all(statuses);
		await pass(QUIET_MS);
		await all(delivered.map(({ status }) => status));

		const [[{ json }]] = receiver.executions;
		const { id, data } = third;
		expect(json).toMatchObject({ id, data, replyTo: 'ana', allText: 'one\ntwo' });
		expect(json.messages).toMatchObject([first, second, { id, data }]);
	});

	it('speaks to n8n’s AI nodes when simplified', async () => {
		const { receiver, say, deliver } = await listen({}, { output: 'simplified' });
		const statuses = await say(['one', 'two']);
		const button = makeMessage('', { data: { buttonReply: { id: 'yes' } } });
		statuses.push((await deliver(button)).status);
		const pressed = makeMessage('Go', { data: { buttonReply: { id: 'go_1' } } });
		statuses.push((await deliver(pressed)).status);
		await pass(QUIET_MS);
		await all(statuses);

		const [[{ json }]] = receiver.executions;
		expect(json).toMatchObject({
			eventId: pressed.id,
			text: 'one\ntwo\nGo',
			chatInput: 'one\ntwo\nyes\nGo',
			sessionId: 'inst_1:ana',
		});
		expect(json.messages).toMatchObject([
			{ text: 'one', chatInput: 'one' },
			{ text: 'two', chatInput: 'two' },
			{ chatInput: 'yes', buttonId: 'yes' },
			{ text: 'Go', chatInput: 'Go', buttonId: 'go_1' },
		]);
	});
});

it('keeps triggers, persons, groups, their members and numbers apart', async () => {
	const triggers: Array<Awaited<ReturnType<typeof listen>>> = [];
	for (const [workflow, node] of ['1a', '1b', '2a'])
		triggers.push(await listen({}, {}, `combines ${workflow}`, node));
	const places: Place[] = [
		{ chat: 'ana' },
		{ chat: 'bruno' },
		{ chat: 'ana', instanceId: 'inst_2' },
		{ chat: 'ana', group: 'family' },
		{ chat: 'bruno', group: 'family' },
		{ chat: 'ana', group: 'customers' },
		{ chat: 'ana', data: { chat: { id: 'status@broadcast', type: 'STATUS' } } },
		{ chat: 'bruno', data: { chat: { id: 'status@broadcast', type: 'STATUS' } } },
		{ group: 'hidden', data: { sender: { phone: '5511987654321' } } },
		{ group: 'hidden', data: { sender: { phone: '5521987654321' } } },
		{ group: 'hidden', data: { sender: undefined } },
	];
	const statuses: Array<Promise<number>> = [];
	// The network may hide a phone from one message to the next.
	for (const [text, phone] of [['Hi', '5511987654321'], ['you']]) {
		for (const [index, { data, ...place }] of places.entries()) {
			const sender = { id: place.chat, phone };
			const message = { ...place, data: { sender, ...data } };
			for (const { say } of triggers)
				statuses.push(...(await say([`${text} ${index}`], message, 50)));
		}
	}
	await pass(QUIET_MS);
	expect(new Set(await all(statuses))).toEqual(new Set([200]));
	const texts = places.map((_place, index) => [`Hi ${index}\nyou ${index}`]);
	for (const { receiver } of triggers) expect(textsOf(receiver.executions)).toEqual(texts);
});

it('combines a hundred messages at most, and counts each hundred as a start', async () => {
	const maxStartsPerConversation = { values: { maxStarts: 2, minutes: 10 } };
	const { receiver, say } = await listen({ maxStartsPerConversation });
	const statuses = await say(Array.from({ length: 250 }, String), {}, 1);
	await pass(QUIET_MS);
	await all(statuses);
	const sizes = receiver.executions.map(([{ json }]) => (json.messages as unknown[])?.length);
	expect(sizes).toEqual([undefined, 100, 100]);
});

it.each([
	['MESSAGE.STATUS_UPDATED', { messageIds: ['m', 'n'], status: 'READ' }],
	['MESSAGE.SENT', { messageId: 'm', chat: { id: 'ana' }, fromMe: true, text: 'Hello' }],
	['MESSAGE.RECEIVED', { messageId: 'm', text: 'from nobody knows where' }],
])('neither delays nor combines %s', async (type, data) => {
	const combined = combine({ quietSeconds: 6 }, { ignoreOutdatedStatuses: true });
	const event = makeEvent({ type, data });
	const outputs = [];
	for (const options of [{}, combined, { ...combined, oneTurnAtATime: { values: {} } }]) {
		const { receiver, secret } = await publish({ output: 'simplified', events: [type], options });
		const { status } = await handOver({ receiver, secret }, event);
		if ('oneTurnAtATime' in options) await pass(1_000);
		expect(await status).toBe(200);
		outputs.push(receiver.executions.map((items) => items.map(({ json }) => json)));
	}
	expect(outputs).toEqual(Array(3).fill(outputs[0]));
	expect(outputs[0]).toHaveLength(1);
});

it('starts each message alone while the editor listens for a test event', async () => {
	const { receiver, say } = await listen({}, { test: true });
	const statuses = await say(['Hi', 'you']);
	expect(await all(statuses)).toEqual([200, 200]);
	expect(textsOf(receiver.executions)).toEqual([['Hi'], ['you']]);
});
