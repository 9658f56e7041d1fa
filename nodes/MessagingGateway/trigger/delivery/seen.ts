import { evictOldest, sharedMap } from '../../n8n/processState';
import type { Decision } from '../../n8n/respond';

interface SeenEvent {
	at: number;
	/** Undefined when the event is done. */
	pending?: Promise<Decision>;
}

const HOUR_MS = 60 * 60_000;
/** API document, "Event id retention"; an hour if n8n never responds. */
const KEPT_FOR_MS = { done: 24 * HOUR_MS, pending: HOUR_MS };
const MAX_EVENTS = 100_000;

/** Remembers a new event, unless it is deferred. A known one is done, or its decision comes. */
export function remember(trigger: string, id: string, decided: Promise<Decision>) {
	const events = sharedMap<SeenEvent>(`seen events 4 ${trigger}`);
	const now = Date.now();
	const known = events.get(id);
	if (known !== undefined && now - known.at < KEPT_FOR_MS[known.pending ? 'pending' : 'done'])
		return known.pending ?? 'done';
	const event: SeenEvent = { at: now, pending: decided };
	events.delete(id);
	events.set(id, event);
	evictOldest(events, MAX_EVENTS);
	void decided.then((decision) => {
		event.pending = undefined;
		if (decision === 'deferred' && events.get(id) === event) events.delete(id);
	});
	return 'new';
}
