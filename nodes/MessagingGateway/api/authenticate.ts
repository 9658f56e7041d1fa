import type { ICredentialTestRequest, IHttpRequestOptions } from 'n8n-workflow';
import { type TokenKind, whyTokenUnfit } from './token';

/**
 * Puts the token into a request (API document, "Authentication" 1).
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

type TestRules = NonNullable<ICredentialTestRequest['rules']>;

function sayOnStatus(messages: Record<number, string>): TestRules {
	return Object.entries(messages).map(([status, message]) => ({
		type: 'responseCode',
		properties: { value: Number(status), message },
	}));
}

const COMMON_MESSAGES = {
	301: 'The gateway points to another address. Put the final address into Base URL.',
	302: 'The gateway points to another address. Put the final address into Base URL.',
	307: 'The gateway points to another address. Put the final address into Base URL.',
	308: 'The gateway points to another address. Put the final address into Base URL.',
	429: 'Too many requests in a short time. Wait a minute and test again.',
	500: 'The gateway has trouble of its own (HTTP 500). Try again later.',
	502: 'The messaging network behind the gateway did not respond (HTTP 502). Try again later.',
	503: 'The gateway is not available right now (HTTP 503). Try again later.',
	504: 'The gateway did not get an answer in time (HTTP 504). Try again later.',
};

/** What the test of each credential says about each status that is no success. */
export const TEST_RULES: Record<TokenKind, TestRules> = {
	account: sayOnStatus({
		...COMMON_MESSAGES,
		401: 'The gateway does not accept this account token. Copy it again from the dashboard, or generate a new one.',
		403: 'The gateway knows this token but does not let it manage webhooks. Use the account token (svc_acct_…).',
		404: 'The gateway answers, but there are no webhooks under this path. Check Base URL and Webhooks Path.',
	}),
	instance: sayOnStatus({
		...COMMON_MESSAGES,
		401: 'The gateway does not accept this instance token. Copy it again, or ask for a new one.',
		403: 'The gateway knows this token but does not let it act for a number. Use the instance token (svc_inst_…).',
		404: 'Something answers at this address, but it is not the gateway. Check Base URL.',
	}),
};
