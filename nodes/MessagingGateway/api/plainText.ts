/** What a person reads of somebody else’s text. */
const LONGEST = 500;

/** For our own words around such a text: more than they take. */
export const LONGEST_WORDS = 3_000;

/** Half a token is enough to know one by, and none belongs into words, whosever it is. */
const SECRET_LIKE = /(svc_(?:acct|inst)_|whsec_)[\w+/=-]{3,}/gi;

/** Whether a text holds something that looks like a token or a webhook secret. */
export function holdsSecret(text: string): boolean {
	return text.search(SECRET_LIKE) >= 0;
}

/**
 * Makes of what comes from outside a text that is one everywhere. n8n's editor renders messages, descriptions and hints
 * as HTML, with links and images; n8n's log takes a line break for the end of an entry.
 *
 * @param longest how many characters are kept
 */
export function toPlainText(text: string, longest = LONGEST): string {
	const kept =
		text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text;
	return kept
		.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.replace(/<(?=[a-z!/?])/gi, '‹')
		.replace(/&(?=#?\w{1,40};)/g, '＆')
		.replace(SECRET_LIKE, '$1…');
}

/** A value in quotation marks, for words about it. */
export function quote(value: unknown): string {
	return `"${toPlainText(String(value), 100)}"`;
}
