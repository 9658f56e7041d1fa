import type { IDataObject } from 'n8n-workflow';
import { isPlainPath } from '../api/address';
import { isObject, readResult } from '../api/answer';
import type { GatewayRequest, Method } from '../api/exchange';
import { quote } from '../api/plainText';
import type { TokenKind } from '../api/token';
import { makeForm, makeJson, type SentFile } from '../api/upload';
import type { FreeOperation, Values } from './operation';

/**
 * A path under `/v1`, for what the API document does not show.
 *
 * @throws Error in a person's words for anything that could lead elsewhere
 */
export function readFreePath(value: unknown): string {
	const path = typeof value === 'string' ? value.trim() : '';
	if (path === '') throw new Error('The path is empty. Enter a path under /v1, e.g. /v1/groups');
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) {
		throw new Error(
			'Path takes no full address. Enter only what follows the base URL, e.g. /v1/groups',
		);
	}
	if (/[?#]/.test(path)) {
		throw new Error('Path may not contain "?" or "#". Put what follows the "?" into Query.');
	}
	if (!path.startsWith('/v1/') || !isPlainPath(path)) {
		throw new Error(
			`${quote(path)} is not a plain path under /v1. Enter one such as /v1/groups, without "..", spaces, backslashes or encoded slashes.`,
		);
	}
	return path;
}

/**
 * The parameters of a query, the values of one name together.
 *
 * @throws Error in a person's words if a value is no text
 */
export function readQuery(value: unknown): IDataObject {
	const { parameters = [] } = value as { parameters?: Array<{ name: string; value: unknown }> };
	const query = new Map<string, string[]>();
	for (const { name, value: given } of parameters) {
		if (name === '') continue;
		if (typeof given === 'object' && given !== null)
			throw new Error(`The parameter ${quote(name)} of Query must be text. Check its expression.`);
		query.set(name, [...(query.get(name) ?? []), String(given ?? '')]);
	}
	return Object.fromEntries(query);
}

/** @throws Error in a person's words if the text is no JSON */
export function readJsonBody(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	if (value.trim() === '') return undefined;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		return refuseBody(error as Error);
	}
}

function refuseBody(error: Error): never {
	throw new Error(
		`The body is not valid JSON (${error.message}). Check quotes, commas and brackets.`,
	);
}

/**
 * The request that a person has put together.
 *
 * @throws Error in a person's words if its files do not fit its body
 */
export function composeRequest(values: Values): GatewayRequest {
	const { method, path, query, token, sendsMessage } = values;
	return {
		method: method as Method,
		path: path as string,
		query: query as IDataObject,
		body: composeBody(values),
		token: token as TokenKind,
		effect: method === 'GET' ? 'read' : sendsMessage ? 'send' : 'change',
		givesSecret: method === 'POST',
		takesFile: !sendsMessage,
	};
}

function composeBody({ files, sendFiles, options: { body } }: Values): unknown {
	if (files === undefined) return body;
	const sent = files as unknown as SentFile[];
	if (sendFiles !== 'form') return makeJson(body, sent, { asDataUrl: sendFiles === 'dataUrl' });
	if (isObject(body ?? {})) return makeForm((body ?? {}) as IDataObject, sent);
	throw new Error(
		'The body must be an object, because each of its properties becomes a field of the form. Write it as { "name": "value" }.',
	);
}

/** To whom a message goes. Where that cannot be told, it may be to the same as the one before. */
export function recipientOf({ sendsMessage, options: { body } }: Values): unknown {
	if (!sendsMessage) return undefined;
	return isObject(body) ? (body.to ?? '') : '';
}

/** Makes the request, and puts out whatever comes. */
export const makeRequest: FreeOperation['perform'] = async (gateway, _values, request) => {
	if (request.effect === 'send') return await gateway.succeed(request, 'messageId');
	const { body, status, file } = await gateway.call(request);
	if (file !== undefined) {
		const { fileName, mimeType, fileSize } = file;
		return { items: [{ fileName, mimeType, fileSize }], file };
	}
	const result = readResult(body);
	if (result === undefined || result === null) return { items: [{ status }] };
	const elements = Array.isArray(result) ? result : [result];
	return {
		items: elements.map((element: unknown) =>
			isObject(element) ? element : { value: element },
		) as IDataObject[],
	};
};
