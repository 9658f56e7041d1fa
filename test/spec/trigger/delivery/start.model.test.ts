import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { GatewayEvent } from '../../../../lab/simulator';
import { makeEvent } from '../../../contract/deliveries';
import { close, handOver, pass, publish, useFakeClock } from '../../../support/receiving';

// Random conversations of people who write faster than the workflow answers. A failure prints its seed, and the shortest
// history that still fails. MODEL_SEED chooses other histories, MODEL_RUNS their number.

const seed = Number(process.env.MODEL_SEED ?? 1);
const numRuns = Number(process.env.MODEL_RUNS ?? 200);

const SECOND_MS = 1_000;
/** The gateway waits for 10 seconds. */
const ANSWERED_WITHIN_MS = 9 * SECOND_MS;

interface Setup {
	confirmWhen: 'received' | 'started' | 'succeeded';
	/** Undefined unless one turn is taken at a time. */
	maxTurnMinutes?: number;
	quietSeconds: number;
	maxWaitSeconds: number;
	/** Of a conversation in an hour; 0 for any number. */
	maxStarts: number;
}

interface Message {
	number: number;
	chat: string;
	event: GatewayEvent;
	/** Whether it has started, and its execution has not failed in a way that the gateway repeats it for. */
	hasStarted: boolean;
	hasSucceeded: boolean;
	/** n8n has refused it, or its execution has failed: from then on its place is behind later ones. */
	isOutOfOrder: boolean;
	isAcknowledged: boolean;
}

interface Execution {
	chat: string;
	messages: Message[];
	since: number;
	end(error?: Error): void;
}

useFakeClock();

/** One trigger, and people who write to it. Each method is something that happens, and checks the promises. */
class Conversations {
	private readonly written: Message[] = [];
	private readonly running: Execution[] = [];
	private readonly wrong: string[] = [];
	/** Deliveries that have no answer yet. */
	private waiting: Array<{ since: number; index: number }> = [];
	private readonly statuses: Array<Promise<void>> = [];
	/** By chat: the last message that has started in its place. */
	private readonly latest = new Map<string, number>();
	/** By chat: the executions that have started, and were not repeated. */
	private readonly starts: Record<string, number> = {};
	private published!: Awaited<ReturnType<typeof publish>>;
	private isRefusing = false;

	constructor(private readonly setup: Setup) {}

	async begin(): Promise<this> {
		const { confirmWhen, maxTurnMinutes, quietSeconds, maxWaitSeconds, maxStarts } = this.setup;
		const options: INodeParameters = { confirmWhen };
		if (maxStarts) options.maxStartsPerConversation = { values: { maxStarts, minutes: 60 } };
		if (maxTurnMinutes) options.oneTurnAtATime = { values: { maxTurnMinutes } };
		if (quietSeconds > 0) options.combineMessages = { values: { quietSeconds, maxWaitSeconds } };
		this.published = await publish(
			{ output: 'simplified', options },
			{
				beforeStart: async (items) => await this.noteStart(items),
				beforeEnd: async (items) => await this.untilEnded(items),
			},
		);
		// More at once than an execution takes.
		for (let count = 0; maxStarts && count < 101; count++) await this.write('ana');
		return this;
	}

	async write(chat: string): Promise<void> {
		const number = this.written.length;
		const event = makeEvent({
			// At the same millisecond, nothing would tell their order.
			timestamp: new Date(Date.now() + number).toISOString(),
			data: {
				messageId: `m${number}`,
				text: 'm',
				chat: { id: chat, type: 'CONTACT' },
			},
		});
		this.written.push({
			number,
			chat,
			event,
			hasStarted: false,
			hasSucceeded: false,
			isOutOfOrder: false,
			isAcknowledged: false,
		});
		await this.deliver(number);
	}

	async deliver(index: number): Promise<void> {
		const message = this.written[index % this.written.length];
		if (message === undefined) return;
		const { receiver } = this.published;
		this.waiting.push({ since: Date.now(), index: receiver.answers.length });
		const { status } = await handOver(this.published, message.event);
		this.statuses.push(status.then((value) => this.noteStatus(message, value)));
		await this.settle();
	}

	/** n8n refuses the next start. */
	refuse(): void {
		this.isRefusing = true;
	}

	async end(index: number, fails: boolean): Promise<void> {
		const [execution] = this.running.splice(index % Math.max(1, this.running.length), 1);
		if (execution === undefined) return;
		const isRepeated = fails && this.setup.confirmWhen === 'succeeded';
		for (const message of execution.messages) {
			message.hasSucceeded = !fails;
			if (isRepeated) Object.assign(message, { hasStarted: false, isOutOfOrder: true });
		}
		if (isRepeated) this.starts[execution.chat] -= 1;
		execution.end(fails ? new Error('it failed') : undefined);
		await this.settle();
	}

	async pass(seconds: number): Promise<void> {
		for (let half = 0; half < 2 * seconds; half++) {
			await pass(SECOND_MS / 2);
			await this.settle();
		}
	}

	/** n8n starts all, and all executions end: then everything that was written has started once. */
	async calmDown(): Promise<void> {
		this.isRefusing = false;
		const isDone = ({ isAcknowledged }: Message) => isAcknowledged;
		for (let round = 0; round < 20 && !this.written.every(isDone); round++) {
			for (const message of this.written) if (!isDone(message)) await this.deliver(message.number);
			await this.pass(3);
			while (this.running.length > 0) await this.end(0, false);
		}
		await this.pass(10);
		while (this.running.length > 0) await this.end(0, false);
		await Promise.all(this.statuses);
		expect(this.written.filter((message) => !isDone(message))).toEqual([]);
		// What n8n refuses after it was acknowledged is lost, as the option says.
		if (this.setup.confirmWhen === 'received' || this.setup.maxStarts) return;
		expect(this.written.filter(({ hasStarted }) => !hasStarted)).toEqual([]);
	}

