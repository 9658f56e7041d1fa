import { latinizeDigits, toPlainForm } from '../values/fold';
import type { Question } from './question';

const LETTERS = 'abcdefghi';

/** `271` of the number 2711: its own. The last digit is the line. */
const APPROVAL_NUMBER = /^[^\p{L}\p{N}]*(?<code>[1-9]\d\d)(?<line>[12])(?!\p{N})/u;

/** A whole number; one of its parts in a time, a price or a date is none: `9:00`, `10.50`, `3/12`, `9h30`. */
const NUMBERS = /(?<![\p{L}\p{N}])\d+(?:[.:,/⁄'’h]\d+)*/gu;

/** `1. Sales`, `2) Support`, `3 - Other`, `(4) Else`, `*5* More` */
const MENU_LINE = /^[*_#([{\s]*(?<number>\d)(?<between>[\p{Pd}*_)\]}.:\s]*)(?<words>.*)$/su;

/** The part of a question that its lines depend on. */
export type Lined = Pick<Question, 'type' | 'labels'> & { code: string };

/** A line below the question. */
export interface Line {
	/** A person may write it: `2711` of an approval, `1` or `a` of a choice. */
	number: string;
	/** A person may write them beside the number, or in its place; empty if the author has entered a number alone. */
	words: string;
	/** The line of the message. */
	shown: string;
}

/**
 * The lines of a question, in their order; none for a reply.
 *
 * - An approval has numbers of its own.
 * - A choice is numbered. If a person could mistake that, it has letters.
 * - A menu that its author has numbered stays as it is, and is read without its numbers.
 */
export function linesOf({ type, labels, code }: Lined): Line[] {
	if (type === 'approval')
		return labels.map((label, index) => makeLine(`${code}${index + 1}`, label));

	const menu = labels.map(readMenuLine);
	if (menu.every((words) => words !== undefined))
		return labels.map((label, index) => ({
			number: String(index + 1),
			words: menu[index],
			shown: label,
		}));

	const isMistakable = labels.some((label) => holdsLineNumber(label, labels.length));
	return labels.map((label, index) =>
		makeLine(isMistakable ? LETTERS[index] : String(index + 1), label),
	);
}

/** The numbered labels below a question, one a line; empty for a reply. */
export function listLabels(lined: Lined): string {
	return linesOf(lined)
		.map(({ shown }) => shown)
		.join('\n');
}

/** The code of an approval with whose number a text begins; undefined if it begins with none. */
export function readCode(text = ''): string | undefined {
	const start = latinizeDigits(toPlainForm(text.trimStart().slice(0, 100)));
	return APPROVAL_NUMBER.exec(start)?.groups?.code;
}

function makeLine(number: string, label: string): Line {
	return { number, words: label, shown: `${number}. ${label}` };
}

/** The label without the number of its own place; undefined if it does not begin with that. */
function readMenuLine(label: string, index: number): string | undefined {
	const found = MENU_LINE.exec(toPlainForm(label))?.groups;
	if (found === undefined || found.number !== String(index + 1)) return undefined;

	const { between, words } = found;
	if (words === '') return words;

	// `1st floor` has no number of a line, but `1️⃣Sales` and `①Sales` have.
	const isEnclosed = !label.includes(found.number) || label.includes('\u20e3');
	if (between === '' && !isEnclosed) return undefined;

	// `1–2` and `1.5 kg` go on with the number, and so does `1 000`.
	const goesOn = /^\p{N}/u.test(words);
	const isSeparate = /\S\s+$/.test(between) || (isEnclosed && /\s$/.test(between));
	return goesOn && !isSeparate ? undefined : words;
}

/** Whether a label has the number of a line as a number of its own: *Table for 2*, *1–2*. */
function holdsLineNumber(label: string, lines: number): boolean {
	const numbers = toPlainForm(label).match(NUMBERS) ?? [];
	return numbers.some(
		(number) => /^\d$/.test(number) && Number(number) >= 1 && Number(number) <= lines,
	);
}
