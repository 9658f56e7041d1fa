import type { INode } from 'n8n-workflow';
import type { GatewayAnswer, GatewayRequest } from '../../../nodes/MessagingGateway/api/exchange';
import { explainAnswer, explainLostAnswer } from '../../../nodes/MessagingGateway/api/explain';
import { failureOf } from '../../../nodes/MessagingGateway/api/failure';
import { StreamedBody } from '../../../nodes/MessagingGateway/api/streamedBody';

const node: INode = {
	id: 'node',
	name: 'Messaging Gateway',
	type: 'messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const request: GatewayRequest = {
	method: 'POST',
	path: '/v1/messages/send-text',
	body: { to: '5511987654321', text: 'Hello' },
	token: 'instance',
	effect: 'send',
};

describe('an answer that is no success', () => {
	it.each([
		[400, 'rejected', false],
		[401, 'rejected', false],
		[403, 'rejected', false],
		[404, 'rejected', false],
		[408, 'rejected', true],
		[422, 'rejected', false],
		[425, 'rejected', true],
		[429, 'rejected', true],
		[301, 'rejected', false],
		[302, 'rejected', false],
		[307, 'rejected', false],
		[308, 'rejected', false],
	])('%i is %s (can pass by itself: %s)', (status, outcome, passing) => {
		expect(judgeAnswer(status)).toMatchObject({ outcome, passing });
	});

	it.each([303, 500, 502, 503, 504, 520])(
		'%i leaves open whether the message was sent',
		(status) => {
			expect(judgeAnswer(status).outcome).toBe('unknown');
		},
	);

	it.each([500, 502, 503])('%i of a read has changed nothing, and can pass', (status) => {
		const answer = { status, headers: {}, body: {}, path: request.path };
		const error = explainAnswer(node, { ...request, effect: 'read' }, answer);
		expect(failureOf(error)).toMatchObject({ outcome: 'rejected', passing: true });
	});

	it('leaves a success without a message id open', () => {
		expect(judgeAnswer(202).outcome).toBe('unknown');
		expect(judgeAnswer(200).outcome).toBe('unknown');
	});
});

describe('the pause that an answer asks for', () => {
	beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z') }));
	afterEach(() => void jest.useRealTimers());

	it.each<[string, number | undefined]>([
		['60', 60_000],
		[' 1 ', 1_000],
		['0', 0],
		['Mon, 23 Nov 2026 12:01:30 GMT', 90_000],
		['Mon, 23 Nov 2026 11:59:00 GMT', 0],
		['soon', undefined],
		['', undefined],
	])('by the header %j is %s ms', (header, retryAfterMs) => {
		expect(judgeAnswer(429, { 'retry-after': header }).retryAfterMs).toBe(retryAfterMs);
	});

	it.each([
		['an hour ahead', 'Mon, 23 Nov 2026 13:00:00 GMT', 'Mon, 23 Nov 2026 13:01:30 GMT'],
		['an hour behind', 'Mon, 23 Nov 2026 11:00:00 GMT', 'Mon, 23 Nov 2026 11:01:30 GMT'],
		['not readable', '23', 'Mon, 23 Nov 2026 12:01:30 GMT'],
	])('counts from the answer’s own date, where that is %s', (_where, date, end) => {
		expect(judgeAnswer(429, { date, 'retry-after': end }).retryAfterMs).toBe(90_000);
	});

	it('is none without the header', () => {
		expect(judgeAnswer(429).retryAfterMs).toBeUndefined();
	});
});

