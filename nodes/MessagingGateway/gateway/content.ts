import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { parseDisposition } from '../libraries';
import { isObject, textIn, toWellFormed, writeJson } from '../values/json';
import { leadsTo } from './advice';
import { DATA_FIELD } from './assumptions';

/** A response: its body is parsed JSON, text if it is none, or bytes if a file was wanted. */
export interface GatewayResponse {
	status: number;
	headers: Record<string, string>;
	body: unknown;
	/** The path of the request. */
	path: string;
	/** The content, if the expected one has come. */
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
	if (isObject(result)) {
		if (expects === 'object' || typeof result[expects] === 'string') return [result];
	}

	const message = expects === 'messageId' ? findMessage(body) : undefined;
	return message && [message];
}

/** The wrapper of a send's response is open (API 14.3). */
const MESSAGE_LEVELS = 3;

/** The object with the only `messageId`; undefined if there is none, or there are two different ones. */
function findMessage(body: unknown): IDataObject | undefined {
	const found = objectsIn(body, MESSAGE_LEVELS).filter((each) => textIn(each, 'messageId'));
	const ids = new Set(found.map((each) => each.messageId));
	return ids.size === 1 ? found[0] : undefined;
}

/** The objects of the first levels, from the outermost. An array is no level. */
function objectsIn(value: unknown, levels: number): IDataObject[] {
	if (levels === 0) return [];
	if (Array.isArray(value)) return value.flatMap((each) => objectsIn(each, levels));
	if (!isObject(value)) return [];

	const inner = Object.values(value).flatMap((each) => objectsIn(each, levels - 1));
	return [value, ...inner];
}

/** Whether the gateway says that it has not done what it was asked (API 6.1). */
export function isUnsuccessful(body: unknown): boolean {
	const result = readResult(body);
	return [body, result].some((each) => isObject(each) && each.success === false);
}

/**
 * Whether a web page came in place of the gateway's response, which is JSON (API 1.4 and
 * 11.1). The page of a redirect to a moved gateway does not count.
 */
export function isWebPage(response: Omit<GatewayResponse, 'items'>): boolean {
	const { status, headers, body, path } = response;
	const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(
		headers['content-type'] ?? '',
	);
	// Some servers call each text HTML, such as OK.
	const hasTag = typeof body === 'string' && /<[a-z!]/i.test(body);
	if (!isHtml || !hasTag) return false;

	const isRedirect = status >= 300 && status < 400;
	return !isRedirect || !leadsTo(headers.location ?? '', path);
}

/** The messages that a response names, in the first levels of its body; none of a file. */
export function messageIdsIn(body: unknown): string[] {
	if (body instanceof Buffer) return [];
	return objectsIn(body, MESSAGE_LEVELS).flatMap((each) => textIn(each, 'messageId') ?? []);
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
	for (const [name, value] of Object.entries(values)) {
		form.append(name, typeof value === 'string' ? toWellFormed(value) : writeJson(value));
	}

	const file = new Blob([new Uint8Array(bytes)], { type: mimeType });
	const name = fileName || ['file', fileExtension].filter(Boolean).join('.');
	form.append(names.field, file, toWellFormed(name));

	const written = new Response(form);
	return {
		contentType: String(written.headers.get('content-type')),
		body: Buffer.from(await written.arrayBuffer()),
	};
}

/** Stores the file of a response in n8n, under the name that the gateway gives. */
export async function keepFile({ context }: ItemContext, response: GatewayResponse) {
	const { headers, body, path } = response;
	const type = headers['content-type']?.split(';', 1)[0];

	const { filename } = parseDisposition(headers['content-disposition'] ?? '').parameters;
	const name = (filename || path.split('?', 1)[0]).split(/[\\/]/).at(-1);

	const file = await context.helpers.prepareBinaryData(body as Buffer, name, type);
	const item = {
		fileName: file.fileName,
		mimeType: file.mimeType,
		fileSize: file.fileSize,
	};
	return { items: [item], file };
}
