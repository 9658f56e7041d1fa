import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { QuestionDraft } from '../../../nodes/MessagingGateway/question/question';
import { World, type Execution, type RawEvent } from './world';

// Random orders of questions and messages, by the rules of docs/asking.md. A failure prints its seed, and the
// shortest history that still fails. MODEL_SEED chooses other histories, MODEL_RUNS their number.

const seed = Number(process.env.MODEL_SEED ?? 1);
const numRuns = Number(process.env.MODEL_RUNS ?? 150);

const ANA = { id: '1@lid', phone: '5511900000001' };
const BRUNO = { id: '2@lid', phone: '5511900000002' };
const GROUP = { id: '9@g.us', type: 'GROUP' };

/** Where a question is asked, and a person writes. */
const CHATS = [
	{ chat: ANA, sender: ANA },
	{ chat: BRUNO, sender: BRUNO },
	{ chat: GROUP, sender: ANA },
];
const NUMBERS = ['I1', 'I2'];
const HOUR = 3_600_000;

type Type = QuestionDraft['type'];

interface AskStep {
	is: 'ask';
	chat: number;
	/** Undefined if the author has chosen none: then it is the first one. */
	number?: number;
	type: Type;
	workflow: number;
	isById: boolean;
	outcome: 'accepted' | 'rejected' | 'unknown';
	process: number;
	typing: WriteStep[];
	sending: WriteStep[];
	/** Another workflow asks in the same chat while this one types. */
	isOvertaken: boolean;
}

interface WriteStep {
	is: 'write';
	chat: number;
	number: number;
	/** The number of a question, or words. */
	text: number | 'red' | '2' | 'yes' | 'hm' | 'location' | '9991';
	quoted?: number;
	copies: number;
}

type Step =
	| AskStep
	| WriteStep
	| { is: 'repeat'; message: number }
	| { is: 'fail'; method: 'GET' | 'DELETE' | 'PATCH' | 'POST'; times: number }
	| { is: 'restart' }
	| { is: 'stop'; question: number }
	| { is: 'pass'; hours: number };

interface History {
	processes: number;
	hasRestarts: boolean;
	/** Names of a chat, phone and ID, are mixed only if the gateway tells each chat. */
	isMixed: boolean;
	seed: number;
	steps: Step[];
}

interface Question {
	execution: Execution;
	chat: number;
	type: Type;
	code: string;
	/** Undefined if the gateway has not told it. */
	number?: number;
	until: number;
	isOpen: boolean;
	answeredBy?: string;
}

/** A message whose deliveries may still be repeated. A promise alone would be awaited with what returns it. */
interface UnderWay {
	delivering: Promise<void>;
}

/** What the rules say of the histories. */
class Model {
	readonly world: World;
	readonly questions: Question[] = [];
	private readonly messages: RawEvent[] = [];
	private hasForgotten = false;
	private events = 0;

	constructor(private readonly history: History) {
		this.world = new World(history.seed, history.processes);
	}

	async run(step: Step): Promise<void> {
		await this.world.pass(1_000);
		switch (step.is) {
			case 'ask':
				return await this.ask(step);
			case 'write':
				return await this.write(step);
			case 'repeat':
				return await this.repeat(step.message);
			case 'fail':
				return this.fail(step.method, step.times);
			case 'restart':
				return this.restart();
			case 'stop':
				return this.stop(step.question);
			case 'pass':
				return await this.pass(step.hours);
		}
	}

