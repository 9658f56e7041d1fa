import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { readBaseUrl, trimSlashes } from './address';
import { INSTANCES_PATH, WEBHOOKS_PATH } from './assumptions';
import { holdsSecret } from './plainText';
import { whyTokenUnfit, type TokenKind } from './token';

/** What a credential gives to reach the gateway with. */
export interface Access {
	baseUrl: string;
	token: string;
	/** What must not come back: the token, and what else is secret in its credential. */
	secrets: string[];
	/** What stands for `{webhooksPath}` and `{instancesPath}` in a request's path. */
	paths: Record<'instancesPath' | 'webhooksPath', string>;
}

/** Names a token at its gateway without giving it away: what is remembered of one must not be taken for another's. */
export function fingerprint({ baseUrl, token }: Pick<Access, 'baseUrl' | 'token'>): string {
	return createHash('sha256').update(`${baseUrl}\n${token}`).digest('base64');
}

/**
 * Reads what a person typed into a credential.
 *
 * @param kind the token that is wanted of it: that of an instance may hold both
 * @throws Error in a person's words if no request can be made with it
 */
export function readAccess(typed: IDataObject, kind: TokenKind): Access {
	const token = readToken(typed, kind);
	const unfit = whyTokenUnfit(token, kind);
	if (unfit !== undefined) throw new Error(unfit);
	return {
		token,
		secrets: [
			readToken(typed, 'account'),
			readToken(typed, 'instance'),
			String(typed.webhookSecret ?? '').trim(),
		],
		baseUrl: readBaseUrl(typed.baseUrl),
		paths: {
			webhooksPath: readPath(typed.webhooksPath, WEBHOOKS_PATH),
			instancesPath: readPath(typed.instancesPath, INSTANCES_PATH),
		},
	};
}

/** Gives a token as it was typed into a credential, empty where there is none. */
export function readToken(typed: IDataObject, kind: TokenKind): string {
	return String((kind === 'account' ? typed.accountToken : typed.instanceToken) ?? '').trim();
}

function readPath(typed: unknown, assumed: string): string {
	const path = trimSlashes(typeof typed === 'string' ? typed.trim() : '');
	if (path === '') return assumed;
	if (holdsSecret(path)) {
		throw new Error(
			'A path in the credential holds a token. Put the token into its own field, and correct Webhooks Path and Instances Path.',
		);
	}
	return path.startsWith('/') ? path : `/${path}`;
}
