import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { quote } from '../api/plainText';
import type { ItemFile } from '../api/upload';

/** In bytes, as n8n reads files from disk. */
const PIECE = 64 * 1024;

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/**
 * Finds the file in a binary field of an item. Nothing of it is read yet: n8n may keep it on disk, or elsewhere.
 *
 * @throws Error in a person's words if it is not there
 */
export async function findFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): Promise<ItemFile> {
	const { helpers } = context;
	const held = typeof field === 'string' ? lookUp(context, itemIndex, field.trim()) : field;
	if (!isHeld(held)) {
		throw new Error(
			"Input Data Field Name must be the name of a field, or an expression that gives a file, e.g. {{ $('Form').item.binary.data }}.",
		);
	}
	const { id, data, mimeType, fileName, fileExtension } = held;
	const [mediaType] = String(mimeType).split(';', 1);
	const [name = ''] = String(fileName ?? '')
		.split(/[\\/]/)
		.slice(-1);
	const described = {
		fileName: name || ['file', fileExtension].filter(Boolean).join('.'),
		mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : 'application/octet-stream',
	};
	if (id === undefined) {
		const readHeld = async function* () {
			const bytes = Buffer.from(data, 'base64');
			for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
		};
		return { ...described, size: Buffer.byteLength(data, 'base64'), read: readHeld };
	}
	const { fileSize } = await helpers
		.getBinaryMetadata(id)
		.catch(() =>
			refuseFile(
				`n8n no longer has the file ${quote(described.fileName)}. Execute the node that creates this file once more.`,
			),
		);
	const readStored = async function* () {
		yield* (await helpers.getBinaryStream(id)) as AsyncIterable<Uint8Array>;
	};
	return { ...described, size: fileSize, read: readStored };
}

/** Whether n8n holds a file by it: with the bytes in it, or with an id, whose form only n8n's store of that kind knows. */
function isHeld(value: unknown): value is IBinaryData {
	if (!isObject(value)) return false;
	return typeof (value.id === undefined ? value.data : value.id) === 'string';
}

function lookUp(context: IExecuteFunctions, itemIndex: number, field: string): IBinaryData {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		const fields = Object.keys(context.getInputData()[itemIndex].binary ?? {}).map(quote);
		return refuseFile(
			fields.length > 0
				? `This item has no file in ${quote(field)}, but it has one in ${fields.join(', ')}. Correct Input Data Field Name.`
				: `This item has no file in ${quote(field)}, nor in any other field. A node before this one must give it, e.g. HTTP Request with the response format File.`,
		);
	}
}

function refuseFile(message: string): never {
	throw new Error(message);
}
