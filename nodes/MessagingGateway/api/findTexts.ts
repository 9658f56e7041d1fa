/** A stretch of a text: from its first character to the one behind its last. */
type Stretch = [from: number, to: number];

/**
 * Gives what finds many texts in one pass (the algorithm of Aho and Corasick): that takes time which grows with the text
 * that is searched alone, however many are wanted and whatever they are.
 *
 * @param enough of a longer one so many characters are enough: it is found as far as it stands there
 */
export function findTexts(wanted: string[], enough: number): (text: string) => Stretch[] {
	// What is in any of them gets a small number: a step is then looked up by one that JavaScript takes quickly.
	const letters = new Map<string, number>();
	for (const letter of wanted.flatMap((each) => each.split('')))
		if (!letters.has(letter)) letters.set(letter, letters.size);

	/** Each state stands for a beginning; state 0 for none. */
	const states: Array<{ before: number; letter: number; depth: number }> = [];
	states.push({ before: 0, letter: 0, depth: 0 });
	const steps = new Map<number, number>();
	const keyOfStep = (state: number, letter: number): number => state * letters.size + letter;
	/** How much of a wanted text ends in a state, 0 for nothing. */
	const found = [0];
	for (const each of wanted) {
		let state = 0;
		for (const letter of each.split('').map((one) => letters.get(one) ?? 0)) {
			const key = keyOfStep(state, letter);
			const depth = states[state].depth + 1;
			if (!steps.has(key)) {
				steps.set(key, states.length);
				states.push({ before: state, letter, depth });
				found.push(depth >= enough ? depth : 0);
			}
			state = steps.get(key) ?? 0;
		}
		found[state] = each.length;
	}

	/** The longest beginning that a state ends in, beside itself. */
	const fallbacks = states.map(() => 0);
	const step = (from: number, letter: number): number => {
		for (let state = from; ; state = fallbacks[state]) {
			const next = steps.get(keyOfStep(state, letter));
			if (next !== undefined) return next;
			if (state === 0) return 0;
		}
	};
	const byDepth = [...states.entries()].sort(([, one], [, other]) => one.depth - other.depth);
	for (const [state, { before, letter, depth }] of byDepth) {
		if (depth > 1) fallbacks[state] = step(fallbacks[before], letter);
		found[state] ||= found[fallbacks[state]];
	}

	return (text) => {
		const stretches: Stretch[] = [];
		let state = 0;
		for (let at = 0; at < text.length; at++) {
			const letter = letters.get(text[at]);
			state = letter === undefined ? 0 : step(state, letter);
			if (found[state] > 0) addStretch(stretches, [at + 1 - found[state], at + 1]);
		}
		return stretches;
	};
}

/** Two that overlap become one. */
function addStretch(stretches: Stretch[], [start, to]: Stretch): void {
	let from = start;
	for (let last = stretches.at(-1); last !== undefined && last[1] > from; last = stretches.at(-1)) {
		from = Math.min(from, last[0]);
		stretches.pop();
	}
	stretches.push([from, to]);
}
