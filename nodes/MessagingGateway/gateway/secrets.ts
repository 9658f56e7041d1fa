import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

/** The two scopes of a token (API 3.2). */
export type TokenKind = 'account' | 'instance';

export const TOKENS = {
	account: {
		prefix: 'svc_acct_',
		field: 'accountToken',
		fieldName: 'Account Token',
		credential: 'messagingGatewayAccountApi',
	},
	instance: {
		prefix: 'svc_inst_',
		field: 'instanceToken',
		fieldName: 'Instance Token',
		credential: 'messagingGatewayInstanceApi',
	},
} as const;

/** Explains, without the token, why it cannot be of this kind; undefined if it can. */
export function whyTokenUnfit(token: string, kind: TokenKind): string | undefined {
	const { prefix, fieldName } = TOKENS[kind];
	const isWhole = token.startsWith(prefix) && /^[!-~]+$/.test(token.slice(prefix.length));
	if (isWhole) return undefined;

	const other = kind === 'account' ? 'instance' : 'account';
	if (token.startsWith(TOKENS[other].prefix)) {
		return `'${fieldName}' needs the ${kind} token, which begins with ${prefix}. This is the ${other} token (${TOKENS[other].prefix}…).`;
	}
	return `'${fieldName}' needs a whole token that begins with ${prefix}. Copy it again.`;
}

const MIN_KEY_BYTES = 24;

/** Explains why a text cannot be a webhook secret, to continue a sentence; undefined if it can. */
export function whySecretUnfit(secret: string): string | undefined {
	const prefix = 'whsec_';
	if (!secret.startsWith(prefix)) return `it does not begin with ${prefix}`;

	const key = secret.slice(prefix.length);
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(key)) return `the part behind ${prefix} is not base64`;

	const isShort = Buffer.from(key, 'base64').length < MIN_KEY_BYTES;
	return isShort ? `its key is shorter than ${MIN_KEY_BYTES} bytes` : undefined;
}

/** Puts the token of a field into each request (API 3.1). n8n calls it. */
export function bearerOf(field: string) {
	return async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const token = String(credential[field]).trim();
		const headers = { ...request.headers, Authorization: `Bearer ${token}` };
		return await Promise.resolve({ ...request, headers });
	};
}
