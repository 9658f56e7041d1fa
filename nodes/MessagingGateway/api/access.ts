import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { readBaseUrl, trimSlashes } from './address';
import { INSTANCES_PATH, WEBHOOKS_PATH } from './assumptions';
import { openNumbers, readToken, resolveToken, type NumberList } from './numbers';
import { holdsSecret } from './plainText';
import { hideSecrets, type Hide } from './secrets';
import { whyTokenUnfit, type TokenKind } from './token';

/** What a credential gives to reach the gateway with. */
export interface Access {
	baseUrl: string;
	/** The one that requests go by: of the chosen number, if somebody has chosen. */
	token: string;
	/** What must not come back: the token, and what else is secret in its credential, but for its further numbers. */
	secrets: string[];
	numbers: NumberList;
	/** What stands for `{webhooksPath}` and `{instancesPath}` in a request's path. */
	paths: Record<'instancesPath' | 'webhooksPath', string>;
}

/** Names a token at its gateway without giving it away: what is remembered of one must not be taken for another's. */
export function fingerprint({ baseUrl, token }: Pick<Access, 'baseUrl' | 'token'>): string {
	return createHash('sha256').update(`${baseUrl}\n${token}`).digest('base64');
}

/** Hides every secret of a credential. */
export function hideAll({ secrets, numbers }: Pick<Access, 'secrets' | 'numbers'>): Hide {
	const hideOwn = hideSecrets(secrets);
	return numbers.numbers.length === 0 ? hideOwn : (text) => numbers.hide(hideOwn(text));
}

/** Whose token is wanted of a credential, and for what. */
interface Choice {
	/** Of the number that a person has chosen; left out, the token in the credential's own field is taken. */
	instanceId?: string;
	/** Keeps the further numbers for its next item; left out, they are read for this time alone. */
	execution?: object;
}

/**
 * Reads what a person typed into a credential.
 *
 * @param kind the token that is wanted of it: that of an instance may hold both
 * @throws Error in a person's words if no request can be made with it
 */
export function readAccess(
	typed: IDataObject,
	kind: TokenKind,
	{ instanceId, execution = typed }: Choice = {},
): Access {
	const numbers = openNumbers(typed, execution);
	const token = resolveToken(typed, kind, numbers, instanceId);
	const unfit = whyTokenUnfit(token, kind);
	if (unfit !== undefined) throw new Error(unfit);
	return {
		token,
		numbers,
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
