const MOST_EVENTS = 10_000;

/**
 * Events whose execution failed, and is retried by a person while the gateway repeats them: the first of the two has
 * the event. Only for events that are confirmed when their execution succeeds; the others are not repeated.
 */
export class Retries {
	/** The execution that began with an event last. */
	private readonly latest = new Map<string, string>();

	private readonly retried = new Set<string>();

	/** Whether a repeat of an event may begin in an execution. */
	begins(id: string, executionId: string): boolean {
		if (this.retried.has(id)) return false;
		keep(this.latest.set(id, executionId));
		return true;
	}

	/** Whether a person has retried the event's execution. */
	has(id: string): boolean {
		return this.retried.has(id);
	}

	/** Whether the event went to another execution after the one that failed. */
	hasMovedOn(id: string, failed: string): boolean {
		const latest = this.latest.get(id);
		return latest !== undefined && latest !== failed;
	}

	/** Lets a retry have the event. Answers whether it is the first one that has. */
	claim(id: string): boolean {
		if (this.retried.has(id)) return false;
		keep(this.retried.add(id));
		return true;
	}

	/** Lets the gateway's repeat have the event again. */
	release(id: string): void {
		this.retried.delete(id);
	}
}

function keep(events: Set<string> | Map<string, unknown>): void {
	const [oldest] = events.keys();
	if (events.size > MOST_EVENTS) events.delete(oldest);
}
