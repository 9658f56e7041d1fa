import { evictOldest, sharedMap } from '../../processState';

interface SeenEvent {
	at: number;
	/** Whether n8n has accepted the event; until then it is pending. */
	isDone: boolean;
}

const HOUR_MS = 60 * 60_000;
/** API document, "Event id retention". */
const DONE_FOR_MS = 24 * HOUR_MS;
/** If n8n never responds, a repeat may start after this time. */
const PENDING_FOR_MS = HOUR_MS;
const MAX_EVENTS = 100_000;

/** By event ID, the oldest first. */
const eventsOf = (trigger: string): Map<string, SeenEvent> =>
	sharedMap<SeenEvent>(`seen events 1 ${trigger}`);

/** Remembers a new event as pending, and tells whether it has come before. */
export function claim(trigger: string, id: string): 'new' | 'pending' | 'done' {
	const events = eventsOf(trigger);
	const now = Date.now();
	const event = events.get(id);
	if (event !== undefined && now - event.at < (event.isDone ? DONE_FOR_MS : PENDING_FOR_MS))
		return event.isDone ? 'done' : 'pending';
	events.delete(id);
	events.set(id, { at: now, isDone: false });
	evictOldest(events, MAX_EVENTS);
	return 'new';
}

/** Marks a claimed event as done. */
export function markDone(trigger: string, id: string): void {
	const event = eventsOf(trigger).get(id);
	if (event) event.isDone = true;
}

/** Forgets a claimed event, so that its repeat is new. */
export function forget(trigger: string, id: string): void {
	eventsOf(trigger).delete(id);
}
