import { dropOldest, sharedMap } from '../processState';

interface SeenEvent {
	at: number;
	/** Whether n8n has accepted its delivery; until then the event is pending. */
	isDone: boolean;
}

const HOUR_MS = 60 * 60_000;
/** API document, "Event id retention". */
const DONE_FOR_MS = 24 * HOUR_MS;
/** If n8n has never answered, a repeat may start. */
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
	dropOldest(events, MAX_EVENTS);
	return 'new';
}

/** Ends a pending event: done, or forgotten so that its repeat is new. */
export function settle(trigger: string, id: string, isDone: boolean): void {
	const events = eventsOf(trigger);
	const event = events.get(id);
	if (event === undefined) return;
	if (isDone) event.isDone = true;
	else if (!event.isDone) events.delete(id);
}
