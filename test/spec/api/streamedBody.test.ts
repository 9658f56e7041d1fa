import { Readable } from 'node:stream';
import { StreamedBody } from '../../../nodes/MessagingGateway/api/streamedBody';

const body = (size: number, ...pieces: string[]) =>
	new StreamedBody(
		['begin ', { size, read: () => Readable.from(pieces.map((piece) => Buffer.from(piece))) }],
		'text/plain',
	);

const open = (whole: StreamedBody) => Readable.from(whole.stream() as never);

it('is put together piece by piece', async () => {
	const whole = body(4, 'ab', 'cd');
	expect(Buffer.concat(await open(whole).toArray()).toString()).toBe('begin abcd');
	expect(whole.isUnreadable).toBe(false);
});

it.each([[3], [5]])('knows that a file is not the one of %i bytes that was told', async (size) => {
	const whole = body(size, 'ab', 'cd');
	await expect(open(whole).toArray()).rejects.toThrow('has changed');
	expect(whole.isUnreadable).toBe(true);
});

it('does not put down to the file what goes wrong with the sending', async () => {
	const whole = body(4, 'ab', 'cd');
	const sending = open(whole);
	const ended = new Promise((resolve) => sending.once('close', resolve));
	sending.on('error', () => {});
	sending.once('data', () => sending.once('data', () => sending.destroy(new Error('cut off'))));
	await ended;
	expect(whole.isUnreadable).toBe(false);
});

it('tells its size in bytes, whatever the text', () => {
	expect(new StreamedBody(['ç😀', { size: 5, read: () => Readable.from([]) }], 'x').size).toBe(11);
});

it('sends nothing behind what was told', async () => {
	const pieces: string[] = [];
	const sending = open(body(3, 'ab', 'cd'));
	sending.on('data', (piece: Buffer) => pieces.push(piece.toString()));
	await new Promise((resolve) => sending.once('close', resolve).once('error', () => {}));
	expect(pieces).toEqual(['begin ', 'ab']);
});

it('tells of each piece of a file that has gone', async () => {
	const whole = body(4, 'ab', 'cd');
	whole.progress = jest.fn();
	await open(whole).toArray();
	expect(whole.progress).toHaveBeenCalledTimes(2);
});

describe('that is closed', () => {
	it('lets go of the file that it reads', async () => {
		let isOpen = true;
		const read = async function* () {
			try {
				for (;;) yield await Promise.resolve(Buffer.from('a'));
			} finally {
				isOpen = false;
			}
		};
		const whole = new StreamedBody([{ size: 10, read }], 'text/plain');
		const reading = whole.stream() as unknown as AsyncGenerator;
		await reading.next();
		whole.close();
		await new Promise(setImmediate);
		expect(isOpen).toBe(false);
	});

	it('harms nobody where it was never read, or cannot let go', async () => {
		body(4).close();
		const stuck = {
			next: async () => await Promise.resolve({ done: false, value: Buffer.from('a') }),
			return: async () => await Promise.reject(new Error('EIO')),
		};
		const read = () => ({ [Symbol.asyncIterator]: () => stuck });
		const whole = new StreamedBody([{ size: 1, read }], 'text/plain');
		await (whole.stream() as unknown as AsyncGenerator).next();
		// A rejection that nobody hears of would end the test.
		whole.close();
		await new Promise(setImmediate);
	});
});
