import { fold, toPlainForm, withoutSigns } from '../values/fold';
import { linesOf, type Line, type Lined } from './labels';

export interface Answer {
	/** None if a reply has content without text. */
	text?: string;
	choice?: string;
	approved?: boolean;
	/** A reviewer's instruction for the agent, instead of a yes or a no. */
	chatInput?: string;
}

/** `unclear` if a choice or an approval cannot read a message. */
export type Reading = Answer | 'unclear';

/** The part of a question that a text is read for. */
export interface Asked extends Lined {
	requireText: boolean;
	isReview: boolean;
}

/** A longer text answers with no label: comparing it takes too long. */
export const MAX_LENGTH = 500;

// A grammar says what may surround an answer, not an alphabet. An alphabet of single signs lets faces
// decide: `271 ):`, `:3`, `:D`.
//
//   answer     = surrounded number | surrounded number, separator, surrounded label | surrounded label
//   surrounded = pictures that agree, or quotes, brackets, bold and italics in pairs, or stops at the end
//
// Everything else is unclear, and the lines are listed again.

/** Opening and closing signs. */
const PAIRS: Array<[string, string]> = [
	['“', '”'],
	['„', '“'],
	['„', '”'],
	['”', '”'],
	['«', '»'],
	['»', '«'],
	['‹', '›'],
	['‘', '’'],
	['‚', '‘'],
	['"', '"'],
	["'", "'"],
	['`', '`'],
	['(', ')'],
	['[', ']'],
	['{', '}'],
	['「', '」'],
	['『', '』'],
	['【', '】'],
	['《', '》'],
	['〈', '〉'],
	['*', '*'],
	['_', '_'],
	['¡', '!'],
];

const AGREEING = '[✅✔☑👍👌🙏👏🙌🤝❤💚💙🎉😀😃😄😊🙂🆗]';
const PICTURES_BEFORE = new RegExp(`^(?:${AGREEING}\\s*)+`, 'u');
const PICTURES_BEHIND = new RegExp(`(?:\\s*(?:${AGREEING}|:-?\\)))+$`, 'u');

/** Stops touch the word, but for the ! of French. */
const STOPS = /(?<=\S)(?:\s?!+|[.,;:!。、،؛۔।]+)$/u;

/** Stands between a number and its label: `2. No`, `2) No`, `2: No`, `2 - No`. */
const SEPARATOR = /^[)\].,:;!。、،؛]*\s*(?:\p{Pd}\s*)?/u;

/** Marks that strike a letter out or enclose it, but for keycaps. */
const STRUCK = /[\u0334-\u0338\u20D0-\u20E2\u20E4-\u20FF]|\u0488|\u0489|(?<!\p{Nd}\uFE0F?)\u20E3/u;
/** Overrides that turn digits around. */
const TURNED = /[\u202D\u202E]/u;
const RAISED = /[²³¹\u2070-\u209F]/u;

