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
	if (NOT_CONNECTED.test(text) || (UNREACHABLE.test(code) && !/\b(read|write) E/.test(text))) {
		return rejection(
			'The gateway cannot be reached',
			`n8n could not connect to ${gateway}. Check 'Base URL' in the credential, that the gateway is running, and that your n8n allows this address.`,
			true,
		).failure;
	}
	const unknown = { outcome: 'unknown', retryable: true } as const;
	if (TIMEOUT.test(code)) {
		const description = `${gateway} took longer than the timeout. If this happens each time, check 'Base URL' in the credential.`;
		return { message: 'The gateway did not respond in time', description, ...unknown };
	}
	const description = `The connection to ${gateway} broke. If this happens each time, check whether 'Base URL' needs https.`;
	return { message: 'The connection broke before the response arrived', description, ...unknown };
}

/** Gives advice for a status (API document, "Errors"; assumption A9), or for the wrong content. */
export function adviseOnStatus(
	status: number,
	{
		kind,
		path,
		location,
		field = `'${TOKENS[kind].fieldName}' of the credential`,
	}: { kind: TokenKind; path: string; location?: string; field?: string },
): string {
	if (status < 300) {
		return "This is not the response that the gateway's API documentation shows. Check 'Base URL' in the credential.";
	}
	if (status < 400) {
		const elsewhere = location ? ` (${toPlainText(location, 200)})` : '';
		return `The gateway points to another address${elsewhere}. Enter the final address as 'Base URL' in the credential.`;
	}
	switch (status) {
		case 400:
			return 'The gateway does not accept the values. Check the fields of this node.';
		case 401:
			return `The gateway does not accept the token in ${field}. Copy it again.`;
		case 403:
			return `The gateway does not allow this with the token in ${field}. Check that it belongs to the right ${kind === 'account' ? 'account' : 'number'}.`;
		case 404:
			return `There is nothing at ${path}. Check every ID and path, and 'Base URL'${kind === 'account' ? ", 'Webhooks Path' and 'Instances Path'" : ''} in the credential.`;
		case 407:
			return 'A proxy between n8n and the gateway wants a user name. Write it into HTTPS_PROXY in the environment of n8n.';
		case 429:
			return 'There were too many requests in a short time. Send more slowly.';
		case 502:
			return 'The messaging network behind the gateway did not respond.';
		default:
			return status < 500
				? 'Check the fields of this node, and its credential.'
				: 'The gateway could not process the request.';
	}
}

function readCause(thrown: unknown): { code: string; text: string } {
	const codes: unknown[] = [];
	const texts: unknown[] = [];
	for (let cause = thrown, depth = 0; isObject(cause) && depth < 5; cause = cause.cause, depth++) {
		codes.push(cause.code, cause.httpCode);
		texts.push(cause.message, cause.messages, cause.syscall && `${cause.syscall} ${cause.code}`);
	}
	const isCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z]/.test(code);
	return { code: codes.find(isCode) ?? '', text: texts.flat().join(' ') };
}
