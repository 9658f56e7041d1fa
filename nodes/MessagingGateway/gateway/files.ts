import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { parseDisposition } from '../libraries';
import type { GatewayResponse } from './call';

type ItemContext = { context: IExecuteFunctions; itemIndex: number };

/**
 * Writes the bytes of a multipart form, since n8n's helper takes no FormData: the values, as text or JSON, and the file.
 *
 * @param names the binary field of the item, and the field of the form
 * @throws {NodeOperationError} if the item has no such file
 */
export async function makeForm(
	{ context, itemIndex }: ItemContext,
	values: IDataObject = {},
	names: { input: string; field: string },
) {
	const { fileName, fileExtension, mimeType } = context.helpers.assertBinaryData(
		itemIndex,
		names.input,
	);
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, names.input);
	const form = new FormData();
	for (const [name, value] of Object.entries(values))
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	form.append(
		names.field,
		new Blob([new Uint8Array(bytes)], { type: mimeType }),
		fileName || ['file', fileExtension].filter(Boolean).join('.'),
	);
	const written = new Response(form);
	return {
		contentType: String(written.headers.get('content-type')),
		body: Buffer.from(await written.arrayBuffer()),
	};
}

export async function keepFile({ context }: ItemContext, { headers, body, path }: GatewayResponse) {
	const mimeType = headers['content-type']?.split(';', 1)[0];
	const { filename } = parseDisposition(headers['content-disposition'] ?? '').parameters;
	const name = (filename || path.split('?', 1)[0]).split(/[\\/]/).at(-1);
	const file = await context.helpers.prepareBinaryData(body as Buffer, name, mimeType);
	const { fileName, fileSize } = file;
	return { items: [{ fileName, mimeType: file.mimeType, fileSize }], file };
}
