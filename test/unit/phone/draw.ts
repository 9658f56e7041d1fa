/** A repeatable source of chance, so that a case that fails once fails again. */
let state = 20_260_114;

const next = (): number => {
	state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
	return state / 2 ** 32;
};

export const draw = (choices: string | string[]): string =>
	choices[Math.floor(next() * choices.length)];

export const drawDigits = (length: number): string =>
	Array.from({ length }, () => draw('0123456789')).join('');
