import type { IDataObject } from 'n8n-workflow';
import { isPlainPath } from '../api/address';
import { isObject, readResult } from '../api/answer';
import type { Method } from '../api/exchange';
import type { TokenKind } from '../api/token';
import type { FreeOperation, Resource } from './operation';

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
			`"${path}" is not a plain path under /v1. Enter one such as /v1/groups, without "..", spaces, backslashes or encoded slashes.`,
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
			throw new Error(`The parameter "${name}" of Query must be text. Check its expression.`);
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

const request: FreeOperation['perform'] = async (gateway, values) => {
	const method = values.method as Method;
	const { body, status } = await gateway.ask({
		method,
		path: values.path as string,
		query: values.query as IDataObject,
		body: method === 'GET' ? undefined : values.body,
		token: values.token as TokenKind,
		effect: method === 'GET' ? 'read' : 'change',
	});
	const result = readResult(body);
	if (result === undefined || result === null) return { items: [{ status }] };
	const elements = Array.isArray(result) ? result : [result];
	return {
		items: elements.map((element: unknown) =>
			isObject(element) ? element : { value: element },
		) as IDataObject[],
	};
};

export const api: Resource = {
	name: 'API',
	value: 'api',
	operations: [
		{
			name: 'Request',
			value: 'request',
			action: 'Make API request',
			description:
				'Call any path under /v1, for what the API document does not show, such as sending media or creating instances',
			effect: 'change',
			fields: [
				{
					displayName: 'Token',
					name: 'token',
					type: 'options',
					default: 'instance',
					options: [
						{ name: 'Account', value: 'account', description: 'For webhooks and instances' },
						{ name: 'Instance', value: 'instance', description: 'For what one phone number does' },
					],
					description: 'Which of the two tokens goes along',
				},
				{
					displayName: 'Method',
					name: 'method',
					type: 'options',
					default: 'GET',
					options: [
						{ name: 'DELETE', value: 'DELETE' },
						{ name: 'GET', value: 'GET' },
						{ name: 'PATCH', value: 'PATCH' },
						{ name: 'POST', value: 'POST' },
						{ name: 'PUT', value: 'PUT' },
					],
					description: 'The HTTP method',
				},
				{
					displayName: 'Path',
					name: 'path',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. /v1/groups',
					description: 'What follows the base URL. It begins with /v1.',
					clean: readFreePath,
				},
				{
					displayName: 'Query',
					name: 'query',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					default: {},
					placeholder: 'Add Parameter',
					description: 'Parameters that are put behind the path. Those of one name are all sent.',
					clean: readQuery,
					options: [
						{
							displayName: 'Parameter',
							name: 'parameters',
							values: [
								{
									displayName: 'Name',
									name: 'name',
									type: 'string',
									default: '',
									placeholder: 'e.g. messageId',
									description: 'Name of the parameter',
								},
								{
									displayName: 'Value',
									name: 'value',
									type: 'string',
									default: '',
									description: 'Value of the parameter',
								},
							],
						},
					],
				},
				{
					displayName: 'Body',
					name: 'body',
					type: 'json',
					default: '',
					placeholder: 'e.g. { "to": "+55 11 98765-4321" }',
					description: 'What is sent along, as JSON. Left empty, nothing is.',
					displayOptions: { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } },
					clean: readJsonBody,
				},
			],
			perform: request,
		},
	],
};
