import { PassThrough, Readable } from 'node:stream';
import { readAnswer, readBytes } from '../../../nodes/MessagingGateway/api/readAnswer';

const never = () => new AbortController().signal;

const read = async (pieces: Array<Buffer | string>, mostBytes = 1024 * 1024) =>
	await readAnswer(
		{ body: Readable.from(pieces.map((piece) => Buffer.from(piece))) },
		{ hide: (text) => text.replace('secret', 'hidden'), mostBytes, signal: never() },
	);

it.each<[string, Array<Buffer | string>, object]>([
	['an object', ['{ "a": "sec', 'ret" }'], { body: { a: 'hidden' } }],
	[
		'characters in two pieces',
		[Buffer.from('"ç"').subarray(0, 2), Buffer.from('"ç"').subarray(2)],
		{ body: 'ç' },
	],
	['what begins with a byte order mark', ['\ufeff[1]'], { body: [1] }],
	['blanks', [' \r\n\t'], { body: undefined }],
	['nothing', [], { body: undefined }],
	['a page', ['<!doctype html>'], { flaw: 'A web page came back instead of the gateway’s answer' }],
	[
		'a page behind blanks',
		['\n  <html>'],
		{ flaw: 'A web page came back instead of the gateway’s answer' },
	],
	['text', ['No.'], { flaw: 'The gateway’s answer is not valid JSON' }],
])('reads %s', async (_what, pieces, said) => {
	expect(await read(pieces)).toEqual({ body: undefined, ...said });
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const values = (count: number) => `[${Array(count).fill(0).join(',')}]`;

it.each<[string, string, number, boolean]>([
	['of the most bytes', `"${'a'.repeat(98)}"`, 100, true],
	['of one byte more', `"${'a'.repeat(99)}"`, 100, false],
	['of the most levels', nested(100), 1_000, true],
	['of one level more', nested(101), 1_000, false],
	['of the most values', values(1_000_000), 1e7, true],
	['of one value more', values(1_000_001), 1e7, false],
])('takes an answer %s: %#', async (_what, text, mostBytes, isTaken) => {
	const { flaw } = await read([text], mostBytes);
	expect(flaw === undefined).toBe(isTaken);
});

describe('a stream', () => {
	it('is closed as soon as it is too long', async () => {
		const body = new PassThrough();
		body.write('12345');
		expect(await readBytes({ body }, 4, never())).toBeUndefined();
		expect(body.destroyed).toBe(true);
	});

	it('that breaks off is no answer, with an error or without one', async () => {
		for (const why of [undefined, new Error('reset')]) {
			const body = new PassThrough();
			body.write('1');
			const reading = readBytes({ body }, 10, never());
			body.destroy(why);
			await expect(reading).rejects.toThrow(why?.message ?? 'broke off');
		}
	});

	it('is closed when nobody waits any more, also where that was so before it came', async () => {
		const stop = new AbortController();
		const body = new PassThrough();
		const reading = readBytes({ body }, 10, stop.signal);
		stop.abort();
		await expect(reading).rejects.toThrow('broke off');
		expect(body.destroyed).toBe(true);

		const late = new PassThrough();
		await expect(readBytes({ body: late }, 10, stop.signal)).rejects.toThrow('broke off');
		expect(late.destroyed).toBe(true);
	});
});
