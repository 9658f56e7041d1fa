import fc from 'fast-check';
import { waitFor } from '../../../lab/host/waiting';
import { PEOPLE, startSimulator, type Simulator } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { forgetProcess, publish } from '../../support/receiving';
import type { WebhookReceiver } from '../../support/webhookReceiver';
import { ask, stop, type Asked } from './waitingExecutions';

// Random orders of questions and answers in two chats of two accounts, whose numbers have the same ID. A failure prints its
// seed, and the shortest history that still fails. MODEL_SEED chooses other histories, MODEL_RUNS their number.

const seed = Number(process.env.MODEL_SEED ?? 1);
const numRuns = Number(process.env.MODEL_RUNS ?? 40);

const TYPES = {
	reply: {},
	choice: { responseType: 'choice', choices: 'Red\nBlue' },
	approval: { responseType: 'approval' },
};

/** The account and the person of each chat. */
const CHATS = [
	[0, 0],
	[0, 1],
	[1, 0],
];

interface Question extends Asked {
	chat: number;
	type: keyof typeof TYPES;
	/** The number that approves it. */
	number?: string;
	isOpen: boolean;
	answeredBy?: string;
}

interface Message {
	chat: number;
	text: string;
	quoted?: Question;
	event: ReturnType<Simulator['write']>;
	/** How many questions were asked before it. */
	asked: number;
	/** The last process that has received it. */
	process: number;
}

let accounts: Array<{ gateway: Simulator; receiver: WebhookReceiver }>;
const MINUTE = 60_000;
const { now } = Date;
const statusDelaysMs = { delivered: null, read: null };
let aheadMs = 0;

beforeEach(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
	accounts = [];
	for (const duplicate of [1, 2]) {
		const options = { instanceId: 'inst_1', retryDelaysMs: [100, 200, 400], statusDelaysMs };
		const gateway = await startSimulator(options);
		gateway.setDelivery({ duplicate });
		const { receiver } = await publish({}, {}, undefined, undefined, gateway);
		accounts.push({ gateway, receiver });
	}
});

afterEach(async () => {
	jest.restoreAllMocks();
	for (const { gateway } of accounts) await gateway.stop();
});

class World {
	private readonly questions: Question[] = [];
	private messages: Message[] = [];
	private process = 0;
	/** The chats of questions that this process may not know. */
	private readonly unknown = new Set<number>();

	async ask(chat: number, type: keyof typeof TYPES, isShort: boolean): Promise<void> {
		const [account, person] = CHATS[chat];
		const { gateway } = accounts[account];
		const recipient = { to: to('phone', PEOPLE[person].phone!) as never };
		const values = { resumeAmount: isShort ? 1 : 60, resumeUnit: 'minutes' };
		const options = { limitWaitTime: { values } };
		const asked = await ask({ ...TYPES[type], ...recipient, options }, {}, {}, gateway);
		await gateway.drained();
		if (type !== 'approval') {
			const older = this.openIn(chat).filter((each) => each.type !== 'approval');
			for (const each of older) each.isOpen = false;
		}
		const [number] = /\d{3}1(?=\. Yes)/.exec(asked.sent) ?? [];
		this.questions.push({ ...asked, chat, type, number, isOpen: true });
	}

	/** A person writes the number of a question, if it has one, or a word. The message may quote another. */
	async write(chat: number, about: number, quoting: number | null): Promise<void> {
		const { length } = this.questions;
		const text = this.questions[about % length]?.number ?? 'red';
		const quoted = quoting === null ? undefined : this.questions[quoting % length];
		const [account, person] = CHATS[chat];
		const writing = { phone: PEOPLE[person].phone, quotedMessageId: quoted?.messageId };
		const event = accounts[account].gateway.write(text, writing);
		const message = { chat, text, quoted, event, asked: length, process: this.process };
		this.messages.push(message);
		await this.judge(message, [1, 1]);
	}

	async repeat(index: number, after: 'pass' | 'restart' | null): Promise<void> {
		if (after) this[after]();
		const message = this.messages.at(-1 - (index % this.messages.length));
		if (message === undefined) return;
		accounts[CHATS[message.chat][0]].gateway.emit(message.event);
		await this.judge(message, message.process === this.process ? [0, 0] : [0, 1]);
		message.process = this.process;
	}

	restart(): void {
		forgetProcess();
		this.process += 1;
		for (const { chat } of this.questions) this.unknown.add(chat);
	}

	stop(index: number): void {
		const question = this.questions[index % this.questions.length];
		if (!question?.isOpen) return;
		stop(question);
		question.isOpen = false;
	}

	/** So much time passes that a claim and a short wait are over. */
	pass(): void {
		aheadMs += MINUTE;
		for (const each of this.questions.filter(({ isOpen }) => isOpen)) {
			if (Number(each.run.waitTill) > Date.now()) continue;
			each.isOpen = false;
			// A repeat of what was written in its time is for no other question.
			this.messages = this.messages.filter(({ chat }) => chat !== each.chat);
		}
	}

