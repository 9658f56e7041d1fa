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
