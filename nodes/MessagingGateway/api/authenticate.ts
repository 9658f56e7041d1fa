import type { IHttpRequestOptions } from 'n8n-workflow';
import { whyTokenUnfit, type TokenKind } from './token';

/**
 * Puts the token into a request (API document, "Authentication" 1). n8n calls it, by way of the credential, for each request
 * of `api/request.ts`. Only the test of a credential makes the same header elsewhere, in `api/tryToken.ts`.
 *
 * @throws Error in a person's words, before any request, if the token is of the wrong kind
 */
export async function bearer(
	kind: TokenKind,
	token: unknown,
	options: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const unfit = whyTokenUnfit(token, kind);
	if (unfit !== undefined) throw new Error(unfit);
	options.headers = { ...options.headers, Authorization: `Bearer ${String(token).trim()}` };
	return options;
}
