import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { quote } from './plainText';
import { hideSecrets, type Hide } from './secrets';
import { TOKENS, whyTokenUnfit, type TokenKind } from './token';

/** As many entries as one credential may hold. */
const MOST_NUMBERS = 1_000;

const FIELD = 'Further Numbers';
const ADVICE = 'A line holds an instance ID and its token, e.g. inst_1, svc_inst_…';

const { prefix: TOKEN_BEGINS } = TOKENS.instance;
const ID = /^[^\s=:,\p{C}][^\s\p{C}]*$/u;
/** What a person puts between an instance ID and its token, and may leave at the end. */
const SEPARATOR = /[\s=:,]/;

/** A number that a credential holds beside its first one. */
export interface FurtherNumber {
	/** For a person who looks for it, e.g. `line 3`. */
	place: string;
	id: string;
	token: string;
}

/**
 * Reads the list of further numbers. Each stands in a line of its own, or behind a semicolon, since older editors have
 * one line only. What begins with # is a note.
 *
 * @throws Error in a person's words, which names the line and never its text
 */
export function readFurtherNumbers(text: string): FurtherNumber[] {
	const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
	const numbers: FurtherNumber[] = [];
	for (const [index, line] of lines.entries()) {
		if (lines.length > 1 && line.trimStart().startsWith('#')) continue;
		const entries = line.split(';').map((entry) => entry.trim());
		const isAlone = entries.filter((entry) => entry !== '').length === 1;
		for (const [at, entry] of entries.entries()) {
			const place = isAlone ? `line ${index + 1}` : `entry ${at + 1} of line ${index + 1}`;
			refuseFlattened(entry, place, lines.length === 1);
			if (entry !== '' && !entry.startsWith('#')) numbers.push(readEntry(entry, place));
		}
	}
	if (numbers.length > MOST_NUMBERS) {
		throw new Error(
			`${FIELD} holds ${numbers.length} numbers, and a credential takes at most ${MOST_NUMBERS}. Divide them among several credentials.`,
		);
	}
	return numbers;
}

/** An older editor has a field of one line, which drops all line breaks: what is behind a note there is lost with it. */
function refuseFlattened(entry: string, place: string, isOnlyLine: boolean): void {
	const tokens = entry.split(TOKEN_BEGINS).length - 1;
	if (tokens <= (isOnlyLine && entry.startsWith('#') ? 0 : 1)) return;
	throw new Error(
		`In ${FIELD}, ${place} holds several numbers: the editor has probably removed the line breaks. Put a semicolon (;) between the numbers, and paste them again.`,
	);
}

function readEntry(entry: string, place: string): FurtherNumber {
	const begin = entry.indexOf(TOKEN_BEGINS);
	const [head, token] = [entry.slice(0, begin), withoutSeparators(entry.slice(begin))];
	const id = withoutSeparators(head);
	const isReadable = begin > 0 && id !== head && ID.test(id) && !/[\s,]/.test(token);
	if (!isReadable || whyTokenUnfit(token, 'instance') !== undefined)
		throw new Error(`In ${FIELD}, ${place} cannot be read. ${ADVICE}`);
	return { place, id, token };
}

/** A text without the separators at its end. An expression would look at each of many separators again and again. */
function withoutSeparators(text: string): string {
	let end = text.length;
	while (end > 0 && SEPARATOR.test(text[end - 1])) end--;
	return text.slice(0, end);
}

/** The further numbers of one credential, ready to be chosen from. */
export class NumberList {
	readonly numbers: FurtherNumber[];

	private readonly byId = new Map<string, FurtherNumber>();

	private readonly tokens: Set<string>;

	private hiding?: Hide;

	/** @throws Error in a person's words if the list cannot be read */
	constructor(readonly text: string) {
		this.numbers = readFurtherNumbers(text);
		this.tokens = new Set(this.numbers.map(({ token }) => token));
		for (const number of this.numbers) {
			const earlier = this.byId.get(number.id) ?? number;
			if (earlier.token !== number.token) {
				throw new Error(
					`In ${FIELD}, ${number.place} has the instance ID of ${earlier.place}, but another token. Remove one of them.`,
				);
			}
			this.byId.set(number.id, number);
		}
	}

	/** The token of a number, undefined if the list does not name it. */
	find(instanceId: string): string | undefined {
		return this.byId.get(instanceId)?.token;
	}

	/** Whether the list holds another number than the one of this token. */
	holdsOther(token: string): boolean {
		return this.tokens.size > (this.tokens.has(token) ? 1 : 0);
	}

	/** Hides all its tokens. Made once: there may be a thousand of them, and many answers. */
	get hide(): Hide {
		return (this.hiding ??= hideSecrets([...this.tokens]));
	}
}

const NO_NUMBERS = new NumberList('');

/** By what n8n hands to an execution: a list is read once, however many items choose from it. */
const cachedLists = new WeakMap<object, NumberList>();

/**
 * The further numbers of a credential.
 *
 * @param execution keeps the list for the next item, as long as the credential says the same
 * @throws Error in a person's words if the list cannot be read
 */
export function openNumbers({ furtherNumbers }: IDataObject, execution: object): NumberList {
	const text = typeof furtherNumbers === 'string' ? furtherNumbers : '';
	if (text.trim() === '') return NO_NUMBERS;
	const known = cachedLists.get(execution);
	if (known?.text === text) return known;
	const list = new NumberList(text);
	cachedLists.set(execution, list);
	return list;
}

/** Gives the token that a credential holds in the field of its kind, empty where there is none. */
export function readToken(typed: IDataObject, kind: TokenKind): string {
	return String(typed[TOKENS[kind].field] ?? '').trim();
}

/** A credential as it signs a request that goes by this token, without those of other numbers. */
export function putToken(typed: IDataObject, kind: TokenKind, token: string): IDataObject {
	const signing = { ...typed, [TOKENS[kind].field]: token };
	delete signing.furtherNumbers;
	return signing;
}

/**
 * Gives the token that a request goes by: the one of the chosen number, else the one in the credential's own field. What
 * goes by token goes by this one.
 *
 * @param instanceId of the chosen number; left out, nobody has chosen
 * @throws UnknownNumber if the credential does not know the number: another one is never taken instead
 */
export function resolveToken(
	typed: IDataObject,
	kind: TokenKind,
	numbers: NumberList,
	instanceId?: string,
): string {
	if (kind === 'account' || instanceId === undefined) return readToken(typed, kind);
	const token = numbers.find(instanceId);
	if (token === undefined) throw new UnknownNumber(instanceId);
	return token;
}

/** What a person typed into the option *Number (Instance ID)* of a node, which may be an expression; empty for nothing. */
export function readOption(parameters: INodeParameters | undefined): string {
	const options = parameters?.options as IDataObject | undefined;
	const typed = options?.instanceId;
	return typeof typed === 'string' ? typed.trim() : '';
}

/** Thrown where a number is chosen that the credential does not hold. */
export class UnknownNumber extends Error {
	constructor(private readonly instanceId: string) {
		super('The credential does not know this number');
	}

	/** @param credential as a person has named it */
	describe(credential: string): { message: string; description: string } {
		return {
			message: `The credential ${quote(credential)} does not know the number ${quote(this.instanceId)}`,
			description: `Nothing was sent for this item. Add a line with this instance ID and its token to ${FIELD} of the credential, also if it is the number of Instance Token. Or correct Number (Instance ID).`,
		};
	}
}