	private async ask(step: AskStep): Promise<void> {
		const { chat, type, typing, sending, isOvertaken } = step;
		const { isMixed, processes } = this.history;
		const outcome = isMixed && step.outcome === 'unknown' ? 'accepted' : step.outcome;
		const { chat: address } = CHATS[chat];
		const names: { id: string; phone?: string } = address;
		const to = (isMixed && step.isById) || names.phone === undefined ? names.id : names.phone;
		const draft = {
			type,
			labels: type === 'reply' ? [] : type === 'choice' ? ['Red', 'Blue'] : ['Yes', 'No'],
			to,
			instanceId: step.number === undefined ? undefined : NUMBERS[step.number],
			requireQuotedReply: false,
			requireText: false,
			text: 'Shall we?',
			limitWaitTime: 2 * HOUR,
			maxOpenQuestions: 50,
		};
		const isSameChat = (other: Question): boolean =>
			other.type !== 'approval' &&
			other.chat === chat &&
			(other.number === undefined || step.number === undefined || other.number === step.number);
		const hadOlder = type !== 'approval' && this.open().some(isSameChat);
		const under: UnderWay[] = [];
		const early: RawEvent[] = [];
		let overtaker: Question | undefined;

		const execution = await this.world.ask(
			step.process % processes,
			`workflow ${step.workflow}`,
			draft,
			outcome,
			{
				typing: async () => {
					for (const each of typing) under.push(await this.writeWhile(each));
					this.world.now += 10;
					if (!isOvertaken || type === 'approval') return;
					const before = this.questions.length;
					const other = { ...step, outcome: 'accepted' as const, isOvertaken: false };
					await this.ask({ ...other, type: 'reply', typing: [], sending: [] });
					overtaker = this.questions[before];
				},
				sending: async () => {
					for (const each of sending) {
						under.push(await this.writeWhile(each));
						early.push(this.messages.at(-1)!);
					}
					this.world.now += 10;
				},
			},
		);
		if (execution.state === 'waiting' || execution.state === 'answered') {
			if (type !== 'approval')
				for (const each of this.open())
					if (isSameChat(each) && each !== overtaker) each.isOpen = false;
			const isTold = outcome === 'accepted';
			const question: Question = {
				execution,
				chat,
				type,
				code: /^(\d{3})1\./.exec(execution.lines)?.[1] ?? '',
				number: step.number ?? (isTold ? 0 : undefined),
				until: this.world.now + 2 * HOUR,
				// The newer one has ended it, if both are asked in different processes.
				isOpen: overtaker === undefined,
			};
			this.questions.push(question);
			// The person has seen the message before the gateway says that it is accepted.
			if (!hadOlder && question.isOpen) this.expectEarly(question, step.number, early);
			if (isTold) await this.tellSent(question);
			else await this.world.deliver({ ...this.makeEvent('MESSAGE.SENT'), data: {} });
		}
		for (const { delivering } of under) await delivering;
		await this.world.deliver({ ...this.makeEvent('MESSAGE.STATUS_UPDATED'), data: {} });
		this.judgeAnswers();
	}

	private expectEarly(question: Question, number: number | undefined, early: RawEvent[]): void {
		// Before MESSAGE.SENT, a number that the author has not chosen is any.
		const asSent = { ...question, number };
		const first = early.find((event) => {
			const isAnswered = this.questions.some(({ answeredBy }) => answeredBy === event.id);
			return !isAnswered && this.findMeant(event, [asSent])?.isClear;
		});
		if (first === undefined) return;
		// Which of several early ones comes first is open.
		question.answeredBy = 'early';
		question.isOpen = false;
	}

	private makeEvent(type: string): RawEvent {
		this.events += 1;
		const timestamp = new Date(this.world.now).toISOString();
		return { id: `evt_${this.events}`, type, timestamp };
	}

	private async tellSent({ execution, chat, number = 0 }: Question): Promise<void> {
		const data = { messageId: execution.messageId, chat: CHATS[chat].chat, fromMe: true };
		await this.world.deliver({
			...this.makeEvent('MESSAGE.SENT'),
			instanceId: NUMBERS[number],
			data,
		});
	}

	private makeMessage({ chat, number, text, quoted }: WriteStep): RawEvent {
		const about = typeof text === 'number' ? this.pick(text) : undefined;
		const words = about === undefined ? text : about.code === '' ? '1' : `${about.code}1`;
		const isLocation = words === 'location';
		const message = this.makeEvent('MESSAGE.RECEIVED');
		const data: IDataObject = {
			messageId: `m_${message.id}`,
			...CHATS[chat],
			text: isLocation ? undefined : String(words),
			messageType: isLocation ? 'LOCATION' : 'TEXT',
		};
		if (quoted !== undefined)
			data.quotedMessageId = this.pick(quoted)?.execution.messageId ?? 'other';
		const event = { ...message, instanceId: NUMBERS[number], data };
		this.messages.push(event);
		return event;
	}

