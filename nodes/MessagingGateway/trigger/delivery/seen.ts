import { evictOldest, sharedMap } from '../../n8n/processState';
import type { Decision } from '../../n8n/respond';

/** An event is pending until n8n has decided about it. Then it is done, or forgotten. */
type SeenEvent =
	{ is: 'pending'; since: number; decided: Promise<Decision> } | { is: 'done'; since: number };

const HOUR_MS = 60 * 60_000;

/** How long a receiver keeps the ID of an event (API 12.3). */
const KEPT_WHEN_DONE_MS = 24 * HOUR_MS;
/** If n8n never responds. */
const KEPT_WHEN_PENDING_MS = HOUR_MS;

const MAX_EVENTS = 100_000;

/**
 * Remembers an event, and forgets it if it is deferred, so that its repeat starts an execution.
 *
 * @returns `new`, or of a repeat: `done`, or the decision that n8n has not made yet
 */
export function remember(
	trigger: string,
	id: string,
	decided: Promise<Decision>,
): 'new' | 'done' | Promise<Decision> {
	const events = sharedMap<SeenEvent>(`seen events 5 ${trigger}`);
	const known = events.get(id);
	if (known !== undefined && isKept(known)) return known.is === 'done' ? 'done' : known.decided;

	const since = Date.now();
	const pending: SeenEvent = { is: 'pending', since, decided };
	// An ID that comes anew is evicted as late as any new one.
	events.delete(id);
	events.set(id, pending);
	evictOldest(events, MAX_EVENTS);

	void decided.then((decision) => {
		// A decision that takes more than an hour may meet a newer delivery of the event.
		if (events.get(id) !== pending) return;
		if (decision === 'accepted') events.set(id, { is: 'done', since });
		else events.delete(id);
	});
	return 'new';
}

function isKept({ is, since }: SeenEvent): boolean {
	const keptForMs = is === 'done' ? KEPT_WHEN_DONE_MS : KEPT_WHEN_PENDING_MS;
	return Date.now() - since < keptForMs;
}