	/** One question has the answer, or none. The trigger starts with what no question takes, as often as `starts` says. */
	private async judge(message: Message, [min, max]: [number, number]): Promise<void> {
		const { chat, event } = message;
		const { gateway, receiver } = accounts[CHATS[chat][0]];
		const count = () => receiver.executions.filter(([{ json }]) => json.id === event.id).length;
		const before = count();
		const isTaken = this.questions.some(({ answeredBy }) => answeredBy === event.id);
		const taker = isTaken ? undefined : this.findTaker(message);
		const open = this.openIn(chat);
		if (taker) Object.assign(taker, { isOpen: false, answeredBy: event.id });
		await gateway.drained();
		await receiver.runs();
		const answers = this.questions.map((each) => (each.answer()?.event as typeof event)?.id);
		expect(answers).toEqual(this.questions.map(({ answeredBy }) => answeredBy));
		// An approval lists its labels again.
		const mayBeTaken = open.some(({ type }) => type === 'approval');
		const mayStart = !(taker ?? isTaken) || this.unknown.has(chat);
		expect(count() - before).toBeGreaterThanOrEqual(taker || isTaken || mayBeTaken ? 0 : min);
		expect(count() - before).toBeLessThanOrEqual(mayStart ? max : 0);
		// An approval stays in the list for a few seconds.
		const closed = taker?.type === 'approval' ? undefined : taker?.webhook.id;
		const isListed = ({ id }: Asked['webhook']) => id === closed;
		await waitFor('its webhook to close', () => !gateway.webhooks().some(isListed));
	}

	private findTaker({ chat, text, quoted, asked }: Message): Question | undefined {
		const known = this.questions.slice(0, asked);
		const open = this.openIn(chat).filter((each) => known.includes(each));
		const numbered = open.find(({ number }) => number === text);
		const other = open.find(({ type }) => type !== 'approval');
		const meant = quoted ? open.find((each) => each === quoted) : (numbered ?? other);
		const fits = { reply: true, choice: text === 'red', approval: meant?.number === text };
		return meant && fits[meant.type] ? meant : undefined;
	}

	private openIn(chat: number): Question[] {
		return this.questions.filter((each) => each.isOpen && each.chat === chat);
	}

	end(): void {
		aheadMs = 0;
		const isTrigger = (url: string) => accounts.some(({ receiver }) => receiver.url === url);
		for (const { gateway } of accounts)
			for (const { id, url } of gateway.webhooks()) if (!isTrigger(url)) gateway.deleteWebhook(id);
		forgetProcess();
	}
}

const chat = fc.constantFrom(0, 0, 0, 1, 2);
const type = fc.constantFrom('reply', 'reply', 'choice', 'approval');
const quoting = fc.oneof(fc.constant(null), fc.constant(null), fc.nat(9));
const before = fc.constantFrom('pass', 'pass', 'restart', null);
const step = fc.oneof(
	{ weight: 7, arbitrary: fc.tuple(fc.constant('ask'), chat, type, fc.boolean()) },
	{ weight: 5, arbitrary: fc.tuple(fc.constant('write'), chat, fc.nat(9), quoting) },
	{ weight: 3, arbitrary: fc.tuple(fc.constant('repeat'), fc.nat(2), before) },
	{ weight: 1, arbitrary: fc.tuple(fc.constant('restart')) },
	{ weight: 2, arbitrary: fc.tuple(fc.constant('stop'), fc.nat(9)) },
	{ weight: 3, arbitrary: fc.tuple(fc.constant('pass')) },
);

it('decides each question by one answer, and each answer decides one question, in every order', async () => {
	const property = fc.asyncProperty(
		fc.array(step, { minLength: 8, maxLength: 16 }),
		async (steps) => {
			const world = new World();
			try {
				for (const [name, ...values] of steps)
					await (world[name as 'ask'] as (...given: unknown[]) => Promise<void>).apply(
						world,
						values,
					);
			} finally {
				world.end();
			}
		},
	);
	await fc.assert(property, { numRuns, seed });
}, 3_600_000);

it('lets one of two messages at once answer a question, and the other one start', async () => {
	for (const { gateway, receiver } of accounts) {
		const recipient = { to: to('phone', PEOPLE[0].phone!) as never };
		const asked = await ask(recipient, {}, {}, gateway);
		await gateway.drained();
		const events = ['one', 'two'].map((text) => gateway.write(text, { phone: PEOPLE[0].phone }));
		await gateway.drained();
		const { id: answeredBy } = asked.answer()?.event as { id: string };
		await receiver.runs();
		const started = receiver.executions.map(([{ json }]) => json.id);
		expect([answeredBy, ...started].sort()).toEqual(events.map(({ id }) => id).sort());
	}
});
