import { sharedMap } from '../processState';

const KEPT_MS = 15_000;

const MOST_KEPT = 20;

interface Kept {
	/** In milliseconds since 1970. */
	until: number;
	value: Promise<unknown>;
}

const kept = sharedMap<Kept>('lists for the editor');

/**
 * Gives what was loaded a moment ago, or is being loaded, instead of loading it again: the editor asks for a whole
 * list with each key that somebody types. What could not be loaded is loaded anew.
 *
 * @param key must tell apart whatever may differ, above all the token, by its fingerprint
 * @param load gets it from the gateway
 */
export async function rememberBriefly<T>(key: string, load: () => Promise<T>): Promise<T> {
	const known = kept.get(key);
	if (known !== undefined && known.until > Date.now()) return await (known.value as Promise<T>);
	kept.delete(key);
	makeRoom();
	const value = load();
	const entry: Kept = { until: Infinity, value };
	kept.set(key, entry);
	void value.then(
		() => (entry.until = Date.now() + KEPT_MS),
		() => kept.get(key) === entry && kept.delete(key),
	);
	return await value;
}

function makeRoom(): void {
	const now = Date.now();
	for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
	const [oldest] = kept.keys();
	if (kept.size >= MOST_KEPT) kept.delete(oldest);
}
