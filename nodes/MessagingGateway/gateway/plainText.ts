const MAX_LENGTH = 500;

const SECRET_LIKE = /(svc_(?:acct|inst)_|whsec_)[\w+/=.~:%-]{2,}[\w+/=~%-]/gi;

/**
 * Makes a text from outside harmless. n8n's editor renders messages, descriptions and hints as HTML, with links and images;
 * n8n's log takes a line break for the end of an entry. Tokens and webhook secrets are blanked, also if they are cut off.
 *
 * @param maxLength in characters
 */
export function toPlainText(text: string, maxLength = MAX_LENGTH): string {
	const kept = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
	return kept
		.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.replace(/<(?=[a-z!/?])/gi, '‹')
		.replace(/&(?=#?\w{1,40};)/g, '＆')
		.replace(SECRET_LIKE, '$1…');
}

export function quote(value: unknown): string {
	return `"${toPlainText(String(value), 100)}"`;
}
