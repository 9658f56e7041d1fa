import type { Settlement } from '../../incoming/respond';
import { evictOldest, sharedMap } from '../../processState';

interface SeenEvent {
	at: number;
	pending?: PromiseWithResolvers<Settlement>;
}

const HOUR_MS = 60 * 60_000;
/** API document, "Event id retention"; an hour if n8n never responds. */
const KEPT_FOR_MS = { done: 24 * HOUR_MS, pending: HOUR_MS };
const MAX_EVENTS = 100_000;

const eventsOf = (trigger: string): Map<string, SeenEvent> =>
	sharedMap<SeenEvent>(`seen events 3 ${trigger}`);

/** Remembers a new event as pending. If it has come before, tells that it is done, or what will become of it. */
export function claim(trigger: string, id: string): 'new' | 'done' | Promise<Settlement> {
	const events = eventsOf(trigger);
	const now = Date.now();
	const event = events.get(id);
	if (event !== undefined && now - event.at < KEPT_FOR_MS[event.pending ? 'pending' : 'done'])
		return event.pending?.promise ?? 'done';
	events.delete(id);
	events.set(id, { at: now, pending: Promise.withResolvers() });
	evictOldest(events, MAX_EVENTS);
	return 'new';
}

/** Settles a claimed event: it is done, or it is forgotten, so that its repeat is new. */
export function settle(trigger: string, id: string, settlement: Settlement): void {
	const events = eventsOf(trigger);
	const event = events.get(id);
	event?.pending?.resolve(settlement);
	if (settlement === 'deferred') events.delete(id);
	else if (event) event.pending = undefined;
}
