import { makeDeferred, waitUntil, type Deferred } from '../../webhooks/patience';
import type { Debounce } from '../settings';
import { MOVES, type TalkHappening, type TalkState } from './talkStates';

/** How a conversation gathers its messages. */
interface Gathering {
	/** Left out, a message waits for nobody to finish writing. */
	debounce?: Debounce;
	/** How long an execution may keep the messages of its conversation waiting; left out, they wait for none. */
	maxTurnMs?: number;
}

/** The turn of a conversation: messages that start one execution. */
export interface Turn<T> {
	/** In the order of arrival. */
	said: T[];
	/** Tells that the execution has ended, or was not started. */
	end(): void;
}

interface Talk<T> {
	state: TalkState;
	/** What waits. */
	said: T[];
	/** When it is taken for quiet in any case, in milliseconds as of `Date.now`. */
	quietBy: number;
	/** Of the newest message that waits. Fulfilled with the turn that it starts; with undefined when another one takes it along. */
	newest?: Deferred<Turn<T> | undefined>;
	running?: Running;
}

/** The execution that a conversation waits for. */
interface Running {
	/** When nobody waits for it any more, in milliseconds as of `Date.now`. */
	until: number;
	ended: Promise<true>;
	isWatched: boolean;
	end(): void;
}

/** What an older load of the package leaves to a newer one: both go on with the same conversations. */
export type TalksBefore = Map<string, unknown>;

const MOST_TALKS = 1_000;
const MOST_WAITING = 100;

/**
 * Gathers what people write until it may start an execution. Only the newest message of a conversation keeps n8n's request
 * open: so it is the one that starts the execution, and takes the others along.
 */
export class Conversations<T> {
	private readonly talks: Map<string, Talk<T>>;

	constructor(
		private readonly warn: (message: string) => void,
		before: TalksBefore = new Map(),
	) {
		this.talks = before as Map<string, Talk<T>>;
	}

	/** What code that was loaded later has to know. */
	handOver(): TalksBefore {
		return this.talks;
	}

	get busy(): boolean {
		return this.talks.size > 0;
	}

	/**
	 * Says something in a conversation, and waits until it may start an execution.
	 *
	 * @returns undefined for a message that another one takes along
	 */
	async join(
		name: string,
		message: T,
		{ debounce, maxTurnMs }: Gathering,
	): Promise<Turn<T> | undefined> {
		const talk = this.talks.get(name) ?? this.open(name);
		if (talk === undefined || talk.said.length >= MOST_WAITING) {
			this.warn(
				`a message started the workflow at once, because more than ${MOST_TALKS} conversations or ${MOST_WAITING} messages of one conversation wait.`,
			);
			return { said: [message], end: () => {} };
		}
		const now = Date.now();
		if (talk.said.length === 0) talk.quietBy = now + (debounce?.maxWaitMs ?? 0);
		talk.said.push(message);
		talk.newest?.resolve(undefined);
		const newest = makeDeferred<Turn<T> | undefined>();
		talk.newest = newest;
		this.move(name, talk, 'say', maxTurnMs);
		if (talk.running) void this.endOverdue(talk.running);
		if (debounce) await waitUntil(Math.min(now + debounce.quietMs, talk.quietBy), newest.promise);
		// Otherwise something newer has come.
		if (talk.newest === newest) this.move(name, talk, 'quiet', maxTurnMs);
		return await newest.promise;
	}

	private open(name: string): Talk<T> | undefined {
		if (this.talks.size >= MOST_TALKS) this.forgetOverdue();
		if (this.talks.size >= MOST_TALKS) return undefined;
		const talk: Talk<T> = { state: 'idle', said: [], quietBy: 0 };
		this.talks.set(name, talk);
		return talk;
	}

	private move(name: string, talk: Talk<T>, happening: TalkHappening, maxTurnMs?: number): void {
		const next = MOVES[talk.state][happening];
		if (next === undefined) return;
		talk.state = next;
		if (next === 'idle') this.talks.delete(name);
		if (next === 'running' && talk.said.length > 0) this.start(name, talk, maxTurnMs);
	}

	private start(name: string, talk: Talk<T>, maxTurnMs = 0): void {
		const { promise: ended, resolve } = makeDeferred<true>();
		const endTurn = (): void => {
			resolve(true);
			// Overdue, it is not the one that the conversation waits for.
			if (talk.running !== running) return;
			talk.running = undefined;
			this.move(name, talk, 'end', maxTurnMs);
		};
		const running: Running = {
			until: Date.now() + maxTurnMs,
			ended,
			isWatched: false,
			end: endTurn,
		};
		talk.running = running;
		const { said, newest } = talk;
		talk.said = [];
		talk.newest = undefined;
		newest?.resolve({ said, end: endTurn });
		if (maxTurnMs === 0) endTurn();
	}

	/** Waits for the end of an execution, and no longer than it may last. */
	private async endOverdue(running: Running): Promise<void> {
		if (running.isWatched) return;
		running.isWatched = true;
		if (await waitUntil(running.until, running.ended)) return;
		this.warn(
			'an execution has lasted longer than Max Turn. The next one of its conversation starts beside it.',
		);
		running.end();
	}

	/** What n8n never ends must not keep others from waiting. */
	private forgetOverdue(): void {
		const now = Date.now();
		for (const { state, running } of this.talks.values())
			if (state === 'running' && running && running.until <= now) running.end();
	}
}
