import { foldAnswer } from './fold';
import { KNOWN_WORDS, type Word } from './words';

/** No known phrase has more words; of labels no more are looked at. */
const LONGEST_PHRASE = 12;

const SENTENCE_END = /[.,!…¡！，．。\n]+/;
/** In the answer of a whole message, as in `*yes*`: bold and italics of the network. */
const EMPHASIS = /^([*_])(.*)\1$/s;
const SMILE = /[:=]-?\)/g;
const STRETCHED = /(.)\1+/gu;

/** Words by their form without doubled letters, for "yesss" and "siiim". */
const stretchable = new Map(
	[...KNOWN_WORDS]
		.filter(([words, { role }]) => ['lead', 'well'].includes(role) && /^[a-z]{2,}$/.test(words))
		.map(([words]) => [shrink(words), words]),
);

/**
 * Whether a text says yes or no in plain words of English or Portuguese, and nothing else: all of it has to be known, and to
 * say the same. Takes time in proportion to the text.
 *
 * @param known folded words, and what they say
 * @returns undefined where it says neither, both, or anything beside
 */
export function readConsent(text: string, known: ReadonlyMap<string, Word>): boolean | undefined {
	const all: Word[] = [];
	const sentences = text.trim().replace(EMPHASIS, '$2').replace(SMILE, '🙂').split(SENTENCE_END);
	for (const sentence of sentences) {
		const words = findWords(foldAnswer(sentence), known);
		if (words === undefined || !fitTogether(words)) return undefined;
		all.push(...words);
	}
	const consents = all.filter(({ approves }) => approves !== undefined);
	const [approves, another] = new Set(consents.map((word) => word.approves));
	const has = (wanted: Word['role']) => all.some(({ role }) => role === wanted);
	const isGreeting = has('greeting') && consents.every(({ role }) => role === 'well');
	const isUnclear = another !== undefined || (approves === true && has('regret')) || isGreeting;
	return isUnclear ? undefined : approves;
}

/** Cuts a folded sentence into known words, the longest first; undefined if any is not known. */
function findWords(folded: string, known: ReadonlyMap<string, Word>): Word[] | undefined {
	const left = folded.split(' ').filter(Boolean);
	const found: Word[] = [];
	for (let at = 0; at < left.length;) {
		let length = Math.min(LONGEST_PHRASE, left.length - at);
		let word: Word | undefined;
		for (; length > 0; length--) {
			const words = left.slice(at, at + length).join(' ');
			word = known.get(words);
			if (word !== undefined) break;
		}
		word ??= known.get(stretchable.get(shrink(left[at])) ?? '');
		if (word === undefined) return undefined;
		found.push(word);
		at += Math.max(1, length);
	}
	return found;
}

/** "Não recuso" and "yeah right" say something else than their words; "ok, pode" and "não, obrigado" do not. */
function fitTogether(words: Word[]): boolean {
	const phrases = new Set(words.filter(({ role }) => role === 'phrase' || role === 'verb'));
	const isNegatedVerb =
		words.some(({ role }) => role === 'verb') &&
		words.some(({ role, approves }) => role === 'lead' && approves === false);
	return phrases.size <= 1 && !isNegatedVerb;
}

function shrink(word: string): string {
	return word.replace(STRETCHED, '$1');
}
