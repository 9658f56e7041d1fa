import { NodeOperationError } from 'n8n-workflow';

/** Names the root for every load of the package in the process; it stays the same for good. */
const KEY = Symbol.for('n8n-nodes-messaging-gateway');

/** Version of what owners hand over. Raise it when a field of `Estate` or `AccountEstate` changes its meaning. */
export const SHAPE = 1;

/** What the process remembers. */
interface Root {
	/** When this process began to remember, in milliseconds as of `Date.now`. */
	startedAt: number;
	/** What owns state, by the name of its place, and there by a key. */
	places: Map<string, Map<string, unknown>>;
}

// An update from *Settings → Community nodes* loads the new code beside the old one, and publishes nothing anew. So the state
// must not live in a module: every load finds this root at an export of n8n-workflow, which n8n loads once. Nothing that
// n8n has put there is read or changed.
const shared = NodeOperationError as { [KEY]?: Root };

const root: Root = (shared[KEY] ??= { startedAt: Date.now(), places: new Map() });

/** When this process began to remember, in milliseconds as of `Date.now`; an update changes nothing about it. */
export const startedAt = root.startedAt;

/**
 * A map in the root, e.g. `sharedMap<Subscription>('subscriptions')`. What an older load has left there may have another
 * shape: whoever owns the place takes it over when the module is loaded.
 */
export function sharedMap<T>(name: string): Map<string, T> {
	const place = root.places.get(name) ?? new Map<string, unknown>();
	root.places.set(name, place);
	return place as Map<string, T>;
}

/** Forgets the oldest of what is kept, where it is more than that. */
export function dropOldest(kept: Set<string> | Map<string, unknown>, most: number): void {
	const [oldest] = kept.keys();
	if (kept.size > most) kept.delete(oldest);
}
