import { isObject } from '../values/json';
import { rejection, toPlainText, type Failure } from './failure';
import { TOKENS, type TokenKind } from './secrets';

const UNTRUSTED = /^(CERT_|DEPTH_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|INVALID_|PATH_|UNSPECIFIED)/;
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT)$/;
// These errors before the request leaves have no code of their own.
const NOT_CONNECTED =
	/\bconnect E[A-Z]|before secure TLS|wrong version number|handshake|domain.{0,200} not allowed|blocked|ssrf/i;

/** Explains an error of n8n's HTTP helper: `rejected` if there was never a connection. */
export function explainNetworkError(thrown: unknown, baseUrl: string): Failure {
	const { code, text } = readCause(thrown);
	const gateway = `${new URL(baseUrl).origin}${code && ` (${code})`}`;

	if (UNTRUSTED.test(code)) {
		return rejection(
			'n8n does not trust the certificate of the gateway',
			`Use a valid certificate at ${gateway}, or correct 'Base URL' in the credential.`,
		).failure;
	}

	const isUnreachable = UNREACHABLE.test(code) && !/\b(read|write) E/.test(text);
	if (NOT_CONNECTED.test(text) || isUnreachable) {
		return rejection(
			'The gateway cannot be reached',
			`n8n could not connect to ${gateway}. Check 'Base URL' in the credential, that the gateway is running, and that your n8n allows this address.`,
			true,
		).failure;
	}

	if (TIMEOUT.test(code)) {
		return {
			message: 'The gateway did not respond in time',
			description: `${gateway} took longer than the timeout. If this happens each time, check 'Base URL' in the credential.`,
			outcome: 'unknown',
			retryable: true,
		};
	}

	return {
		message: 'The connection broke before the response arrived',
		description: `The connection to ${gateway} broke. If this happens each time, check whether 'Base URL' needs https.`,
		outcome: 'unknown',
		retryable: true,
	};
}

/** The request whose response is explained, and the place where a person reads the advice. */
export interface Refused {
	kind: TokenKind;
	path: string;
	/** The header of a redirect. */
	location?: string;
	/** Whether a web page came, which is never the gateway: it responds with JSON. */
	isPage?: boolean;
	/** The token that was used, if not that in the credential's own field. */
	field?: string;
	/** If left out, the advice is read at a node. */
	isCredentialTest?: boolean;
}

/**
 * Gives advice for a status, or for the wrong content of a success. The API leaves open
 * which cause has which status (API 14.7; assumption A9), so causes are guesses.
 */
export function adviseOnStatus(status: number, refused: Refused): string {
	if (status >= 300 && status < 400) return adviseOnRedirect(refused);
	if (refused.isPage) return adviseOnPage(status, refused);

	const { kind, isCredentialTest } = refused;
	const { field = `'${TOKENS[kind].fieldName}' of the credential` } = refused;
	const owner = kind === 'account' ? 'account' : 'number';
	const fields = isCredentialTest
		? 'the fields of this credential'
		: 'the fields of this node, and its credential';

	if (status < 300) {
		return "This is not the response that the gateway's API documentation shows. Check 'Base URL' in the credential.";
	}
	switch (status) {
		case 400:
			return `The gateway probably does not accept a value. Check ${fields}.`;
		case 401:
			return `The gateway probably does not accept the token in ${field}. Copy it again.`;
		case 403:
			return `The gateway probably does not allow this with the token in ${field}. Check that it belongs to the right ${owner}.`;
		case 404:
			return adviseOnMissing(refused);
		case 429:
			return 'There were too many requests in a short time. Send more slowly.';
		case 502:
			return 'The messaging network behind the gateway probably did not respond.';
		default:
			return status < 500 ? `Check ${fields}.` : 'The gateway could not process the request.';
	}
}

function adviseOnMissing({ kind, path }: Refused): string {
	const paths = kind === 'account' ? ", 'Webhooks Path' and 'Instances Path'" : '';
	return `There is nothing at ${path}. Check every ID and path, and 'Base URL'${paths} in the credential.`;
}

/** A gateway that has moved keeps the path of the request. A login has a path of its own. */
function adviseOnRedirect({ path, location }: Refused): string {
	if (location === undefined || leadsTo(location, path)) {
		const elsewhere = location ? ` (${toPlainText(location, 200)})` : '';
		return `The gateway points to another address${elsewhere}. Enter the final address as 'Base URL' in the credential.`;
	}
	return `The request was sent on to another address (${toPlainText(location, 200)}). It is probably a login, a web page in front of the gateway. Let requests of n8n pass without it, or correct 'Base URL' in the credential.`;
}

/** Whether an address, also one without a host, is that of the same path at some gateway. */
export function leadsTo(location: string, path: string): boolean {
	const somewhere = 'http://gateway';
	if (!URL.canParse(location, somewhere)) return false;

	const withoutSlash = (text: string): string => (text.endsWith('/') ? text.slice(0, -1) : text);
	const { pathname } = new URL(location, somewhere);
	return withoutSlash(pathname).endsWith(withoutSlash(path.split('?', 1)[0]));
}

function adviseOnPage(status: number, refused: Refused): string {
	const letPass = "Let requests of n8n pass, or correct 'Base URL' in the credential.";
	if (status < 300) {
		return `It is probably a login in front of the gateway, or 'Base URL' leads to another server. ${letPass}`;
	}

	switch (status) {
		case 404:
			return `It is probably from the gateway's server, or from another one. ${adviseOnMissing(refused)}`;
		case 413:
			return 'A proxy in front of the gateway probably refuses a request of this size. Send less at once, or raise the limit of the proxy.';
		case 429:
			return 'A firewall in front of the gateway probably limits the requests. Send more slowly.';
		default:
			return status < 500
				? `A firewall or a login in front of the gateway has probably stopped the request. ${letPass}`
				: 'A proxy or a firewall in front of the gateway has probably written it, because the gateway is down or too slow. Check that it is running.';
	}
}

function readCause(thrown: unknown): { code: string; text: string } {
	const codes: unknown[] = [];
	const texts: unknown[] = [];

	let cause = thrown;
	for (let depth = 0; isObject(cause) && depth < MAX_CAUSES; depth++) {
		codes.push(cause.code, cause.httpCode);
		texts.push(cause.message, cause.messages, cause.syscall && `${cause.syscall} ${cause.code}`);
		({ cause } = cause);
	}

	const isCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z]/.test(code);
	return {
		code: codes.find(isCode) ?? '',
		text: texts.flat().join(' '),
	};
}

/** n8n wraps the error of its HTTP client once or twice. */
const MAX_CAUSES = 5;
