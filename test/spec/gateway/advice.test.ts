import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { explainNetworkError } from '../../../nodes/MessagingGateway/gateway/advice';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/failure';

const GATEWAY = 'https://gateway.example.com';
const NODE = { name: 'Node', type: 'node' } as INode;

const ofNode = (code: string, message: string) => Object.assign(new Error(message), { code });
const ofAxios = (code: string, message: string) =>
	Object.assign(new Error(message, { cause: ofNode(code, message) }), { code });
const ofN8n = (code: string, message: string) =>
	new NodeApiError(NODE, ofAxios(code, message) as unknown as JsonObject);

type Expected = [message: RegExp, outcome: Failure['outcome'], retryable: boolean];

const UNREACHED: Expected = [/^The gateway cannot be reached$/, 'rejected', true];
const UNTRUSTED: Expected = [/does not trust the certificate/, 'rejected', false];
const LATE: Expected = [/did not respond in time$/, 'unknown', true];
const BROKEN: Expected = [/^The connection broke before the response/, 'unknown', true];

/** Node's documentation, "X.509 certificate error codes"; `UNSPECIFIED` is a weak key, or another cause without a code. */
const CERTIFICATE_ERRORS =
	`CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE CERT_UNTRUSTED
	DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED
	SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_GET_ISSUER_CERT
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE UNSPECIFIED`.split(/\s+/);

const NETWORK_ERRORS = [
	'EACCES',
	'EADDRNOTAVAIL',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EPIPE',
	'ETIMEDOUT',
];

it.each<[code: string, message: string, Expected]>([
	...['connect', 'read', 'write'].flatMap((step) =>
		NETWORK_ERRORS.map((code): [string, string, Expected] => {
			const broken = code === 'ETIMEDOUT' ? LATE : BROKEN;
			return [code, `${step} ${code} 10.0.0.7:80`, step === 'connect' ? UNREACHED : broken];
		}),
	),
	// Node tries all addresses of a name, and leaves the message empty.
	['ECONNREFUSED', '', UNREACHED],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND gateway.example.com', UNREACHED],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN gateway.example.com', UNREACHED],
	['ECONNRESET', 'Client network socket disconnected before secure TLS connection', UNREACHED],
	['EPROTO', 'write EPROTO 40:error:0A:SSL routines::wrong version number', UNREACHED],
	['EPROTO', 'write EPROTO 40:error:0A:SSL alert handshake failure', UNREACHED],
	['ECONNRESET', 'socket hang up', BROKEN],
	['', 'Something else', BROKEN],
	['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', BROKEN],
	['HPE_CERT_PATH_LENGTH', 'any words', BROKEN],
	['ERR_HTTP_INVALID_HEADER_VALUE', 'any words', BROKEN],
	['Z_DATA_ERROR', 'incorrect header check', BROKEN],
	['ECONNABORTED', 'timeout of 30000ms exceeded', LATE],
	...CERTIFICATE_ERRORS.map((code): [string, string, Expected] => [code, 'any words', UNTRUSTED]),
	['', 'The request was blocked because it resolves to a restricted IP address', UNREACHED],
	['', 'The request was blocked because the destination hostname is restricted', UNREACHED],
	['', 'Domain not allowed: This credential is restricted', UNREACHED],
])('reads %s %j the same in each error around it', (code, text, [message, outcome, retryable]) => {
	for (const wrap of [ofNode, ofAxios, ofN8n]) {
		const failure = explainNetworkError(wrap(code, text), `${GATEWAY}/tools`);
		expect(failure).toMatchObject({ message: expect.stringMatching(message), outcome, retryable });
		expect(failure.description).toContain(code === '' ? GATEWAY : `${GATEWAY} (${code})`);
	}
});

it.each([undefined, null, 'text', {}])('reads %j as a broken connection', (thrown) => {
	expect(explainNetworkError(thrown, GATEWAY)).toMatchObject({
		message: expect.stringMatching(BROKEN[0]),
		outcome: 'unknown',
	});
});
