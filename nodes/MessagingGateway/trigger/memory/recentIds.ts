import { hash as digestOf } from 'crypto';

const HOUR = 60 * 60 * 1000;
/** How long an id is remembered at least, unless more than `REMEMBERED_IDS` come in that time. */
export const REMEMBERED_FOR = 24 * HOUR;
/** How many of the latest ids are remembered at least, if they are younger than `REMEMBERED_FOR`. */
export const REMEMBERED_IDS = 500_000;

const SEGMENT_SPAN = 2 * HOUR;
const SMALLEST_TABLE = 64;
const LARGEST_TABLE = 65_536;
const FULLEST = 0.75;
const SEGMENT_IDS = LARGEST_TABLE * FULLEST;
// Ninety-six bits of a hash: two ids that share them are less likely than a flipped bit in memory.
const WORDS = 3;

/** Ids that came within a span of time, as a hash table without gaps for links or objects. */
class Segment {
	count = 0;
	private table = new Uint32Array(SMALLEST_TABLE * WORDS);

	constructor(
		readonly since: number,
		public until: number,
	) {}

	has(hash: Uint32Array): boolean {
		return this.table[this.find(hash)] !== 0;
	}

	add(hash: Uint32Array): void {
		if (this.count + 1 > (this.table.length / WORDS) * FULLEST) this.grow();
		this.table.set(hash, this.find(hash));
		this.count++;
	}

	/** Where the hash is, or where it would go. */
	private find(hash: Uint32Array): number {
		const slots = this.table.length / WORDS;
		let slot = hash[1] % slots;
		for (;;) {
			const at = slot * WORDS;
			const first = this.table[at];
			if (first === 0) return at;
			if (first === hash[0] && this.table[at + 1] === hash[1] && this.table[at + 2] === hash[2])
				return at;
			slot = (slot + 1) % slots;
		}
	}

	private grow(): void {
		const old = this.table;
		this.table = new Uint32Array(old.length * 2);
		for (let at = 0; at < old.length; at += WORDS) {
			if (old[at] === 0) continue;
			const hash = old.subarray(at, at + WORDS);
			this.table.set(hash, this.find(hash));
		}
	}
}

/**
 * A set of texts that forgets the oldest: for 24 hours or 500,000 texts, whichever is less, in about twenty bytes
 * each. Kept in segments, so that forgetting is dropping one.
 */
export class RecentIds {
	private segments: Segment[] = [];

	/** @param evicted called with the number of texts that had to be forgotten before their time */
	constructor(private readonly evicted: (count: number) => void) {}

	get size(): number {
		return this.segments.reduce((sum, { count }) => sum + count, 0);
	}

	has(id: string): boolean {
		const hash = hashOf(id);
		return this.segments.some((segment) => segment.has(hash));
	}

	add(id: string): void {
		const now = Date.now();
		const hash = hashOf(id);
		this.forgetOld(now);
		if (this.segments.some((segment) => segment.has(hash))) return;
		const newest = this.segmentFor(now);
		newest.add(hash);
		newest.until = now;
	}

	private segmentFor(now: number): Segment {
		const newest = this.segments.at(-1);
		if (newest && newest.count < SEGMENT_IDS && now - newest.since < SEGMENT_SPAN) return newest;
		const segment = new Segment(now, now);
		this.segments.push(segment);
		return segment;
	}

	private forgetOld(now: number): void {
		while (this.segments.length > 0 && now - this.segments[0].until >= REMEMBERED_FOR) {
			this.segments.shift();
		}
		if (this.size - (this.segments[0]?.count ?? 0) < REMEMBERED_IDS) return;
		const count = this.segments.shift()?.count ?? 0;
		this.evicted(count);
	}
}

function hashOf(id: string): Uint32Array {
	const digest = digestOf('sha256', id, 'buffer');
	// Zero marks a free slot.
	return Uint32Array.of(
		digest.readUInt32LE(0) || 1,
		digest.readUInt32LE(4),
		digest.readUInt32LE(8),
	);
}
