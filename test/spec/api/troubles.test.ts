import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import type { Failure } from '../../../nodes/MessagingGateway/api/failure';
import { adviseOnStatus, explainNetworkError } from '../../../nodes/MessagingGateway/api/troubles';

const GATEWAY = 'https://gateway.example.com';
const NODE = { name: 'Node', type: 'node' } as INode;

interface Thrown {
	code?: string;
	message?: string;
	syscall?: string;
}

/** An error of Node, as itself, inside axios's, and inside the error that n8n makes of it. */
const wrappings: Array<[string, (thrown: Thrown) => unknown]> = [
	['bare', (thrown) => nodeError(thrown)],
	['in the error of axios', (thrown) => axiosError(thrown)],
	[
		'in the error of n8n',
		(thrown) => new NodeApiError(NODE, axiosError(thrown) as unknown as JsonObject),
	],
];

function nodeError({ message = '', ...details }: Thrown): Error {
	return Object.assign(new Error(message), details);
}

function axiosError({ message, code, syscall }: Thrown): Error {
	const cause = nodeError({ message, code, syscall });
	return Object.assign(new Error(message, { cause }), { code, isAxiosError: true });
}

type Expected = [message: RegExp, outcome: Failure['outcome'], retryable: boolean];

const UNREACHED: Expected = [/^The gateway cannot be reached$/, 'rejected', true];
const UNTRUSTED: Expected = [/does not trust the certificate/, 'rejected', false];
const REFUSED_BY_N8N: Expected = [/^n8n does not allow requests to this/, 'rejected', false];
const LATE: Expected = [/did not answer in time$/, 'unknown', true];
const BROKEN: Expected = [/^The connection broke before the answer/, 'unknown', true];
const CANCELLED: Expected = [/^The execution was cancelled/, 'unknown', true];

describe.each(wrappings)('an error %s', (_how, wrap) => {
	it.each<[Thrown, Expected]>([
		[{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:80' }, UNREACHED],
		// Node tries both addresses of a name, and tells no message then.
		[{ code: 'ECONNREFUSED' }, UNREACHED],
		[{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND gateway.example.com' }, UNREACHED],
		[{ code: 'EAI_AGAIN', message: 'getaddrinfo EAI_AGAIN gateway.example.com' }, UNREACHED],
		[{ code: 'EHOSTUNREACH', message: 'connect EHOSTUNREACH 10.0.0.7:80' }, UNREACHED],
		[{ code: 'ENETUNREACH', message: 'connect ENETUNREACH 10.0.0.7:80' }, UNREACHED],
		[{ code: 'ETIMEDOUT', message: 'connect ETIMEDOUT 10.0.0.7:80' }, UNREACHED],
		[{ code: 'ECONNRESET', message: 'connect ECONNRESET 10.0.0.7:80' }, UNREACHED],
		[
			{
				code: 'ECONNRESET',
				message: 'Client network socket disconnected before secure TLS connection was established',
			},
			UNREACHED,
		],
		[
			{ code: 'EPROTO', message: 'write EPROTO 40:error:0A:SSL routines::wrong version number' },
			UNREACHED,
		],
		[
			{ code: 'EPROTO', message: 'write EPROTO 40:error:0A:SSL alert handshake failure' },
			UNREACHED,
		],
		[{ code: 'EHOSTUNREACH', message: 'read EHOSTUNREACH', syscall: 'read' }, BROKEN],
		[{ code: 'EHOSTUNREACH', syscall: 'read' }, BROKEN],
		[{ code: 'ENETUNREACH', message: 'write ENETUNREACH' }, BROKEN],
		[{ code: 'ECONNRESET', message: 'read ECONNRESET' }, BROKEN],
		[{ code: 'ECONNRESET', message: 'socket hang up' }, BROKEN],
		[{ code: 'EPIPE', message: 'write EPIPE' }, BROKEN],
		[{ code: 'ERR_BAD_RESPONSE', message: 'stream has been aborted' }, BROKEN],
		[{ message: 'Something else' }, BROKEN],
		[{ code: 'ECONNABORTED', message: 'timeout of 30000ms exceeded' }, LATE],
		[{ code: 'ETIMEDOUT', message: 'read ETIMEDOUT' }, LATE],
		[{ code: 'ERR_CANCELED', message: 'canceled' }, CANCELLED],
		[{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' }, UNTRUSTED],
		[{ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }, UNTRUSTED],
		[{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, UNTRUSTED],
		[{ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'Hostname/IP does not match' }, UNTRUSTED],
		[
			{ message: 'The request was blocked because it resolves to a restricted IP address' },
			REFUSED_BY_N8N,
		],
		[
			{ message: 'The request was blocked because the destination hostname is restricted' },
			REFUSED_BY_N8N,
		],
		[{ message: 'Domain not allowed: This credential is restricted' }, REFUSED_BY_N8N],
	])('%j is read by what it says of the request', (thrown, [message, outcome, retryable]) => {
		const failure = explainNetworkError(wrap(thrown), `${GATEWAY}/tools`);
		expect(failure).toMatchObject({ message: expect.stringMatching(message), outcome, retryable });
		if (thrown.code === 'ERR_CANCELED') return;
		const place = thrown.code === undefined ? GATEWAY : `${GATEWAY} (${thrown.code})`;
		expect(failure.description).toContain(place);
	});
});

it.each([undefined, null, 'text', {}])(
	'%j in place of an error is a broken connection',
	(thrown) => {
		expect(explainNetworkError(thrown, GATEWAY)).toMatchObject({
			message: expect.stringMatching(BROKEN[0]),
			outcome: 'unknown',
			description: `The connection to ${GATEWAY} broke.`,
		});
	},
);

describe('a status', () => {
	const advise = (status: number, kind: 'account' | 'instance' = 'instance', location?: string) =>
		adviseOnStatus(status, { kind, path: '/v1/things', location });

	it.each<[number, RegExp]>([
		[200, /not the answer .*'Base URL'/],
		[302, /points to another address\. Enter .* 'Base URL'/],
		[400, /does not accept the values/],
		[401, /does not accept the token in 'Instance Token' of the credential\. Copy it again/],
		[403, /does not allow this with the token in 'Instance Token'.* the right number/],
		[404, /nothing at \/v1\/things.*IDs.*'Base URL' in the credential/],
		[418, /Check the fields of this node, and its credential/],
		[429, /too many requests.*Send more slowly/],
		[500, /could not process the request/],
		[502, /network behind the gateway did not respond/],
		[503, /could not process the request/],
	])('%i comes with advice', (status, advice) => {
		expect(advise(status)).toMatch(advice);
	});

	it('names the fields of the account token', () => {
		expect(advise(401, 'account')).toContain("'Account Token'");
		expect(advise(403, 'account')).toContain('the right account');
		expect(advise(404, 'account')).toContain("'Webhooks Path' and 'Instances Path'");
	});

	it('names the other address as plain text', () => {
		expect(advise(308, 'instance', 'https://<b>x')).toContain('(https://‹b>x)');
	});
});