	private pick(index: number): Question | undefined {
		return this.questions.at(-1 - (index % Math.max(1, this.questions.length)));
	}

	private open(): Question[] {
		return this.questions.filter(({ isOpen, until }) => isOpen && until >= this.world.now);
	}

	/** Which of these questions a message is for, by the rules, and whether it can be read. */
	private findMeant(
		event: RawEvent,
		questions: Question[],
	): { question: Question; isClear: boolean } | undefined {
		const data = event.data as IDataObject;
		const { chat, text, quotedMessageId } = data as { chat: { id: string } } & IDataObject;
		const number = NUMBERS.indexOf(String(event.instanceId));
		const near = questions.filter(
			(each) =>
				CHATS[each.chat].chat.id === chat.id &&
				(each.number === undefined || each.number === number),
		);
		const isQuote = quotedMessageId !== undefined;
		const quoted = near.find(({ execution }) => isQuote && execution.messageId === quotedMessageId);
		const numbered = near.find(({ code }) => code !== '' && text === `${code}1`);
		const other = near.find(({ type }) => type !== 'approval');
		const question = isQuote ? quoted : (numbered ?? other);
		if (question === undefined) return undefined;
		const isClear = {
			reply: true,
			choice: ['1', '2', 'red'].includes(String(text)),
			approval: text === `${question.code}1` || (isQuote && text === 'yes'),
		}[question.type];
		return { question, isClear };
	}

	private async write(step: WriteStep): Promise<void> {
		await (
			await this.writeWhile(step)
		).delivering;
	}

	/** Writes, and waits until what is open has had time for it. Resolves with what is still under way. */
	private async writeWhile(step: WriteStep): Promise<UnderWay> {
		// An approval that was answered stays in the list for a few seconds.
		await this.world.pass(6_000);
		const event = this.makeMessage(step);
		const open = this.open();
		const meant = this.findMeant(event, open);
		const before = this.world.started.length;
		if (meant?.isClear) {
			meant.question.isOpen = false;
			meant.question.answeredBy = event.id;
		}
		const delivering = this.world.deliver(event, step.copies);
		await this.world.settle();
		this.judgeTrigger(event, meant, open, before);
		return { delivering };
	}

	private judgeTrigger(
		event: RawEvent,
		meant: { isClear: boolean } | undefined,
		open: Question[],
		before: number,
	): void {
		const isStarted = this.world.started.slice(before).includes(event.id);
		// An approval lists its lines again for what could only be for it.
		const mayBeListed = open.some(({ type }) => type === 'approval');
		// A process may not know that a newer question has ended the older one, or which number has asked.
		const mayBeTaken = this.history.processes > 1 && this.wasAsked(event);
		if (meant === undefined && !mayBeListed && !mayBeTaken)
			expect([event, isStarted]).toEqual([event, true]);
		const isKnown = this.history.processes === 1 && !this.hasForgotten;
		if (meant?.isClear && isKnown) expect([event, isStarted]).toEqual([event, false]);
	}

	/** Whether a *Reply* or *Choice* was asked in the chat, perhaps by another number. */
	private wasAsked({ data }: RawEvent): boolean {
		const { chat } = data as { chat: { id: string } };
		return this.questions.some(
			(each) => CHATS[each.chat].chat.id === chat.id && each.type !== 'approval',
		);
	}

	private judgeAnswers(): void {
		const answers = this.questions.map(({ execution }) => execution.answeredBy);
		const wanted = this.questions.map(({ answeredBy }, index) =>
			answeredBy === 'early' ? (answers[index] ?? 'early') : answeredBy,
		);
		expect(answers).toEqual(wanted);
		const events = this.world.executions.flatMap(({ answeredBy }) => answeredBy ?? []);
		expect(events).toEqual([...new Set(events)]);
		expect(this.world.errors).toEqual([]);
	}

	private async repeat(index: number): Promise<void> {
		const event = this.messages.at(-1 - (index % Math.max(1, this.messages.length)));
		if (event === undefined) return;
		// A message that no question has taken may be taken by one that is open since, if that is older.
		const isAnswer = this.questions.some(({ answeredBy }) => answeredBy === event.id);
		if (!isAnswer) return;
		await this.world.deliver(event);
		this.judgeAnswers();
	}

