import { dropSigns, fold, readConsent } from './words';

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

/** The lines that tell the person what may be answered, numbered so that a number is enough; none for *Reply*. */
export function listLabels({ labels }: Wanted): string {
	const numbered = areNumbered(labels);
	return labels.map((label, index) => `${numbered ? `${index + 1}.` : '-'} ${label}`).join('\n');
}

/**
 * Reads what somebody has answered.
 *
 * @param said what the person wrote, and the ID of the button that was pressed
 * @returns undefined where it fits nothing that was asked
 */
export function readMeaning({ type, labels }: Wanted, said: string[]): Meaning | undefined {
	if (type === 'reply') return {};
	const folded = said.map(fold);
	let index = findLabel(labels, folded);
	if (type === 'choice') {
		index ??= findLabel(labels, folded.map(dropSigns));
		return index === undefined ? undefined : { choice: labels[index] };
	}
	const isYes = (label?: number): boolean | undefined =>
		label === undefined ? label : label === 0;
	const approved =
		isYes(index) ??
		folded
			.map((text) => readConsent(text, (words) => isYes(findLabel(labels, [words]))))
			.find((consent) => consent !== undefined);
	return approved === undefined ? undefined : { approved };
}

/** The words of a label count before its number. */
function findLabel(labels: string[], said: string[]): number | undefined {
	const words = labels.map(fold);
	const numbers = areNumbered(labels) ? labels.map((_, index) => String(index + 1)) : [];
	const written = numbers.map((number, index) => `${number} ${words[index]}`);
	for (const list of [words, numbers, written]) {
		const index = list.findIndex((entry) => entry !== '' && said.includes(entry));
		if (index >= 0) return index;
	}
	return undefined;
}

/** Beside labels that are numbers themselves, another number would mean two things. */
function areNumbered(labels: string[]): boolean {
	return !labels.some((label) => /^\d+$/.test(fold(label)));
}
