import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { commonOptions } from '../fields/common';
import type { Field } from '../fields/field';
import { readField, readOption } from '../fields/read';
import type { GatewayRequest } from '../gateway/call';
import { fillEndpoint } from '../gateway/endpoints';
import { effectOf, type Operation, type Values } from '../operations/operation';

/**
 * Reads the parameters of one item. A hidden or empty field has no value.
 *
 * @throws {Error} if a value cannot be used
 */
export function readValues(
	context: IExecuteFunctions,
	{ fields, options = commonOptions }: Operation,
	itemIndex: number,
	defaultCountry: string,
): Values {
	const values: Values = { options: {} };
	for (const field of fields) {
		if (field.type === 'notice' || !isShown(field, values)) continue;
		const raw = context.getNodeParameter(field.name, itemIndex, null);
		values[field.name] = readField(raw, field, defaultCountry);
	}
	const added = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	for (const option of options)
		if (isShown(option, values))
			values.options[option.name] = readOption(option, added, defaultCountry);
	return values;
}

/** The request that an operation makes of these values. The credential can override fields and paths. */
export function buildRequest(
	operation: Operation,
	values: Values,
	overrides: Record<string, string>,
): GatewayRequest {
	const { fields, request, expects = 'object' } = operation;
	const effect = effectOf(operation, values);
	if (request === undefined) return { method: 'GET', path: '', effect };
	if (typeof request === 'function') return request(values);
	const parts: Record<'body' | 'query' | 'path', IDataObject> = { body: {}, query: {}, path: {} };
	for (const { in: part, name, as = name } of fields) {
		if (part === undefined || values[name] === undefined) continue;
		parts[part][typeof as === 'string' ? as : overrides[as.override]] = values[name];
	}
	const { body, query, path } = parts;
	return {
		...fillEndpoint(request, overrides, path),
		query,
		...(Object.keys(body).length > 0 && { body }),
		effect,
		expects,
	};
}

// n8n shows a field for all items if its condition is an expression.
function isShown({ displayOptions }: Field, values: Values): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
		wanted?.some((value) => value === values[name.replace(/^\//, '')]),
	);
}
