import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';
import { isSuccess, type GatewayAnswer } from './exchange';

type Store = BinaryHelperFunctions['prepareBinaryData'];
/** Whatever reads it, each piece passes `push`. */
type PushedStream = Parameters<Store>[0] & { push(piece: unknown): boolean };

/** What an answer's headers say of the file that it is. */
interface FileHead {
	fileName: string;
	mediaType: string;
}

/** An answer that is to be read is JSON; what stands between n8n and a gateway answers in these. */
const NO_FILE = /^(?:|text\/html|text\/plain|application\/xhtml\+xml)$/;
const JSON_TYPE = /[/+]json$/;
const LONGEST_NAME = 200;

/**
 * Tells whether an answer is a file: a success with a type that is not meant to be read here, or one that says that it
 * is to be saved. Where none is told, its name is the end of the path that was asked for.
 */
export function findFileHead({
	status,
	headers,
	path,
}: Pick<GatewayAnswer, 'status' | 'headers' | 'path'>): FileHead | undefined {
	const { 'content-type': contentType = '', 'content-disposition': disposition = '' } = headers;
	const type = contentType.split(';', 1)[0].trim().toLowerCase();
	if (!isSuccess({ status }) || status === 204 || JSON_TYPE.test(type)) return undefined;
	const isSaved = /^\s*attachment\b/i.test(disposition);
	if (NO_FILE.test(type) && !isSaved) return undefined;
	return {
		fileName: cleanName(readName(disposition) ?? decode(path)),
		mediaType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
	};
}

function readName(disposition: string): string | undefined {
	const [, encoded] = /;\s*filename\*=[\w-]*'[\w-]*'([^;]+)/i.exec(disposition) ?? [];
	if (encoded !== undefined) return decode(encoded);
	const [, quoted, bare] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? [];
	const name = quoted?.replace(/\\(.)/g, '$1') ?? bare;
	// Headers are read as Latin-1, but many a server writes UTF-8.
	const text = name && Buffer.from(name, 'latin1').toString('utf8');
	return text?.includes('\ufffd') ? name : text;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A name alone, whatever a server may call its file: somebody may save it by that name. */
function cleanName(name: string): string {
	const last = name.split(/[\\/]/).findLast((part) => part !== '') ?? '';
	const plain = last
		.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
		.trim()
		.slice(0, LONGEST_NAME);
	return /^\.*$/.test(plain) ? 'file' : plain;
}

/**
 * Hands a file on to where n8n keeps files, piece by piece.
 *
 * @param progress is called with each piece
 */
export async function keepFile(
	store: Store,
	body: unknown,
	{ fileName, mediaType }: FileHead,
	progress: () => void,
): Promise<IBinaryData> {
	const stream = body as PushedStream;
	const push = stream.push.bind(stream);
	// A listener would let it flow before n8n is there to take it.
	stream.push = (piece: unknown) => {
		progress();
		return push(piece);
	};
	return await store(stream, fileName, mediaType);
}
