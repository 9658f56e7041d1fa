/** A word that no text may have, and the one that it has in its place. */
export interface Avoided {
	word: RegExp;
	instead: string;
}

/** Pictures for what has a word of its own. The right column is also that of the code. */
export const AVOIDED: Avoided[] = [
	{ word: /\bmend(s|ed|ing)?\b/i, instead: 'repair, or fix' },
	{ word: /\blook(s|ed|ing)? after\b/i, instead: 'check' },
	{ word: /\b(deaf|asleep|rests|resting)\b/i, instead: 'parked, or what does not work' },
	{ word: /\b(ride|rides|riding|rider|aboard)\b/i, instead: 'shares an execution' },
	{ word: /\bstay(s|ed)? away\b/i, instead: 'what it does not do' },
	{ word: /\b(put(s|ting)? off|postpone(s|d)?)\b/i, instead: 'defer' },
	{ word: /\b(is|are|was|were) (not )?told\b/i, instead: 'who tells whom' },
	{ word: /\b(relay\w*|hand(s|ed)? (it|them|messages|a message) on)\b/i, instead: 'forward' },
	{ word: /\b(journal|shelf)\b/i, instead: 'retry ledger' },
	{ word: /\bself-check\b/i, instead: 'self-test' },
	{ word: /\bwhoever\b/i, instead: 'everybody who, or a name' },
	{ word: /\ball the same\b/i, instead: 'anyway, or nothing' },
	{
		word: /\b(API document\b|gateway[’']s document\b)/i,
		instead: 'your gateway’s API documentation',
	},
];

/** How no sentence begins that is no question. */
export const OPENINGS = /^(What|That|Whoever) \S+ .*\.$/;