describe('an answer that never came', () => {
	const reset = { code: 'ECONNRESET', message: 'socket hang up' };

	it.each<[string, object]>([
		['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect', message: '' }],
		['an unknown host name', { code: 'ENOTFOUND', syscall: 'getaddrinfo', message: '' }],
		['a name server in trouble', { code: 'EAI_AGAIN', syscall: 'getaddrinfo', message: '' }],
		['no way to the host', { code: 'EHOSTUNREACH', syscall: 'connect', message: '' }],
		['a connection not made in time', { code: 'ETIMEDOUT', syscall: 'connect', message: '' }],
		['a reset while connecting', { code: 'ECONNRESET', syscall: 'connect', message: '' }],
		[
			'a cut before TLS was agreed on',
			{
				...reset,
				message: 'Client network socket disconnected before secure TLS connection was established',
			},
		],
		[
			'a refused connection deep inside',
			{ message: 'x', cause: { message: 'y', cause: { code: 'ECONNREFUSED', message: '' } } },
		],
	])('%s is rejected, and can pass by itself', (_what, thrown) => {
		expect(judgeLoss(thrown)).toMatchObject({ outcome: 'rejected', passing: true });
	});

	it.each<[string, object]>([
		[
			'plain HTTP behind https://',
			{
				code: 'EPROTO',
				syscall: 'write',
				message: 'SSL routines:ssl3_get_record:wrong version number',
			},
		],
		['plain HTTP behind https:// (newer)', { code: 'ERR_SSL_WRONG_VERSION_NUMBER', message: '' }],
		['a refused handshake', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', message: '' }],
		['a certificate out of date', { code: 'CERT_HAS_EXPIRED', message: '' }],
		['a certificate of its own making', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: '' }],
	])('%s is rejected, and stays so', (_what, thrown) => {
		expect(judgeLoss(thrown)).toMatchObject({ outcome: 'rejected', passing: false });
	});

	it.each<[string, object]>([
		['a reset connection', { ...reset, syscall: 'read' }],
		['a connection closed without an answer', reset],
		['a broken pipe', { code: 'EPIPE', syscall: 'write', message: '' }],
		['a timeout', { code: 'ECONNABORTED', message: 'timeout of 1000ms exceeded' }],
		['a timeout of the network', { code: 'ETIMEDOUT', syscall: 'read', message: '' }],
		[
			'a host lost from sight after it had the request',
			{ code: 'EHOSTUNREACH', syscall: 'read', message: '' },
		],
		[
			'a network lost from sight while writing',
			{ code: 'ENETUNREACH', syscall: 'write', message: '' },
		],
		[
			'a broken TLS record',
			{ code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', message: 'bad record mac' },
		],
		[
			'TLS trouble of unknown time',
			{ code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', message: 'internal error' },
		],
		['an answer that cannot be parsed', { code: 'HPE_INVALID_CONSTANT', message: '' }],
		['an answer that cannot be unpacked', { code: 'Z_DATA_ERROR', message: '' }],
		['a cancelled request', { code: 'ERR_CANCELED', message: 'canceled' }],
		['something never seen', { message: 'What is this?' }],
	])('%s is unknown', (_what, thrown) => {
		expect(judgeLoss(thrown).outcome).toBe('unknown');
	});

	const loseAnswer = (changes: Partial<GatewayRequest>) =>
		explainLostAnswer(node, { ...request, ...changes }, reset, {
			baseUrl: 'https://gateway.example.com',
		});

	it('of a read has changed nothing, and may be asked for again', () => {
		for (const thrown of [reset, { code: 'ETIMEDOUT', message: '' }]) {
			const error = explainLostAnswer(node, { ...request, effect: 'read' }, thrown, {
				baseUrl: 'https://gateway.example.com',
			});
			expect(failureOf(error)).toEqual({ outcome: 'rejected', passing: true });
		}
	});

	it('is put down to a file only where that could not be read', () => {
		const body = new StreamedBody(['text'], 'text/plain');
		expect(loseAnswer({ body }).message).toContain('broke off');
		body.isUnreadable = true;
		const error = loseAnswer({ body });
		expect(error.message).toContain('could not read the whole file');
		expect(failureOf(error)).toEqual({ outcome: 'unknown', passing: false });
	});

	it('says so in the message, with what the API document advises in the description', () => {
		const error = loseAnswer({ isForItem: true });
		expect(error.message).toContain('may have been sent');
		expect(error.description).toContain('MESSAGE.SENT');
	});

	it('keeps nobody from asking again who looks by himself, as the trigger does', () => {
		const error = loseAnswer({ isForItem: undefined });
		expect(`${error.message} ${error.description}`).not.toMatch(/may have been|do not repeat/);
		expect(failureOf(error)?.outcome).toBe('unknown');
	});
});

function judgeAnswer(status: number, headers: GatewayAnswer['headers'] = {}) {
	const answer = { status, headers, body: { error: 'No' }, path: request.path };
	return failureOf(explainAnswer(node, request, answer))!;
}

function judgeLoss(thrown: object) {
	return failureOf(
		explainLostAnswer(node, request, thrown, { baseUrl: 'https://gateway.example.com' }),
	)!;
}
