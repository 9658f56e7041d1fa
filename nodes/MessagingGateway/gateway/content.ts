import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { parseDisposition } from '../libraries';
import { isObject } from '../values/json';
import { DATA_FIELD } from './assumptions';

/** A successful response: parsed JSON, text if it is none, or bytes if a file was wanted. */
export interface GatewayResponse {
	status: number;
	headers: Record<string, string>;
	body: unknown;
	path: string;
	items: IDataObject[];
}

/** The value of `data`, or the bare body if there is no `data` (assumption A6). */
export function readResult(body: unknown): unknown {
	return isObject(body) && DATA_FIELD in body ? body[DATA_FIELD] : body;
}

/**
 * The elements of a list (assumption A5): the array in `data`, the first one inside it, or the bare
 * array. `null` and `{}` are empty lists. Undefined if something else came.
 */
export function readList(body: unknown): IDataObject[] | undefined {
	const result = readResult(body);
	if (result === null || (isObject(result) && Object.keys(result).length === 0)) return [];
	const list = isObject(result) ? Object.values(result).find(Array.isArray) : result;
	if (!Array.isArray(list)) return undefined;
	return list.map((element: unknown) =>
		isObject(element) ? element : ({ id: element } as IDataObject),
	);
}

/** A 2xx body must hold a list, an object, or an object with a string in this field. */
export type Expected = 'list' | 'object' | 'messageId' | 'secret';

/** One object, or the elements of a list; undefined if the body does not hold the expected. */
export function readItems(body: unknown, expects: Expected): IDataObject[] | undefined {
	if (expects === 'list') return readList(body);
	const result = readResult(body);
	if (!isObject(result)) return undefined;
	return expects === 'object' || typeof result[expects] === 'string' ? [result] : undefined;
}

/** The display name of a list's element (assumption A5). */
export function displayNameOf({ name, subject }: IDataObject, id: string): string {
	const isLabel = (value: unknown) => typeof value === 'string' && value.trim() !== '';
	return String([name, subject].find(isLabel) ?? id);
}

type ItemContext = { context: IExecuteFunctions; itemIndex: number };

/** Writes a form with values and the item's file as bytes: n8n's helper takes no FormData. */
export async function makeForm(
	{ context, itemIndex }: ItemContext,
	values: IDataObject = {},
	names: { input: string; field: string },
) {
	const { helpers } = context;
	const { fileName, fileExtension, mimeType } = helpers.assertBinaryData(itemIndex, names.input);
	const bytes = await helpers.getBinaryDataBuffer(itemIndex, names.input);
	const form = new FormData();
	for (const [name, value] of Object.entries(values))
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	const file = new Blob([new Uint8Array(bytes)], { type: mimeType });
	form.append(names.field, file, fileName || ['file', fileExtension].filter(Boolean).join('.'));
	const written = new Response(form);
	return {
		contentType: String(written.headers.get('content-type')),
		body: Buffer.from(await written.arrayBuffer()),
	};
}

/** Stores the file of a response in n8n, under the name that the gateway gives. */
export async function keepFile({ context }: ItemContext, { headers, body, path }: GatewayResponse) {
	const type = headers['content-type']?.split(';', 1)[0];
	const { filename } = parseDisposition(headers['content-disposition'] ?? '').parameters;
	const name = (filename || path.split('?', 1)[0]).split(/[\\/]/).at(-1);
	const file = await context.helpers.prepareBinaryData(body as Buffer, name, type);
	const { fileName, fileSize, mimeType } = file;
	return { items: [{ fileName, mimeType, fileSize }], file };
}
