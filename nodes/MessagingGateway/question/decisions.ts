import type { GatewayEvent } from '../webhooks/event';
import { keep } from './looks';
import type { Approval } from './sameChat';
import type { Note } from './url';

const MOST_KEPT = 5_000;

/** By which event a question was decided. */
export interface Decision {
	webhookId: string;
	eventId: string;
	at: number;
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
	 * @returns `resuming`, the same event does so already; `over`, another one has; `spent`, the event has decided another approval
	 */
	claim(webhookId: string, note: Note, { id: eventId }: GatewayEvent) {
		const first = this.made.get(nameOf(webhookId, note));
		if (first !== undefined) return first.eventId === eventId ? 'resuming' : 'over';
		const isSpent = [...this.made.values()].some(
			(other) => other.eventId === eventId && other.note.isApproval === true,
		);
		if (note.isApproval && isSpent) return 'spent';
		const decision = { webhookId, eventId, at: Date.now(), note };
		keep(this.made, nameOf(webhookId, note), decision, MOST_KEPT);
		return 'claimed';
	}

	/** Lets another event resume the execution, since n8n has not. */
	release(webhookId: string, note: Note): void {
		this.made.delete(nameOf(webhookId, note));
	}

	/** The approvals that were decided since then, in milliseconds. */
	listApprovals(since: number): Approval[] {
		return [...this.made.values()]
			.filter(({ at, note }) => note.isApproval && at >= since)
			.map(({ webhookId, note }) => ({ id: webhookId, note }));
	}
}

function nameOf(webhookId: string, { until }: Note): string {
	return `${webhookId} ${until}`;
}
