import { hash as digestOf } from 'crypto';

const HOUR_MS = 60 * 60 * 1000;
/** How long an id is remembered at least, unless more than `REMEMBERED_IDS` come in that time. */
export const REMEMBERED_FOR_MS = 24 * HOUR_MS;
/** How many of the latest ids are remembered at least, if they are younger than `REMEMBERED_FOR_MS`. */
export const REMEMBERED_IDS = 500_000;

// 128 bits: two ids that share them are less likely than a flipped bit in memory.
const KEY_BYTES = 16;

/**
 * A set of texts that forgets the oldest: each is remembered for 24 hours at least (API document, "Event id
 * retention") unless more than 500,000 come in that time, and for two generations at most. A new one begins after 24 hours
 * or 500,000 texts: the newer becomes the older, and the older is forgotten.
 */
export class RecentIds {
	private newer = new Set<string>();
	private older = new Set<string>();
	private newerSince = Date.now();
	private addedAt = -Infinity;
	private olderUntil = -Infinity;

	/** @param evicted called with the number of texts that had to be forgotten before their time */
	constructor(private readonly evicted: (count: number) => void) {}

	get size(): number {
		return this.newer.size + this.older.size;
	}

	has(id: string): boolean {
		return this.holds(fingerprintOf(id));
	}

	add(id: string): void {
		this.keep(fingerprintOf(id));
	}

	/** As `add`, with the fingerprint of a text, for whoever needs it more than once. */
	keep(fingerprint: string): void {
		if (this.holds(fingerprint)) return;
		const now = Date.now();
		if (this.newer.size >= REMEMBERED_IDS || now - this.newerSince >= REMEMBERED_FOR_MS)
			this.beginGeneration(now);
		this.newer.add(fingerprint);
		this.addedAt = now;
	}

	/** The fingerprints of all texts, the oldest first. */
	*all(): Iterable<string> {
		yield* this.older;
		yield* this.newer;
	}

	/** As `has`, with the fingerprint of a text. */
	holds(fingerprint: string): boolean {
		return this.newer.has(fingerprint) || this.older.has(fingerprint);
	}

	private beginGeneration(now: number): void {
		if (now - this.olderUntil < REMEMBERED_FOR_MS) this.evicted(this.older.size);
		this.older = this.newer;
		this.olderUntil = this.addedAt;
		this.newer = new Set();
		this.newerSince = now;
	}
}

/** What is kept of a text: as it comes it can be long, and as a piece of a larger one would keep all of that alive. */
export function fingerprintOf(id: string): string {
	return digestOf('sha256', id, 'buffer').toString('latin1', 0, KEY_BYTES);
}
