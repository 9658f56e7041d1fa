import { readConsent } from './consent';
import { bare, foldAnswer, foldCase } from './fold';
import { KNOWN_WORDS, type Word } from './words';

export type ResponseType = 'reply' | 'choice' | 'approval';

/** What somebody is asked for, and how they may answer. */
export interface Wanted {
	type: ResponseType;
	/** Of *Choice* what may be chosen, of *Approval* what stands for yes and for no. */
	labels: string[];
}

/** What a reply means, as far as its words decide it. */
export interface Meaning {
	choice?: string;
	approved?: boolean;
}

/** Far more characters than a label has. What a stranger writes is not looked at for nothing. */
const LONGEST = 1_000;

/** The number that a label begins with, a sign in front included. */
const OWN_NUMBER = /^[+-]?\d+(?:[.,:]\d+)*\ufe0f?\u20e3?/;
/** In a folded text, as in `#1`, `1)` and `(1)`. */
const NUMBER = /^[(#]?(?<number>[+-]?\d[\d ]*)\)?$/;

/** The lines that tell the person what may be answered, numbered so that a number is enough; none for *Reply*. */
export function listLabels({ labels }: Wanted): string {
	const numbered = areNumbered(labels);
	return labels.map((label, index) => `${numbered ? `${index + 1}.` : '-'} ${label}`).join('\n');
}

/**
 * Reads what somebody has answered.
 *
 * @param said what the person wrote, and the ID of the button that was pressed
 * @returns undefined where it fits nothing that was asked, or two things
 */
export function readMeaning({ type, labels }: Wanted, said: string[]): Meaning | undefined {
	if (type === 'reply') return {};
	const readOne = (text: string) =>
		type === 'choice' ? choose(labels, text) : approve(labels, text);
	const meant = said
		.map((text) => text.trim())
		.filter(({ length }) => length <= LONGEST)
		.map((text) => readOne(text.normalize('NFC')))
		.filter((meaning) => meaning !== undefined);
	if (new Set(meant).size !== 1) return undefined;
	const [meaning] = meant;
	return typeof meaning === 'boolean' ? { approved: meaning } : { choice: meaning };
}

/** The label that a text chooses. A friendly sign or word beside it does not matter. */
function choose(labels: string[], text: string): string | undefined {
	const found = findLabels(labels, text);
	const [index, another] = found.length > 0 ? found : findLabels(labels, dropCourtesy(text));
	return another === undefined ? labels[index] : undefined;
}

/** Whether a text approves, by a label or in plain words. */
function approve(labels: string[], text: string): boolean | undefined {
	const [index, another] = findLabels(labels, text);
	if (another !== undefined) return undefined;
	return index === undefined ? readConsent(text, wordsOf(labels)) : index === 0;
}

/** What words say beside these labels. Where a label turns plain words round, as in "No refund" for yes, it is the only one to count. */
function wordsOf(labels: string[]): Map<string, Word> {
	const isTurned = labels.some((label, index) => opensWith(foldAnswer(label)) === (index !== 0));
	// "Yes, reject it": plain yes and no still say which label is meant, but "approve" and "reject" do not.
	const isMixed = foldAnswer(labels[0])
		.split(' ')
		.some((word) => KNOWN_WORDS.get(word)?.role === 'verb');
	const isPlain = ({ approves, role }: Word): boolean =>
		approves === undefined || !(isTurned || (isMixed && ['phrase', 'verb'].includes(role)));
	const words = new Map([...KNOWN_WORDS].filter(([, word]) => isPlain(word)));
	for (const [index, label] of labels.entries()) {
		const approves = index === 0;
		for (const form of [foldAnswer(label), bare(foldAnswer(label))]) {
			const known = KNOWN_WORDS.get(form);
			const role = approves ? 'lead' : 'verb';
			if (findLabels(labels, form).length === 1)
				words.set(form, known?.approves === approves ? known : { approves, role });
		}
		if (areNumbered(labels)) words.set(String(index + 1), { approves, role: 'sign' });
	}
	return words;
}

/** What the known words say that a label begins with. */
function opensWith(label: string): boolean | undefined {
	const words = label.split(' ');
	const opening = words.map((_, index) => words.slice(0, index + 1).join(' '));
	return opening
		.map((each) => KNOWN_WORDS.get(each)?.approves)
		.findLast((approves) => approves !== undefined);
}

/**
 * The labels that a text can be, by the strictest comparison by which it is any: as it was typed, with its accents,
 * folded, by the label's letters and digits alone, by its number, by both, by what is behind a number of its own.
 */
function findLabels(labels: string[], text: string): number[] {
	const said = foldAnswer(text);
	const number = NUMBER.exec(said)?.groups?.number;
	const isNumbered = areNumbered(labels);
	const forms = labels.map((label, index) => {
		const typed = label.trim().normalize('NFC');
		const folded = foldAnswer(label);
		const own = isNumbered ? String(index + 1) : foldAnswer(OWN_NUMBER.exec(label)?.[0] ?? '');
		const rest = bare(foldAnswer(label.replace(OWN_NUMBER, '')));
		return { typed, folded, letters: bare(folded), own, rest };
	});
	type Form = (typeof forms)[number];
	const comparisons: Array<(form: Form) => boolean> = [
		({ typed }) => typed === text,
		({ typed }) => foldCase(typed) === foldCase(text),
		({ folded }) => folded === said,
		({ letters }) => letters === said,
		({ own }) => own === number,
		({ folded, letters, own }) =>
			isNumbered && [folded, letters].some((words) => `${own} ${words}` === said),
		({ rest }) => rest === said,
	];
	if (said === '') comparisons.splice(1);
	for (const isMeant of comparisons) {
		const found = [...labels.keys()].filter((index) => isMeant(forms[index]));
		if (found.length > 0) return found;
	}
	return [];
}

/** A folded text without the words and signs of courtesy around it. */
function dropCourtesy(text: string): string {
	const isKind = (words: string) => {
		const { role, approves } = KNOWN_WORDS.get(words) ?? {};
		return approves === undefined ? role !== undefined : approves && role === 'sign';
	};
	const left = foldAnswer(text)
		.split(' ')
		.filter((word) => /\p{L}/u.test(word) || !isKind(word));
	for (let length = 1; length <= Math.min(2, left.length - 1); length++) {
		if (isKind(left.slice(-length).join(' '))) left.splice(-length);
		if (isKind(left.slice(0, length).join(' '))) left.splice(0, length);
	}
	return left.join(' ');
}

/** Beside labels that begin with numbers, another number would mean two things. */
function areNumbered(labels: string[]): boolean {
	return !labels.some((label) => OWN_NUMBER.test(label));
}
