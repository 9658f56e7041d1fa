import type { ICredentialTestFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { hideAll, type Access } from './access';
import { nameGateway } from './address';
import { isObject, readList, readResult } from './answer';
import { withinTime } from './deadline';
import { isSuccess } from './exchange';
import { judgeLoss } from './loss';
import { LARGEST_LIST, readAnswer } from './readAnswer';
import type { TokenKind } from './token';

const TIMEOUT_MS = 10_000;

/** Why a token cannot be used. */
export interface TokenTrouble {
	words: string;
	/** Whether the gateway has answered: what keeps it from that is true of every token. */
	isAnswered: boolean;
}

/**
 * Asks the gateway something harmless with a token, and says what keeps that from working. n8n has no helper for the test of
 * a credential that puts its token into a request: so the header is made here.
 */
export async function tryToken(
	{ request }: ICredentialTestFunctions['helpers'],
	kind: TokenKind,
	access: Access,
): Promise<TokenTrouble | undefined> {
	const { baseUrl, token, paths } = access;
	const place = nameGateway(baseUrl);
	const notAccepted = (words: string): TokenTrouble => ({ words, isAnswered: true });
	try {
		const { status, body } = await withinTime(TIMEOUT_MS, undefined, async (signal) => {
			const response = (await request({
				method: 'GET',
				uri: baseUrl + (kind === 'account' ? paths.webhooksPath : '/v1/instance/settings'),
				headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
				timeout: TIMEOUT_MS,
				followRedirect: false,
				simple: false,
				useStream: true,
				resolveWithFullResponse: true,
			})) as IN8nHttpFullResponse;
			const reading = { hide: hideAll(access), mostBytes: LARGEST_LIST, signal };
			return { status: response.statusCode, ...(await readAnswer(response, reading)) };
		});
		if (!isSuccess({ status })) return notAccepted(describeStatus(status, kind));
		return isExpected(body, kind)
			? undefined
			: notAccepted(
					'Something answers at this address, but it is not the gateway. Check Base URL.',
				);
	} catch (thrown) {
		return { words: describeLoss(thrown, place), isAnswered: false };
	}
}

function isExpected(body: unknown, kind: TokenKind): boolean {
	return kind === 'account' ? readList(body) !== undefined : isObject(readResult(body));
}

function describeLoss(thrown: unknown, place: string): string {
	const { reason, code, text } = judgeLoss(thrown);
	switch (reason) {
		case 'certificate':
			return `n8n does not trust the certificate of ${place} (${code}). Use a valid certificate there, or correct Base URL.`;
		case 'unreached':
			return `The gateway cannot be reached at ${place} (${code}). Check Base URL, and that the gateway is running and reachable from n8n.`;
		case 'late':
			return `${place} did not answer within ${TIMEOUT_MS / 1000} seconds. Check Base URL, or try again later.`;
		case 'forbidden':
			return `n8n does not allow requests to ${place}: ${text}`;
		default:
			return `The connection to ${place} broke off before an answer arrived. Check Base URL, or try again later.`;
	}
}

function describeStatus(status: number, kind: TokenKind): string {
	switch (status) {
		case 401:
			return kind === 'account'
				? 'The gateway does not accept this account token. Copy it again from the dashboard, or generate a new one.'
				: 'The gateway does not accept this instance token. Copy it again, or ask for a new one.';
		case 403:
			return kind === 'account'
				? 'The gateway knows this token but does not let it manage webhooks. Use the account token (svc_acct_…).'
				: 'The gateway knows this token but does not let it act for a number. Use the instance token (svc_inst_…).';
		case 404:
			return kind === 'account'
				? 'Something answers at this address, but there are no webhooks under this path. Check Base URL and Webhooks Path.'
				: 'Something answers at this address, but it is not the gateway. Check Base URL.';
		case 429:
			return 'Too many requests in a short time. Wait a minute and test again.';
		case 502:
			return 'The messaging network behind the gateway did not respond (HTTP 502). Try again later.';
		default:
			if (status >= 300 && status < 400)
				return 'The gateway points to another address. Put the final address into Base URL.';
			return status >= 500
				? `The gateway could not process the request (HTTP ${status}). Try again later.`
				: `The gateway does not accept this test (HTTP ${status}). Check Base URL and the token.`;
	}
}
