import { createHmac } from 'node:crypto';
import { readSigningHeaders } from '../../../../nodes/MessagingGateway/trigger/signature/headers';
import { createVerifier } from '../../../../nodes/MessagingGateway/trigger/signature/verify';

const BODY = Buffer.alloc(15_000_000, 0x20);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Milliseconds of the quickest of several runs: the others were disturbed. */
function time(run: () => void): number {
	const times = Array.from({ length: 15 }, () => {
		const began = performance.now();
		run();
		return performance.now() - began;
	});
	return Math.min(...times);
}

const verifier = createVerifier(SECRET);
const hashing = time(() => void createHmac('sha256', SECRET).update(BODY).digest());

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
	expect(time(() => receive('v1,short')) / hashing).toBeLessThan(0.02);
});

it('a large body with a wrong signature is hashed once, however many signatures there are', () => {
	const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
	expect(time(() => receive(Array(16).fill(wrong).join(' '))) / hashing).toBeLessThan(1.5);
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
