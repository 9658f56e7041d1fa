import { jsonParse, type IDataObject, type IHttpRequestMethods } from 'n8n-workflow';
import { sendOptions } from '../fields/common';
import { flagField, stringField } from '../fields/field';
import type { Field } from '../fields/types';
import type { GatewayRequest } from '../gateway/call';
import { keepFile, makeForm, readResult, type GatewayResponse } from '../gateway/content';
import type { Effect } from '../gateway/failure';
import { isObject } from '../values/json';
import { getMany, type Operation, type Resource, type Values } from './operation';

const BODY_ERROR =
	'\'Body\' must be a JSON object, e.g. { "name": "value" }. Write a text of the item as {{ JSON.stringify($json.text) }}, without quotes around it.';
const METHODS_WITH_BODY = ['PATCH', 'POST', 'PUT'];

const fields: Field[] = [
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		default: 'GET',
		required: true,
		options: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((value) => ({ name: value, value })),
	},
	stringField({
		displayName: 'Path',
		name: 'path',
		required: true,
		placeholder: 'e.g. /v1/groups',
		description: 'After the base URL, also with a query',
		builderHint: { propertyHint: 'Ask the user for path and body' },
		parse: parsePath,
	}),
];

const sendFields: Field[] = [
	flagField({
		displayName: 'Sends a Message',
		name: 'sendsMessage',
		description: 'Whether somebody gets a message by this request',
		displayOptions: { show: { method: METHODS_WITH_BODY } },
	}),
	flagField({
		displayName: 'Send File',
		name: 'sendFile',
		description: 'Whether to send a form: Body, and a file of the item',
		displayOptions: { show: { method: METHODS_WITH_BODY } },
	}),
	stringField({
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		description: 'The input field with the file',
		displayOptions: { show: { method: METHODS_WITH_BODY, sendFile: [true] } },
	}),
	stringField({
		displayName: 'Request Field Name',
		name: 'requestFieldName',
		default: 'file',
		required: true,
		placeholder: 'e.g. file',
		description: 'The form field that takes the file',
		displayOptions: { show: { method: METHODS_WITH_BODY, sendFile: [true] } },
	}),
];

const options: Field[] = [
	{
		displayName: 'Body',
		name: 'body',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "to": "+55 11 98765-4321" }',
		description: 'The request as JSON. Phone numbers in it go out as written.',
		displayOptions: { show: { '/method': ['DELETE', ...METHODS_WITH_BODY] } },
		parse: parseBody,
	},
	{
		displayName: 'Response Format',
		name: 'responseFormat',
		type: 'options',
		default: 'json',
		options: [
			{ name: 'File', value: 'file' },
			{ name: 'JSON', value: 'json' },
		],
		description: 'A file comes out in the binary field data',
	},
];

const perform: Operation['perform'] = async (item, values, request) => {
	const { sendFile, sendsMessage, inputDataFieldName, requestFieldName } = values;
	const isFile = !sendsMessage && values.options.responseFormat === 'file';

	const names = { input: String(inputDataFieldName), field: String(requestFieldName) };
	const form = sendFile ? await makeForm(item, request.body as IDataObject, names) : undefined;
	const response = await item.gateway.call({ ...request, ...form, isFile });

	if (sendsMessage) return response;
	if (isFile) return await keepFile(item, response);
	return { items: toItems(response) };
};

/** An item for the object, for each element of a list, or for the status if nothing came. */
function toItems({ body, status }: GatewayResponse): IDataObject[] {
	const result = readResult(body);
	const isEmpty = result === undefined || result === null || result === '';
	if (isEmpty) return [{ status }];

	const elements = [result].flat();
	return elements.map((value) => (isObject(value) ? value : ({ value } as IDataObject)));
}

/** A request that the person composes. */
const freeRequest = {
	request: compose,
	effect: effectOfRequest,
	fields,
	options,
	perform,
};

export const api: Resource = {
	name: 'API',
	value: 'api',
	operations: [
		{
			...freeRequest,
			name: 'Request',
			value: 'request',
			action: 'Make API request',
			description: 'Call any path under /v1, for what has no operation, such as sending a picture',
			fields: [...fields, ...sendFields],
			options: [...options, ...sendOptions],
		},
	],
};

export const account: Resource = {
	name: 'Account',
	value: 'account',
	tokenKind: 'account',
	operations: [
		{
			...getMany('instances'),
			name: 'Get Instances',
			value: 'getInstances',
			description: 'List the instances (connected phone numbers) with their IDs',
			request: 'GET {+instancesPath}',
		},
		{
			...freeRequest,
			name: 'Make Request',
			value: 'makeRequest',
			action: 'Make account request',
			description: 'Call any path under /v1 with the account token',
		},
	],
};

function effectOfRequest({ method, sendsMessage }: IDataObject): Effect {
	if (method === 'GET') return 'harmless';
	return sendsMessage ? 'send' : 'change';
}

function compose(values: Values): GatewayRequest {
	return {
		method: values.method as IHttpRequestMethods,
		path: String(values.path),
		body: values.options.body,
		effect: effectOfRequest(values),
	};
}

/** A part of the path can come from a stranger's message. */
function parsePath(value: unknown): string {
	const path = String(value).trim();
	const [plain] = path.split('?', 1);

	const isBelow = /^\/v1\/[!-~]*$/.test(plain);
	const hasHiddenStep = /%(?:2[ef]|5c)|\/\.\.;/i.test(plain);
	const isPlain = isBelow && !hasHiddenStep;
	if (isPlain && new URL(plain, 'http://gateway').pathname === plain) return path;

	throw new Error("'Path' must be a plain path under /v1, e.g. /v1/groups, without '..' or spaces");
}

function parseBody(value: unknown): IDataObject {
	const body = typeof value === 'string' ? jsonParse(value, { errorMessage: BODY_ERROR }) : value;
	if (isObject(body)) return body;

	throw new Error(BODY_ERROR);
}