	private fail(method: string, times: number): void {
		const { isMixed, hasRestarts, processes } = this.history;
		// Without PATCH, only the process that has received MESSAGE.SENT knows the chat and the number.
		const isAlone = processes === 1 && !hasRestarts && !isMixed;
		if (method === 'PATCH' && !isAlone) return;
		const isOnce = method === 'DELETE' && (hasRestarts || processes > 1);
		this.world.faults.set(method, isOnce ? 1 : times);
	}

	private restart(): void {
		if (!this.history.hasRestarts) return;
		this.world.restart();
		this.hasForgotten = true;
	}

	private stop(index: number): void {
		const question = this.pick(index);
		if (question?.execution.state !== 'waiting' || !question.isOpen) return;
		// The number of a stopped approval, which is listed until there is no room, is that of no reply.
		if (question.type === 'approval') return;
		question.isOpen = false;
		question.execution.state = 'stopped';
	}

	private async pass(hours: number): Promise<void> {
		await this.world.pass(hours * HOUR);
		for (const each of this.questions) if (each.until < this.world.now) each.isOpen = false;
	}

	async judge(): Promise<void> {
		await this.world.settle();
		this.judgeAnswers();
	}
}

const chat = fc.constantFrom(0, 0, 0, 1, 2);
const write: fc.Arbitrary<WriteStep> = fc.record({
	is: fc.constant('write' as const),
	chat,
	number: fc.constantFrom(0, 0, 0, 1),
	text: fc.oneof(
		fc.nat(4),
		fc.constantFrom('red' as const, '2' as const, 'yes' as const, 'hm' as const),
		fc.constantFrom('location' as const, '9991' as const),
	),
	quoted: fc.option(fc.nat(4), { nil: undefined, freq: 3 }),
	copies: fc.constantFrom(1, 1, 2),
});
const few = (freq: number) =>
	fc.oneof(
		{ weight: freq, arbitrary: fc.constant<WriteStep[]>([]) },
		{ weight: 1, arbitrary: fc.array(write, { minLength: 1, maxLength: 2 }) },
	);
const ask: fc.Arbitrary<AskStep> = fc.record({
	is: fc.constant('ask' as const),
	chat,
	number: fc.constantFrom(undefined, undefined, 0, 1),
	type: fc.constantFrom<Type>('reply', 'choice', 'approval', 'approval'),
	workflow: fc.nat(2),
	isById: fc.boolean(),
	outcome: fc.constantFrom('accepted', 'accepted', 'accepted', 'rejected', 'unknown'),
	process: fc.nat(1),
	typing: few(3),
	sending: few(3),
	isOvertaken: fc.constantFrom(false, false, false, true),
});
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 7, arbitrary: ask },
	{ weight: 9, arbitrary: write },
	{
		weight: 3,
		arbitrary: fc.record({ is: fc.constant('repeat' as const), message: fc.nat(3) }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			is: fc.constant('fail' as const),
			method: fc.constantFrom('GET', 'GET', 'DELETE', 'DELETE', 'PATCH', 'POST'),
			times: fc.integer({ min: 1, max: 3 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ is: 'restart' as const }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constant('stop' as const), question: fc.nat(4) }) },
	{ weight: 1, arbitrary: fc.record({ is: fc.constant('pass' as const), hours: fc.nat(3) }) },
);
const history: fc.Arbitrary<History> = fc.record({
	processes: fc.constantFrom(1, 2),
	hasRestarts: fc.boolean(),
	isMixed: fc.boolean(),
	seed: fc.nat(1_000_000),
	steps: fc.array(step, { minLength: 6, maxLength: 24 }),
});

it('gives each message to the one question that the rules say, and to the trigger what they give to none', async () => {
	const property = fc.asyncProperty(history, async (given) => {
		const model = new Model(given);
		for (const each of given.steps) await model.run(each);
		await model.judge();
	});
	await fc.assert(property, { numRuns, seed });
}, 3_600_000);
