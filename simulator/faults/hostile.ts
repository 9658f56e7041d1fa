import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';

/**
 * What a gateway does that means harm, or is broken.
 * - `echo`: gives the token back, as values and names of fields, with any `status`; as `Location` too
 * - `markup`: names and errors that are HTML
 * - `drip`, `dripHeaders`: a byte of the body, or of the headers, ten times a second, without end
 * - `dripFile`: the same of a picture
 * - `gzipBomb`: 100 MB in 100 kB of gzip
 * - `endless`: a body without end; `crumbs`: the same in pieces of one byte
 * - `million`: a list of a million groups; `crowd`: one of half as many, in 5 MB; `empties`: millions of empty objects in 10 MB
 * - `longTexts`: groups whose names take long to be normalised; with a `status` of 400 and more, an error of 20 MB
 * - `deep`, `deepObjects`: nested very deep
 */
export const HOSTILE_MODES = [
	'echo',
	'markup',
	'drip',
	'dripHeaders',
	'dripFile',
	'gzipBomb',
	'endless',
	'crumbs',
	'million',
	'crowd',
	'empties',
	'longTexts',
	'deep',
	'deepObjects',
] as const;

export type HostileMode = (typeof HOSTILE_MODES)[number];

/** A link, an image and an input, in the words of somebody who wants a password. */
export const MARKUP = [
	'<a href="https://evil.example/login">Sign in again</a>',
	'<img src="https://evil.example/pixel.png" onerror="document.title=1">',
	'<input type="text" id="evil"><b>bold</b><script>document.title=1</script>',
	'&lt;a href="https://evil.example/entity"&gt;Entity&lt;/a&gt;',
].join(' ');

const MEGABYTE = 1024 * 1024;
const DRIP_EVERY_MS = 100;
const MANY = 1_000_000;
const LEVELS = 150_000;

/** Answers a request, or begins to. Ends by itself when nobody listens any more. */
export function playHostile(
	response: ServerResponse,
	authorization: string,
	{ as = 'endless', status = 200 }: { as?: HostileMode; status?: number },
): void {
	const stream = (pieces: Iterable<Buffer | string> | AsyncIterable<Buffer | string>): void => {
		response.writeHead(status, { 'content-type': 'application/json' });
		const source = Readable.from(pieces, { objectMode: false });
		response.once('close', () => source.destroy());
		source.pipe(response);
	};
	switch (as) {
		case 'echo':
			return answerEcho(response, status, authorization);
		case 'markup':
			return answer(response, status, describe(JSON.stringify(MARKUP).slice(1, -1), status));
		case 'drip':
			response.writeHead(status, { 'content-type': 'application/json' });
			return drip(response, '{"data":"', (text) => void response.write(text));
		case 'dripFile':
			response.writeHead(status, { 'content-type': 'image/png' });
			return drip(response, 'a', (text) => void response.write(text));
		case 'dripHeaders':
			return drip(response, `HTTP/1.1 ${status} OK\r\nx-drip: `, (text) => {
				response.socket?.write(text);
			});
		case 'gzipBomb':
			return void sendBomb(response, status);
		case 'endless':
			return stream(repeat('{"data":"', Buffer.alloc(MEGABYTE / 16, 'a'), Infinity, ''));
		case 'crumbs':
			response.writeHead(status, { 'transfer-encoding': 'chunked' });
			response.flushHeaders();
			return pump(response, Buffer.from('1\r\na\r\n'.repeat(10_000)));
		case 'million':
			return stream(listGroups(MANY, (index) => `Group ${index}`));
		case 'crowd':
			return stream(repeat('{"data":[0', Buffer.from(',{"id":7}'), MANY / 2, ']}'));
		case 'empties':
			return stream(repeat('{"data":[0', Buffer.from(',{}'), 3_400_000, ']}'));
		case 'longTexts':
			return status < 400
				? stream(listGroups(20, () => '\u0315\u0300'.repeat(100_000)))
				: stream(repeat('{"error":"', Buffer.alloc(MEGABYTE, '<'), 20, '"}'));
		case 'deep':
			return answer(response, status, `{"data":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`);
		case 'deepObjects':
			return answer(response, status, `{"data":${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}}`);
	}
}

/**
 * Whatever an operation expects of an answer, with a text in each place where there can be one.
 * @param raw as it stands between quotation marks
 */
function describe(raw: string, status: number): string {
	if (status >= 400) return `{"error":"${raw}"}`;
	const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
	const element = `{"id":"1@g.us","name":"${raw}","${raw}":{"deep":["${raw}"]}}`;
	const settings = ['rejectCall', 'readMessages', 'ignoreGroups', 'ignoreStatus']
		.map((name) => `"${name}":true`)
		.join();
	return `{"data":{"messageId":"m1","id":"1@g.us","success":true,"secret":"${secret}","name":"${raw}",${settings},"msgRejectCall":"${raw}","rows":[${element}],"${raw}":"${raw}"}}`;
}

function answerEcho(response: ServerResponse, status: number, raw: string): void {
	if (status >= 300 && status < 400) {
		const location = `https://evil.example/${'a'.repeat(300)}?token=${raw}`;
		return answer(response, status, '{}', { location: `/?token=${raw}&to=${location}` });
	}
	answer(response, status, describe(raw, status));
}

function answer(
	response: ServerResponse,
	status: number,
	body: string,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(body);
}

function drip(response: ServerResponse, begin: string, write: (text: string) => void): void {
	write(begin);
	const timer = setInterval(() => write('a'), DRIP_EVERY_MS);
	response.socket?.once('close', () => clearInterval(timer));
}

function* repeat(begin: string, piece: Buffer, times: number, end: string): Generator<Buffer> {
	const atOnce = Math.max(1, Math.floor(MEGABYTE / 16 / piece.length));
	const pieces = Buffer.concat(Array<Buffer>(atOnce).fill(piece));
	yield Buffer.from(begin);
	for (let left = times; left > 0; left -= atOnce)
		yield left >= atOnce ? pieces : pieces.subarray(0, left * piece.length);
	yield Buffer.from(end);
}

function* listGroups(count: number, nameOf: (index: number) => string): Generator<string> {
	yield '{"data":[';
	for (let index = 0; index < count;) {
		let part = '';
		for (const end = Math.min(count, index + 1_000); index < end; index++)
			part += `${index ? ',' : ''}{"id":"${index}@g.us","name":"${nameOf(index)}"}`;
		yield part;
	}
	yield ']}';
}

/** Writes the same bytes for as long as somebody takes them. */
function pump({ socket }: ServerResponse, bytes: Buffer): void {
	if (!socket) return;
	const write = (): void => {
		while (!socket.destroyed && socket.write(bytes));
	};
	socket.on('drain', write);
	write();
}

let bomb: Promise<Buffer> | undefined;

async function sendBomb(response: ServerResponse, status: number): Promise<void> {
	bomb ??= buffer(
		Readable.from(repeat('{"data":"', Buffer.alloc(MEGABYTE, 'a'), 100, '"}')).pipe(createGzip()),
	);
	const body = await bomb;
	response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
	response.end(body);
}
