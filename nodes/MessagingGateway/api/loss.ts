import { isObject } from './answer';
import type { Failure } from './failure';

/** Why an answer never came. */
type LossReason = 'cancelled' | 'certificate' | 'cut' | 'file' | 'forbidden' | 'late' | 'unreached';

export interface Loss extends Failure {
	reason: LossReason;
	/** Node's own name of it, e.g. `ECONNREFUSED`; empty if it has none. */
	code: string;
	/** Node's or n8n's own words. */
	text: string;
}

/** Nothing is wrong with the gateway or the way to it: n8n could not read the file that it sent. */
export const FILE_UNREAD: Loss = {
	reason: 'file',
	code: '',
	text: '',
	outcome: 'unknown',
	passing: false,
};

const CERTIFICATE_CODES =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;
const UNREACHED_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TLS_CODES = /^(EPROTO|ERR_SSL_)/;
/** What TLS says while both sides still agree on how to talk; a broken record, for one, can come after the request. */
const HANDSHAKE_WORDS =
	/version|unsupported.protocol|handshake|cipher|unrecognized.name|too.small|packet.length/i;
const TIMEOUT_CODES = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/**
 * Tells why an answer never came, from whatever n8n's helper threw. A connection that was never made is
 * `rejected`; everything else may have reached the service.
 */
export function judgeLoss(thrown: unknown): Loss {
	const { code, text, phase } = readCause(thrown);
	const because = (reason: LossReason, outcome: Failure['outcome'], passing: boolean): Loss => ({
		reason,
		code,
		text,
		outcome,
		passing,
	});
	if (CERTIFICATE_CODES.test(code)) return because('certificate', 'rejected', false);
	if (phase === 'connecting' || (UNREACHED_CODES.test(code) && phase !== 'connected')) {
		return because('unreached', 'rejected', !TLS_CODES.test(code));
	}
	if (TIMEOUT_CODES.test(code)) return because('late', 'unknown', true);
	if (code === 'ERR_CANCELED') return because('cancelled', 'unknown', false);
	if (isForbidden(text.toLowerCase())) return because('forbidden', 'rejected', false);
	return because('cut', 'unknown', true);
}

/** Newer versions of n8n keep what went wrong as the cause of what they throw, older ones only its code and words. */
function readCause(thrown: unknown): {
	code: string;
	text: string;
	phase?: 'connecting' | 'connected';
} {
	const codes: string[] = [];
	const texts: string[] = [];
	let syscall = '';
	let cause = thrown;
	for (let depth = 0; depth < 5 && isObject(cause); depth++) {
		codes.push(...[cause.code, cause.httpCode].filter(isErrorCode));
		texts.push(
			...[cause.message, cause.messages].flat().filter((text) => typeof text === 'string'),
		);
		if (syscall === '' && typeof cause.syscall === 'string') syscall = cause.syscall;
		cause = cause.cause;
	}
	const [code = ''] = codes;
	const [text = ''] = texts;
	const words = texts.join(' ');
	if (syscall === '') syscall = /\b(connect|read|write) E[A-Z]/.exec(words)?.[1] ?? '';
	const isConnecting =
		syscall === 'connect' ||
		/before secure TLS connection/.test(words) ||
		(TLS_CODES.test(code) && HANDSHAKE_WORDS.test(`${code} ${words}`));
	if (isConnecting) return { code, text, phase: 'connecting' };
	return { code, text, phase: syscall === 'read' || syscall === 'write' ? 'connected' : undefined };
}

function isForbidden(text: string): boolean {
	return (text.includes('domain') && text.includes('not allowed')) || /blocked|ssrf/.test(text);
}

/** A status is no such code. */
function isErrorCode(value: unknown): value is string {
	return typeof value === 'string' && /^[A-Z]/.test(value);
}
