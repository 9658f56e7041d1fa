const STEM_LENGTH = 4;
/** Words that say nothing of what a sentence is about. */
const EMPTY_WORDS = new Set(
	'what when where which with your you have does this that they there from will would could please about tell them into then than want need'.split(
		' ',
	),
);
/** What people ask with, and what the answer is called. */
const ALSO: Record<string, string[]> = { where: ['address'], open: ['hours'], onde: ['address'] };

/** The beginnings of the words that say what a text is about, each once. */
export function readWords(text: string): Set<string> {
	const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
	const meant = words.flatMap((word) => [word, ...(ALSO[word] ?? [])]);
	const telling = meant.filter((word) => word.length >= STEM_LENGTH && !EMPTY_WORDS.has(word));
	return new Set(telling.map((word) => word.slice(0, STEM_LENGTH)));
}

/** The candidate whose text shares the most words, the first of equals; undefined if none shares as many as `atLeast`. */
export function findBest<T>(
	words: Set<string>,
	candidates: T[],
	textOf: (candidate: T) => string,
	atLeast = 1,
): T | undefined {
	const scored = candidates.map((candidate) => {
		const own = readWords(textOf(candidate));
		return { candidate, score: [...words].filter((word) => own.has(word)).length };
	});
	const [best] = scored.sort((one, other) => other.score - one.score);
	return best !== undefined && best.score >= atLeast ? best.candidate : undefined;
}
