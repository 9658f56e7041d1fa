/** The two scopes of a token (API document, "Authentication"). */
export type TokenKind = 'account' | 'instance';

/** How each begins, the field that holds it, what a person sees of that, and the credential that is for it. */
export const TOKENS: Record<
	TokenKind,
	Record<'prefix' | 'field' | 'fieldName' | 'credential', string>
> = {
	account: {
		prefix: 'svc_acct_',
		field: 'accountToken',
		fieldName: 'Account Token',
		credential: 'Messaging Gateway Account API',
	},
	instance: {
		prefix: 'svc_inst_',
		field: 'instanceToken',
		fieldName: 'Instance Token',
		credential: 'Messaging Gateway Instance API',
	},
};

/** Far more characters than a token or a webhook secret has. */
const LONGEST = 512;

/**
 * Says, in words for a person, why a token cannot be one of the wanted kind, or `undefined` if it can.
 * Only prefix and length are looked at, and the token itself is never quoted.
 */
export function whyTokenUnfit(token: unknown, wanted: TokenKind): string | undefined {
	const other: TokenKind = wanted === 'account' ? 'instance' : 'account';
	const { prefix, fieldName } = TOKENS[wanted];
	const text = typeof token === 'string' ? token.trim() : '';
	if (text === '') {
		return `The ${wanted} token is empty. Paste the token that begins with ${prefix}.`;
	}
	if (text.startsWith(TOKENS[other].prefix)) {
		return `This is an ${other} token (${TOKENS[other].prefix}…). The field ${fieldName} needs the ${wanted} token (${prefix}…). The ${other} token belongs in the field ${TOKENS[other].fieldName} of the credential "${TOKENS[other].credential}".`;
	}
	if (!text.startsWith(prefix) || text.length === prefix.length) {
		return `This is not an ${wanted} token. An ${wanted} token begins with ${prefix}: copy it whole.`;
	}
	if (/\s/.test(text)) {
		return `The ${wanted} token contains a space or a line break. Copy it again, without anything around it.`;
	}
	if (!/^[!-~]*$/.test(text)) {
		return `The ${wanted} token contains a character that no token has, which may be invisible. Copy it again, without anything around it.`;
	}
	if (text.length > LONGEST) {
		return `The ${wanted} token has ${text.length} characters. A token has at most ${LONGEST}: copy it again, without anything around it.`;
	}
	return undefined;
}

/** The fewest bytes of a key that cannot be guessed (Standard Webhooks). */
const FEWEST_KEY_BYTES = 24;

/** Says, in words that go on a sentence, why a text cannot be a webhook secret, or `undefined` if it can. */
export function whySecretUnfit(secret: string): string | undefined {
	if (!secret.startsWith('whsec_')) return 'it does not begin with whsec_';
	if (secret.length > LONGEST)
		return `it has ${secret.length} characters, and at most ${LONGEST} are taken`;
	const key = secret.slice('whsec_'.length);
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(key)) return 'what follows whsec_ is not base64';
	const bytes = Buffer.from(key, 'base64').length;
	return bytes < FEWEST_KEY_BYTES
		? `its key is too short to be safe, ${bytes} instead of at least ${FEWEST_KEY_BYTES} bytes`
		: undefined;
}
