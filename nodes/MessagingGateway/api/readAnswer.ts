import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { GatewayAnswer } from './exchange';
import { changeTexts, TooDeep, type Hide } from './secrets';

type ByteStream = NodeJS.ReadableStream & { destroy(): void };

const MEGABYTE = 1024 * 1024;

/** Far more than lists of the document need, and no more than n8n's one thread can take at once. */
export const LARGEST_LIST = 10 * MEGABYTE;
export const LARGEST_ANSWER = MEGABYTE;

/** As many as take n8n's one thread less than a second to read. */
const MOST_VALUES = 1_000_000;

/** Far above anything of the document, far below what breaks n8n when it stores the execution. */
const DEEPEST = 100;

/**
 * Reads what an answer says: as far as it is not larger than is meant for it, after inflation, and without the secrets
 * that it echoes.
 *
 * @param signal ends the reading
 * @throws Error if the answer breaks off
 */
export async function readAnswer(
	response: Pick<IN8nHttpFullResponse, 'body'>,
	{ hide, mostBytes, signal }: { hide: Hide; mostBytes: number; signal: AbortSignal },
): Promise<Pick<GatewayAnswer, 'body' | 'flaw'>> {
	const bytes = await readBytes(response, mostBytes, signal);
	if (bytes === undefined) {
		const most = `${mostBytes / MEGABYTE} MB`;
		return { body: undefined, flaw: `The gateway’s answer is larger than ${most}` };
	}
	if (holdsTooMany(bytes)) {
		return { body: undefined, flaw: 'The gateway’s answer holds more than a million values' };
	}
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	if (text.trim() === '') return { body: undefined };
	return parse(text, hide);
}

/** Each value of JSON but the first of an array or object comes behind a comma. */
function holdsTooMany(bytes: Buffer): boolean {
	let commas = 0;
	for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x2c) commas++;
	return commas >= MOST_VALUES;
}

function parse(text: string, hide: Hide): Pick<GatewayAnswer, 'body' | 'flaw'> {
	try {
		return { body: changeTexts(JSON.parse(text), hide, DEEPEST) };
	} catch (error) {
		const flaw =
			error instanceof TooDeep
				? `The gateway’s answer is nested more than ${DEEPEST} levels deep`
				: /^\s*</.test(text)
					? 'A web page came back instead of the gateway’s answer'
					: 'The gateway’s answer is not valid JSON';
		return { body: undefined, flaw };
	}
}

/**
 * All bytes of a stream in one piece, however small the pieces in which they come; undefined if there are too many.
 *
 * @throws Error if the stream breaks off
 */
export async function readBytes(
	{ body }: Pick<IN8nHttpFullResponse, 'body'>,
	most: number,
	signal: AbortSignal,
): Promise<Buffer | undefined> {
	const stream = body as unknown as ByteStream;
	let held = Buffer.alloc(0);
	let length = 0;
	const append = (piece: Buffer): void => {
		if (length + piece.length > held.length) {
			const larger = Buffer.alloc(Math.min(most, 2 * (length + piece.length)));
			held.copy(larger, 0, 0, length);
			held = larger;
		}
		length += piece.copy(held, length);
	};
	const stop = (): void => stream.destroy();
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	try {
		return await new Promise<Buffer | undefined>((resolve, reject) => {
			// Also for what goes wrong when nobody waits any more: an error that nobody hears of ends n8n.
			stream.on('error', reject);
			stream.on('close', () => reject(new Error('The answer broke off')));
			stream.on('end', () => resolve(held.subarray(0, length)));
			stream.on('data', (piece: Buffer) => {
				if (length + piece.length <= most) return append(piece);
				resolve(undefined);
				stop();
			});
		});
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
