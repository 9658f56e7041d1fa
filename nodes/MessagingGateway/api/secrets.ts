import { findTexts } from './findTexts';

/** Takes secrets out of a text. */
export type Hide = (text: string) => string;

/** Stands where a secret stood. */
export const HIDDEN = '[hidden]';

/** Behind the part that tells what it is; of what is shorter, all is taken for the secret. */
const PREFIX = /^(?:svc_(?:acct|inst)_|whsec_)(?=.{16})/;
const SHORTEST = 8;

/** Webhook secrets that nobody asked for: the document shows one "only in the creation response". */
const WEBHOOK_SECRET = /whsec_[\w+/=-]{16,}/g;

/**
 * Gives what hides the secrets of a credential wherever an honest service or proxy echoes them: as they are, escaped as in
 * JSON, or encoded as in URLs. It looks for texts, never for a pattern made of a secret: that takes time that grows with
 * the answer alone, whatever the secret is.
 */
export function hideSecrets(secrets: string[]): Hide {
	const cores = secrets
		.map((secret) => secret.replace(PREFIX, ''))
		.filter(({ length }) => length >= SHORTEST);
	// The longest first: one can hold another.
	const forms = [...new Set(cores.flatMap(listForms))].sort(
		(one, other) => other.length - one.length,
	);
	const shortest = forms.at(-1)?.length ?? Infinity;
	const hide =
		forms.length > FEW ? hideMany(forms) : (text: string) => forms.reduce(hideForm, text);
	return (text) => (text.length < shortest ? text : hide(text));
}

/** So many are searched for one by one, which Node does quickest. */
const FEW = 40;

function hideMany(forms: string[]): Hide {
	const find = findTexts(forms, SEARCHED);
	return (text) => {
		let from = 0;
		let shown = '';
		for (const [begin, end] of find(text)) {
			shown += text.slice(from, begin) + HIDDEN;
			from = end;
		}
		return from === 0 ? text : shown + text.slice(from);
	};
}

/** Up to here Node searches for a text in linear time; a longer one of few different characters takes it its length more. */
const SEARCHED = 200;

/** Hides a text wherever it stands, as far as it stands there: of a long one the beginning is enough. */
function hideForm(text: string, form: string): string {
	const beginning = form.slice(0, SEARCHED);
	let shown = '';
	let from = 0;
	for (;;) {
		const at = text.indexOf(beginning, from);
		if (at < 0) return shown + text.slice(from);
		let end = at + beginning.length;
		while (end - at < form.length && text[end] === form[end - at]) end++;
		shown += text.slice(from, at) + HIDDEN;
		from = end;
	}
}

export function hideWebhookSecrets(text: string): string {
	return text.replace(WEBHOOK_SECRET, `whsec_${HIDDEN}`);
}

/** The texts that are read as this secret again. */
function listForms(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	// By way of bytes: half a character cannot be encoded.
	const inUrl = encodeURIComponent(Buffer.from(secret).toString());
	return [
		secret,
		inJson,
		inJson.replaceAll('/', '\\/'),
		inUrl,
		inUrl.replace(/%../g, (code) => code.toLowerCase()),
	];
}

/**
 * Changes all texts in a parsed answer, the names of fields too.
 *
 * @throws TooDeep if it is nested deeper than so many levels
 */
export function changeTexts(value: unknown, change: Hide, levels: number): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) throw new TooDeep();
	// In place: of an answer with a million entries no second one is made.
	if (Array.isArray(value)) {
		const elements: unknown[] = value;
		for (const [index, element] of elements.entries())
			elements[index] = changeTexts(element, change, levels - 1);
		return elements;
	}
	const fields = value as Record<string, unknown>;
	let isRenamed = false;
	for (const name of Object.keys(fields)) {
		const changed = changeTexts(fields[name], change, levels - 1);
		if (changed !== fields[name]) fields[name] = changed;
		isRenamed ||= change(name) !== name;
	}
	if (!isRenamed) return value;
	return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [change(name), inner]));
}

export class TooDeep extends Error {}
