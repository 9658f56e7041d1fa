/** Chance that can be repeated: the same seed gives the same values. */
export interface Random {
	/** A whole number from `low` to `high`, both included. */
	integer(low: number, high: number): number;
	pick<T>(values: readonly T[]): T;
	/** Letters and digits. */
	text(shortest: number, longest: number): string;
	bytes(length: number): Buffer;
	/** The same bytes with one bit changed; nothing stays nothing. */
	flip(bytes: Buffer): Buffer;
	shuffle<T>(values: readonly T[]): T[];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A generator after Marsaglia's xorshift with 32 bits: not for secrets, but quick and everywhere the same. */
export function createRandom(seed: number): Random {
	let state = seed | 0 || 1;
	const next = (): number => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) / 2 ** 32;
	};
	const integer = (low: number, high: number): number =>
		low + Math.floor(next() * (high - low + 1));
	const bytes = (length: number): Buffer =>
		Buffer.from(Array.from({ length }, () => integer(0, 255)));
	return {
		integer,
		bytes,
		pick: (values) => values[integer(0, values.length - 1)],
		text: (shortest, longest) =>
			Array.from(
				{ length: integer(shortest, longest) },
				() => LETTERS[integer(0, LETTERS.length - 1)],
			).join(''),
		flip: (original) => {
			const changed = Buffer.from(original);
			if (changed.length > 0) changed[integer(0, changed.length - 1)] ^= 1 << integer(0, 7);
			return changed;
		},
		shuffle: (values) => {
			const shuffled = [...values];
			for (let index = shuffled.length - 1; index > 0; index--) {
				const other = integer(0, index);
				[shuffled[index], shuffled[other]] = [shuffled[other], shuffled[index]];
			}
			return shuffled;
		},
	};
}
