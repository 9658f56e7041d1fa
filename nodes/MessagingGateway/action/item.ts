import type { IDataObject, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { commonOptions, country } from '../fields/common';
import type { Field } from '../fields/field';
import { readField, readOption } from '../fields/read';
import { gatewayOf, type Gateway, type GatewayRequest } from '../gateway/call';
import { readConnection } from '../gateway/connection';
import { fillEndpoint } from '../gateway/endpoints';
import { GatewayError, tellOutcome, type Failure } from '../gateway/failure';
import { TOKENS, type TokenKind } from '../gateway/secrets';
import { readParameter } from '../n8n/parameters';
import { pauseFor } from '../n8n/waits';
import { effectOf, type Operation, type Result, type Values } from '../operations/operation';
import { isObject } from '../values/json';
import { phoneKeyOf } from '../values/phone';
import type { ItemResult } from './itemResult';
import { withRateLimit } from './rateLimit';

export interface PreparedItem {
	itemIndex: number;
	gateway: Gateway;
	values: Values;
	request: GatewayRequest;
}

/** The operation that the node runs, and the token of its resource. */
export interface Chosen {
	tokenKind: TokenKind;
	operation: Operation;
}

/** Reads the credential and the parameters of an item; a failure if it cannot be sent. */
export async function prepareItem(
	context: IExecuteFunctions,
	{ tokenKind, operation }: Chosen,
	itemIndex: number,
): Promise<PreparedItem | { failure: Failure }> {
	try {
		// Once for each item: n8n reads it in its database, and its fields may have expressions.
		const credential = await context.getCredentials(TOKENS[tokenKind].credential, itemIndex);
		const defaultCountry = String(credential.defaultCountry ?? '');
		const values = readValues(context, operation, itemIndex, defaultCountry);
		const { instanceId } = values.options as { instanceId?: string };
		const gateway = gatewayOf(context, readConnection(credential, tokenKind, instanceId));
		const request = buildRequest(operation, values, gateway.overrides);
		return { itemIndex, gateway, values, request };
	} catch (error) {
		const effect = effectOf(operation, context.getNode().parameters);
		return { failure: tellOutcome(readFailure(error), effect) };
	}
}

function readValues(
	context: IExecuteFunctions,
	{ fields, options = commonOptions }: Operation,
	itemIndex: number,
	defaultCountry: string,
): Values {
	const values: Values = { options: {} };
	const added = readParameter(context, 'options', itemIndex, {}) as IDataObject;
	// The country is read before the numbers that it is for.
	const ofItem = options.includes(country) ? readOptionOnce(country, added) : undefined;
	const countryOfNumbers = ofItem === undefined ? defaultCountry : String(ofItem);

	for (const field of fields) {
		if (field.type === 'notice' || !isShown(field, values)) continue;
		const raw = readParameter(context, field.name, itemIndex, null);
		values[field.name] = readField(raw, field, countryOfNumbers);
	}

	for (const option of options) {
		if (!isShown(option, values)) continue;
		values.options[option.name] = readOptionOnce(option, added, countryOfNumbers);
	}

	return values;
}

const defaults = new WeakMap<Field, IDataObject[string]>();

/** Reads an option. Its default is read only once, since most items of a bulk have it. */
function readOptionOnce(
	option: Field,
	added: IDataObject,
	countryOfNumbers?: string,
): IDataObject[string] {
	if (option.name in added) return readOption(option, added, countryOfNumbers);
	if (!defaults.has(option)) defaults.set(option, readOption(option, {}));
	return defaults.get(option);
}

// n8n shows a field for all items if its condition is an expression.
function isShown({ displayOptions }: Field, values: Values): boolean {
	if (displayOptions?.show === undefined) return true;
	return Object.entries(displayOptions.show).every(([name, wanted]) => {
		const value = values[name.replace(/^\//, '')];
		return wanted?.some((each) => each === value);
	});
}

/** Makes the request of an operation's fields, each in its part and under its name there. */
function buildRequest(
	operation: Operation,
	values: Values,
	overrides: Record<string, string>,
): GatewayRequest {
	const { fields, request, expects = 'object' } = operation;
	const effect = effectOf(operation, values);
	if (request === undefined) return { method: 'GET', path: '', effect };
	if (typeof request === 'function') return request(values);

	const body: IDataObject = {};
	const query: IDataObject = {};
	const path: IDataObject = {};
	const parts = { body, query, path };
	for (const { in: part, name, as = name } of fields) {
		const value = values[name];
		if (part === undefined || value === undefined) continue;
		const nameInRequest = typeof as === 'string' ? as : overrides[as.override];
		parts[part][nameInRequest] = value;
	}

	const endpoint = fillEndpoint(request, overrides, path);
	const hasBody = Object.keys(body).length > 0;
	return { ...endpoint, query, body: hasBody ? body : undefined, effect, expects };
}

/** The key of items that go out in their order: those from one number to one recipient. */
export function chainOf({ itemIndex, gateway, request }: PreparedItem): string {
	const to = isObject(request.body) ? request.body.to : undefined;
	if (to === undefined && request.effect !== 'send') return `item ${itemIndex}`;

	const recipient = typeof to === 'string' ? phoneKeyOf(to) : JSON.stringify(to);
	return `${gateway.token} ${recipient}`;
}

/** Processes one item, and never throws; undefined if `signal` has ended its wait. */
export async function processItem(
	context: IExecuteFunctions,
	{ operation: { perform } }: Chosen,
	{ itemIndex, gateway, values, request }: PreparedItem,
	signal: AbortSignal,
): Promise<ItemResult | undefined> {
	const { messagesPerMinute, timeout } = values.options as Record<string, number | undefined>;
	const timeoutMs = timeout && timeout * 1000;

	const wait = async (milliseconds: number): Promise<void> => {
		if (milliseconds > 0) await pauseFor(milliseconds, signal);
		signal.throwIfAborted();
	};

	/** Whether the gateway may have done something for this item. */
	let hasActed = false;
	const limited = withRateLimit(gateway, wait, messagesPerMinute);
	const call: Gateway['call'] = async (each) => {
		const response = await limited.call({ timeoutMs, ...each });
		if (each.effect !== 'harmless') hasActed = true;
		return response;
	};

	try {
		const item = { context, itemIndex, gateway: { ...gateway, call }, wait };
		const result = perform ? await perform(item, values, request) : await call(request);
		// A retry finds the result in the execution's data: the rest of a response must not get there.
		const { items, file, hint }: Result = result;
		return { result: { items, file, hint } };
	} catch (error) {
		const isStopped = signal.aborted && error === signal.reason;
		if (isStopped) return undefined;
		return { failure: tellOutcome(readFailure(error, hasActed), request.effect) };
	}
}

function readFailure(error: unknown, hasActed = false): Failure {
	if (error instanceof GatewayError) return error.failure;
	const { message, description } = error as Partial<NodeOperationError>;
	return {
		message: message ?? '',
		description: description ?? '',
		outcome: hasActed ? 'unknown' : 'rejected',
		retryable: false,
	};
}
