import { createHmac, type Hmac } from 'node:crypto';
import { readSigningHeaders } from '../../../../nodes/MessagingGateway/webhooks/signature/headers';
import { createVerifier } from '../../../../nodes/MessagingGateway/webhooks/signature/verify';

const BODY = Buffer.alloc(15_000_000, 0x20);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const { prototype: hmac } = createHmac('sha256', SECRET).constructor as typeof Hmac;

afterEach(() => jest.restoreAllMocks());

/** How often the whole body is gone through: hashed, or turned into text. */
function countPasses(run: () => void): number {
	const hashed = jest.spyOn(hmac, 'update');
	const read = jest.spyOn(BODY, 'toString');
	run();
	return (
		hashed.mock.calls.filter(([data]) => Object.is(data, BODY)).length + read.mock.calls.length
	);
}

const verifier = createVerifier(SECRET);

function receive(signature: string): void {
	const headers = readSigningHeaders([
		'webhook-id',
		'evt_1',
		'webhook-timestamp',
		String(Math.floor(Date.now() / 1000)),
		'webhook-signature',
		signature,
	]);
	if (headers && verifier.verify(headers, BODY)) throw new Error('It was accepted');
}

it('a large body with a malformed signature is not hashed: it costs next to nothing', () => {
	expect(countPasses(() => receive('v1,short'))).toBe(0);
});

it('a large body with a wrong signature is hashed once, however many signatures there are', () => {
	const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
	expect(countPasses(() => receive(Array(16).fill(wrong).join(' ')))).toBe(1);
});

it('a forgery makes no stack trace, which costs more than the check, and leaves those of everybody else alone', () => {
	const { prepareStackTrace } = Error;
	const frames: number[] = [];
	Error.prepareStackTrace = (_error, stack) => void frames.push(stack.length);
	try {
		receive(`v1,${Buffer.alloc(32).toString('base64')}`);
	} finally {
		Error.prepareStackTrace = prepareStackTrace;
	}
	expect(frames.filter((count) => count > 0)).toEqual([]);
	expect(new Error('of somebody else').stack).toContain(' at ');
});