/** Signs that people write in place of those of a label: `a-b` of *A B*. */
const SOFT = /^[\p{L}\p{M}\p{N}\p{Pd}\s.,;:!'’"“”()…&/+]$/u;
const LETTER = /^[\p{L}\p{M}\p{N}]$/u;

/** How a label is compared: as it is, then without signs, then as people write in a hurry. */
const READINGS = [
	(text: string): string => text.trim().toLowerCase(),
	(text: string): string => withoutSigns(text.normalize('NFKC').toLowerCase()),
	fold,
];

/**
 * Reads what a message answers.
 *
 * @param text empty if the message has other content alone: a picture, a location
 * @param isQuote whether the message quotes the question: then words alone can decide an approval
 * @returns undefined if a reply that requires text has none
 */
export function readAnswer(asked: Asked, text: string, isQuote: boolean): Reading | undefined {
	if (asked.type === 'reply') {
		if (text !== '') return { text };
		return asked.requireText ? undefined : {};
	}

	const line = readLine(asked, text, isQuote);
	if (line !== 'unclear') {
		if (asked.type === 'choice') return { text, choice: asked.labels[line] };
		return { text, approved: line === 0 };
	}
	const isInstruction = asked.isReview && isQuote && text !== '';
	return isInstruction ? { text, approved: false, chatInput: text } : 'unclear';
}

/**
 * Reads which line of a question a text names.
 *
 * @returns the index of the line; `unclear` if it names none, or more than one
 */
function readLine(lined: Lined, text: string, isQuote: boolean): number | 'unclear' {
	if (text.length > MAX_LENGTH) return 'unclear';

	const lines = linesOf(lined);
	const labels = lines.map(({ words }) => words);
	const takesWords = lined.type === 'choice' || isQuote;

	const asShown = lined.labels.findIndex(
		(label) => label.toLowerCase() === text.trim().toLowerCase(),
	);
	if (takesWords && asShown !== -1 && !isOtherNumber(lines, asShown, text)) return asShown;
	if (isTricky(text, lined.labels)) return 'unclear';

	const byNumber = findNumber(lines, labels, text);
	const byWords = takesWords ? findLabel(labels, text) : undefined;
	if (byNumber === undefined) return byWords ?? 'unclear';
	return byWords === undefined || byWords === byNumber ? byNumber : 'unclear';
}

/** Whether a label is also the number of another line: *b* in line d. */
function isOtherNumber(lines: Line[], index: number, text: string): boolean {
	const typed = text.trim().toLowerCase();
	return lines.some(({ number }, each) => each !== index && number === typed);
}

function isTricky(text: string, labels: string[]): boolean {
	const isForeign = (signs: RegExp): boolean => {
		const [sign] = signs.exec(text) ?? [];
		return sign !== undefined && !labels.some((label) => label.includes(sign));
	};
	return STRUCK.test(text) || TURNED.test(text) || isForeign(RAISED);
}

/** The line whose number a text has, alone or with the label of this line. */
function findNumber(lines: Line[], labels: string[], text: string): number | undefined {
	const plain = peel(toPlainForm(text).toLowerCase());
	const { number, rest } = splitNumber(plain);
	const index = lines.findIndex((line) => line.number === number);
	if (index === -1) return undefined;

	// The sign behind the number may be the label of another line: `1 👍`.
	const behind = splitNumber(toPlainForm(text).toLowerCase().trim()).rest.trim();
	const named = behind === '' ? undefined : findLabel(labels, behind);
	if (named !== undefined && named !== index) return undefined;
	if (rest === '') return index;

	const words = rest.replace(SEPARATOR, '');
	if (words === '') return undefined;
	return findLabel(labels, words) === index ? index : undefined;
}

/** Splits `“271” yes` and `#271. yes` into the number and what is behind it. */
function splitNumber(text: string): { number?: string; rest: string } {
	for (const [opening, closing] of PAIRS) {
		if (!text.startsWith(opening)) continue;
		const end = text.indexOf(closing, opening.length);
		if (end === -1) continue;
		const inner = splitNumber(text.slice(opening.length, end).trim());
		if (inner.number !== undefined && inner.rest === '')
			return { number: inner.number, rest: text.slice(end + closing.length) };
	}

	const found =
		/^#?(?<number>\d{1,4}(?!\p{N}|\p{M})|[a-i](?![\p{L}\p{M}\p{N}]))(?<rest>.*)$/su.exec(text);
	return { number: found?.groups?.number, rest: found?.groups?.rest ?? '' };
}

/** The one label that a text is, as people write it. */
function findLabel(labels: string[], text: string): number | undefined {
	const forms = [text, peel(toPlainForm(text))];
	for (const read of READINGS) {
		for (const form of forms) {
			const wanted = read(form);
			if (wanted === '') continue;
			const alike = labels.filter((label) => label.length <= MAX_LENGTH && read(label) === wanted);
			if (alike.length === 1 && isFreeOfDoubt(form, alike[0])) return labels.indexOf(alike[0]);
		}
	}
	return undefined;
}

/** Whether a text has no sign beside its words that its label lacks, and none that could be a doubt. */
function isFreeOfDoubt(text: string, label: string): boolean {
	const written = [...toPlainForm(text).toLowerCase().trim()];
	const meant = [...toPlainForm(label).toLowerCase().trim()];
	if (written.join('') === meant.join('')) return true;

	const isEdgeFree = (place: number): boolean => {
		const sign = written.at(place) ?? '';
		return LETTER.test(sign) || sign === meant.at(place);
	};
	const isSignFree = written.every((sign) => SOFT.test(sign) || meant.includes(sign));
	return isEdgeFree(0) && isEdgeFree(-1) && isSignFree;
}

/** Takes off what may surround an answer. */
function peel(text: string): string {
	let core = text.trim();
	let before: string;
	do {
		before = core;
		core = unwrap(core)
			.replace(PICTURES_BEFORE, '')
			.replace(PICTURES_BEHIND, '')
			.replace(STOPS, '')
			.trim();
	} while (core !== before);
	return core;
}

function unwrap(text: string): string {
	for (const [opening, closing] of PAIRS) {
		const inner = text.slice(opening.length, -closing.length);
		const isWrapped = text.startsWith(opening) && text.endsWith(closing) && inner !== '';
		if (isWrapped && !inner.includes(opening) && !inner.includes(closing)) return inner.trim();
	}
	return text;
}
