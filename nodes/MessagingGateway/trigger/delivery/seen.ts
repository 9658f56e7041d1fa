import { evictOldest, sharedMap } from '../../processState';

interface SeenEvent {
	at: number;
	/** An event is pending until n8n has accepted it. */
	state: 'pending' | 'done';
}

const HOUR_MS = 60 * 60_000;
/** API document, "Event id retention"; an hour if n8n never responds. */
const KEPT_FOR_MS = { done: 24 * HOUR_MS, pending: HOUR_MS };
const MAX_EVENTS = 100_000;

/** By event ID, the oldest first. */
const eventsOf = (trigger: string): Map<string, SeenEvent> =>
	sharedMap<SeenEvent>(`seen events 2 ${trigger}`);

/** Remembers a new event as pending, and tells whether it has come before. */
export function claim(trigger: string, id: string): 'new' | 'pending' | 'done' {
	const events = eventsOf(trigger);
	const now = Date.now();
	const event = events.get(id);
	if (event !== undefined && now - event.at < KEPT_FOR_MS[event.state]) return event.state;
	events.delete(id);
	events.set(id, { at: now, state: 'pending' });
	evictOldest(events, MAX_EVENTS);
	return 'new';
}

/** Marks a claimed event as done. */
export function markDone(trigger: string, id: string): void {
	const event = eventsOf(trigger).get(id);
	if (event) event.state = 'done';
}

/** Forgets a claimed event, so that its repeat is new. */
export function forget(trigger: string, id: string): void {
	eventsOf(trigger).delete(id);
}