	async stop(): Promise<void> {
		while (this.running.length > 0) await this.end(0, false);
		await close(this.published.receiver);
	}

	private async noteStart(items: INodeExecutionData[]): Promise<void> {
		const messages = this.read(items);
		// The execution of an alarm counts for nothing.
		if (messages.length === 0) return;
		if (this.isRefusing) {
			this.isRefusing = false;
			for (const message of messages) message.isOutOfOrder = true;
			await new Promise((resolve) => void setTimeout(resolve, SECOND_MS / 2));
			throw new Error('database is locked');
		}
		const [{ chat }] = messages;
		const numbers = messages.map(({ number }) => number);
		const inPlace = messages.filter(({ isOutOfOrder }) => !isOutOfOrder);
		const latest = this.latest.get(chat) ?? -1;
		// What starts while time passes is noted up to half a second later.
		const turnMs = (this.setup.maxTurnMinutes ?? 0) * 60 * SECOND_MS - SECOND_MS;
		const isTurnTaken = this.running.some(
			(each) => each.chat === chat && Date.now() - each.since < turnMs,
		);
		this.starts[chat] = (this.starts[chat] ?? 0) + 1;
		const faults = {
			'more starts than allowed': this.starts[chat] > (this.setup.maxStarts || Infinity),
			'several chats in one execution': messages.some((each) => each.chat !== chat),
			'started twice': messages.some(({ hasStarted }) => hasStarted),
			'out of order': numbers.join() !== numbers.toSorted((a, b) => a - b).join(),
			overtaken: inPlace.some(({ number }) => number <= latest),
			'two turns at a time': isTurnTaken,
		};
		for (const [fault, isThere] of Object.entries(faults))
			if (isThere) this.wrong.push(`${fault}: ${chat} ${numbers.join()}`);
		for (const message of messages) message.hasStarted = true;
		this.latest.set(chat, Math.max(latest, ...inPlace.map(({ number }) => number)));
	}

	private async untilEnded(items: INodeExecutionData[]): Promise<void> {
		const messages = this.read(items);
		if (messages.length === 0) return;
		await new Promise<void>((resolve, reject) => {
			const end = (error?: Error) => (error ? reject(error) : resolve());
			this.running.push({ chat: messages[0].chat, messages, since: Date.now(), end });
		});
	}

	private noteStatus(message: Message, status: number): void {
		if (status !== 200) {
			expect(status).toBe(503);
			return;
		}
		message.isAcknowledged = true;
		const { confirmWhen, maxStarts } = this.setup;
		const { hasStarted, hasSucceeded } = message;
		const isTrue = { received: true, started: hasStarted, succeeded: hasSucceeded };
		if (!isTrue[confirmWhen] && !maxStarts)
			this.wrong.push(`acknowledged too early: ${message.number}`);
	}

	private read([{ json }]: INodeExecutionData[]): Message[] {
		const { messages: items = [] } = json as { messages?: Array<{ eventId: string }> };
		return items.map(({ eventId }) => this.written.find(({ event }) => event.id === eventId)!);
	}

	/** Lets n8n and the connections do what is due, and looks whether all is right. */
	private async settle(): Promise<void> {
		for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
		const { answers } = this.published.receiver;
		this.waiting = this.waiting.filter(({ index }) => !answers[index].writableEnded);
		const late = this.waiting.filter(({ since }) => Date.now() - since >= ANSWERED_WITHIN_MS);
		expect(this.wrong).toEqual([]);
		expect(late).toEqual([]);
	}
}

type Command = fc.AsyncCommand<object, Conversations>;

const command = (name: string, act: (chats: Conversations) => unknown): Command => ({
	check: () => true,
	run: async (_model, chats) => void (await act(chats)),
	toString: () => name,
});

const commands: Array<fc.Arbitrary<Command>> = [
	fc
		.constantFrom('ana', 'ana', 'ana', 'bruno')
		.map((chat) => command(`${chat} writes`, (chats) => chats.write(chat))),
	fc.nat(9).map((index) => command(`m${index} is repeated`, (chats) => chats.deliver(index))),
	fc.tuple(fc.nat(2), fc.boolean()).map(([index, fails]) => {
		const name = `execution ${index} ${fails ? 'fails' : 'succeeds'}`;
		return command(name, (chats) => chats.end(index, fails));
	}),
	fc
		.integer({ min: 1, max: 10 })
		.map((seconds) => command(`${seconds} seconds pass`, (chats) => chats.pass(seconds))),
	fc.constant(command('n8n refuses the next start', (chats) => chats.refuse())),
];

const setups: fc.Arbitrary<Setup> = fc
	.record({
		confirmWhen: fc.constantFrom('received', 'started', 'succeeded'),
		maxTurnMinutes: fc.constantFrom(undefined, 0.1),
		quietSeconds: fc.constantFrom(0, 2, 4),
		maxWaitSeconds: fc.constantFrom(5, 30),
		maxStarts: fc.constantFrom(...Array<number>(14).fill(0), 1, 2),
	})
	.filter(({ maxTurnMinutes, quietSeconds }) => Boolean(maxTurnMinutes) || quietSeconds > 0);

it('keeps its promises in every conversation', async () => {
	const property = fc.asyncProperty(
		setups,
		fc.commands(commands, { maxCommands: 20, size: '+1' }),
		async (setup, history) => {
			const chats = await new Conversations(setup).begin();
			try {
				await fc.asyncModelRun(() => ({ model: {}, real: chats }), history);
				await chats.calmDown();
			} finally {
				await chats.stop();
			}
		},
	);
	await fc.assert(property, { numRuns, seed });
}, 3_600_000);
