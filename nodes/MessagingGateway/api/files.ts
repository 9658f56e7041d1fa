import { randomUUID } from 'crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Form, GatewayAnswer } from './request';

/** The item that a file belongs to. */
interface FileContext {
	n8n: IExecuteFunctions;
	itemIndex: number;
}

/**
 * Writes a multipart form: the file of the item behind the other fields.
 *
 * @param values each becomes a field; one that is no text becomes JSON
 * @param names the binary field of the item, and the field of the form
 * @throws {NodeOperationError} if the item has no such file
 */
export async function makeForm(
	{ n8n, itemIndex }: FileContext,
	values: IDataObject = {},
	names: { input: string; field: string },
): Promise<Form> {
	const file = n8n.helpers.assertBinaryData(itemIndex, names.input);
	const bytes = await n8n.helpers.getBinaryDataBuffer(itemIndex, names.input);
	const boundary = `form-${randomUUID()}`;
	const part = (name: string, ...head: string[]): string =>
		[`--${boundary}`, `Content-Disposition: form-data; name=${quoted(name)}${head.join('\r\n')}`]
			.concat('', '')
			.join('\r\n');
	const texts = Object.entries(values).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${part(name)}${text}\r\n`;
	});
	const head = part(
		names.field,
		`; filename=${quoted(file.fileName ?? 'file')}`,
		`Content-Type: ${file.mimeType.replace(/[^\w/+.-]/g, '')}`,
	);
	const parts = [texts.join(''), head].join('');
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		bytes: Buffer.concat([Buffer.from(parts), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
	};
}

/** Lets n8n keep the file that came as the answer. */
export async function keepFile(
	{ n8n }: FileContext,
	{ headers, body, path }: GatewayAnswer,
): Promise<{ items: IDataObject[]; file: IBinaryData }> {
	const mimeType = headers['content-type']?.split(';', 1)[0];
	const [, named] = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '') ?? [];
	const name = (named ?? path.split('?', 1)[0]).split(/[\\/]/).at(-1);
	const file = await n8n.helpers.prepareBinaryData(body as Buffer, name, mimeType);
	const { fileName, fileSize } = file;
	return { items: [{ fileName, mimeType: file.mimeType, fileSize }], file };
}

/** As browsers write a name in a form. */
function quoted(name: string): string {
	return `"${name.replace(/\r?\n|\r/g, ' ').replace(/"/g, '%22')}"`;
}
