import { dataOf, textIn, timeOf, type GatewayEvent } from '../webhooks/event';
import { keep } from './looks';
import type { Question } from './question';
import type { Rival } from './sameChat';
import type { Note } from './url';

const MOST_KEPT = 5_000;

/** By which event a question was decided, or that its time has ended. */
export interface Decision {
	webhookId: string;
	/** Empty where nobody has answered in time. */
	eventId: string;
	messageId?: string;
	at: number;
	/** When that was written, by the clock of the gateway. */
	written?: number;
	note: Note;
}

/**
 * Which events resume the executions of one account's questions, or have resumed them. A question is known by the ID of its
 * webhook and by its end: a gateway may give the ID of a webhook that it has deleted to the next one.
 */
export class Decisions {
	/** @param made by webhook and end of the question */
	constructor(private readonly made: Map<string, Decision>) {}

	/**
	 * Claims a question for the event that answers it: nothing else may resume the execution then.
	 *
	 * @returns `resuming`, the same event does so already; `over`, another one has; `spent`, the event has decided another question, and decides no approval
	 */
	claim(
		{ webhookId, type }: Pick<Question, 'webhookId' | 'type'>,
		note: Note,
		event: GatewayEvent,
	) {
		const { id: eventId } = event;
		const messageId = textIn(dataOf(event), 'messageId');
		const first = this.made.get(nameOf(webhookId, note));
		if (first !== undefined) return first.eventId === eventId ? 'resuming' : 'over';
		const isSpent = [...this.made.values()].some(
			(other) =>
				// An edit is another event of the same message.
				other.eventId === eventId || (messageId !== undefined && other.messageId === messageId),
		);
		if (type === 'approval' && isSpent) return 'spent';
		const written = timeOf(event);
		const decision = { webhookId, eventId, messageId, at: Date.now(), written, note };
		keep(this.made, nameOf(webhookId, note), decision, MOST_KEPT);
		return 'claimed';
	}

	/** Notes a question that nobody can answer any more. If its time has ended, an earlier message may mean it all the same. */
	noteEnded(webhookId: string, note: Note): void {
		const { until: at } = note;
		if (at > Date.now() || this.isMade(webhookId, note)) return;
		const decision = { webhookId, eventId: '', at, written: at, note };
		keep(this.made, nameOf(webhookId, note), decision, MOST_KEPT);
	}

	/** Whether an event has decided a question, or is about to. */
	isMade(webhookId: string, note: Note): boolean {
		return this.made.has(nameOf(webhookId, note));
	}

	/** Lets another event resume the execution, since n8n has not. */
	release(webhookId: string, note: Note): void {
		this.made.delete(nameOf(webhookId, note));
	}

	/** The questions that were decided since then, in milliseconds, or by what was written later than a message. */
	listSince(since: number, event: GatewayEvent): Rival[] {
		const time = timeOf(event) ?? -Infinity;
		return [...this.made.values()]
			.filter(({ at, written }) => at >= since || Number(written) >= time)
			.map(({ webhookId, note }) => ({ id: webhookId, note }));
	}
}

function nameOf(webhookId: string, { until }: Note): string {
	return `${webhookId} ${until}`;
}
