import { TEXT_KINDS } from './alphabets';
import { READERS, runReader, WIDE_READERS, type Reader } from './readers';

/** In characters. The longer text is eight times the shorter one. */
const LENGTHS = { short: 8 * 1024, long: 64 * 1024 };
/** Eight times the text may take so many times as long. */
export const MAX_GROWTH = 12;
/** A shorter time is no standstill, and hard to measure: one collection of garbage takes as long. */
const MIN_MS = 20;
/** A clock of computing time ticks coarsely, so a reader runs again until it has taken this time. */
const MEASURED_MS = 20;
const TRIES = 5;

export interface Growth {
	reader: string;
	kind: string;
	/** How many times as long the reader takes for eight times the text, in ascending order. */
	tries: number[];
}

/**
 * Measures how the time of each reader grows with its text, in computing time of this thread.
 *
 * @returns the readers that take longer than 20 ms for the long text, the steepest first
 */
export async function measureGrowth(): Promise<Growth[]> {
	const found: Growth[] = [];
	for (const reader of READERS) {
		for (const { name, write } of TEXT_KINDS) {
			const tries = await measureReader(reader, write(LENGTHS.short), write(LENGTHS.long));
			if (tries.length > 0) found.push({ reader: reader.name, kind: name, tries });
		}
	}
	for (const reader of WIDE_READERS) {
		const tries = await measureReader(reader, 'x'.repeat(LENGTHS.short), 'x'.repeat(LENGTHS.long));
		if (tries.length > 0) found.push({ reader: reader.name, kind: 'its length', tries });
	}
	return found.sort((one, other) => other.tries[0] - one.tries[0]);
}

/** The growth in several tries, in ascending order; none if the long text takes no time. */
async function measureReader(reader: Reader, short: string, long: string): Promise<number[]> {
	// The first run may be slow, because V8 has not compiled the reader yet.
	if ((await timeOf(reader, long, 0)) < MIN_MS) return [];
	if ((await timeOf(reader, long, MEASURED_MS)) < MIN_MS) return [];

	const tries: number[] = [];
	while (tries.length < TRIES) {
		const before = await timeOf(reader, short, MEASURED_MS);
		const after = await timeOf(reader, long, MEASURED_MS);
		tries.push(after / before);
	}
	return tries.sort((one, other) => one - other);
}

/** Milliseconds of this thread for one run, on an average of runs that take `measuredMs` in all. */
async function timeOf(reader: Reader, text: string, measuredMs: number): Promise<number> {
	const begun = process.threadCpuUsage();
	for (let runs = 1; ; runs++) {
		await runReader(reader, text);
		const { user, system } = process.threadCpuUsage(begun);
		const total = (user + system) / 1000;
		if (total >= measuredMs) return total / runs;
	}
}
