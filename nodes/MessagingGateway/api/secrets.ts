/** Takes secrets out of a text. */
export type Hide = (text: string) => string;

const HIDDEN = '[hidden]';

/** Behind the part that tells what it is; of what is shorter, all is taken for the secret. */
const PREFIX = /^(?:svc_(?:acct|inst)_|whsec_)(?=.{16})/;
const SHORTEST = 8;

/** Webhook secrets that nobody asked for: the document shows one "only in the creation response". */
const WEBHOOK_SECRET = /whsec_[\w+/=-]{16,}/g;

const MOST_KEPT = 100;
const kept = new Map<string, Hide>();

/**
 * Gives what hides the secrets of a credential wherever a service echoes them: as they are, escaped as in JSON, URLs or
 * HTML, also in part and twice, and in hexadecimal or base64, alone or inside of something longer.
 */
export function hideSecrets(secrets: string[]): Hide {
	const key = secrets.join('\n');
	const known = kept.get(key);
	if (known !== undefined) return known;
	const cores = secrets
		.map((secret) => secret.replace(PREFIX, ''))
		.filter(({ length }) => length >= SHORTEST);
	const shortest = Math.min(...cores.map(({ length }) => length));
	const pattern = new RegExp(cores.flatMap(listForms).join('|'), 'gi');
	const hide: Hide = (text) => (text.length < shortest ? text : text.replace(pattern, HIDDEN));
	if (kept.size >= MOST_KEPT) kept.clear();
	kept.set(key, hide);
	return hide;
}

export function hideWebhookSecrets(text: string): string {
	return text.replace(WEBHOOK_SECRET, `whsec_${HIDDEN}`);
}

/** Patterns of everything that is read as this secret again. */
function listForms(secret: string): string[] {
	const characters = [...secret];
	const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
	return [
		characters.map(listEscapes).join(''),
		hex.join('[ :-]?'),
		...[0, 1, 2].map((bytesBefore) => describeBase64(secret, bytesBefore)),
	];
}

function listEscapes(character: string): string {
	const plain = character.replace(/\W/, '\\$&');
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	const inUrl = `[%=](?:25){0,3}${hex}`;
	const inString = `\\\\{1,4}(?:${plain}|x${hex}|u00${hex}|u\\{0{0,4}${hex}\\})`;
	const inHtml = `&(?:amp;){0,2}#(?:0{0,5}${code}|x0{0,5}${hex});?`;
	return `(?:${plain}|${inUrl}|${inString}|${inHtml})`;
}

/** What of a base64 text depends on the secret alone, with so many other bytes before it in its first group of three. */
function describeBase64(secret: string, bytesBefore: number): string {
	const bytes = Buffer.from(' '.repeat(bytesBefore) + secret);
	const from = Math.ceil((bytesBefore * 4) / 3);
	const to = Math.floor((bytes.length * 4) / 3);
	return bytes
		.toString('base64')
		.slice(from, to)
		.replaceAll('+', '(?:[+-]|%2b)')
		.replaceAll('/', '(?:\\\\{0,2}[/_]|%2f)');
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
