import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { commonOptions } from '../fields/common';
import type { Field } from '../fields/field';
import { parseFlag } from '../fields/parse';
import type { GatewayRequest } from '../gateway/call';
import { fillEndpoint } from '../gateway/endpoints';
import { quote } from '../gateway/plainText';
import { isObject } from '../json';
import { effectOf, type Operation, type Values } from '../operations/operation';

/**
 * The parameters of one item, parsed. A field that is hidden, or empty without being required, is left out. An option that
 * is not added has its default.
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
		const value = readField(raw, field, defaultCountry);
		if (value !== undefined) values[field.name] = value;
	}
	const added = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	for (const option of options) {
		const isAdded = option.name in added;
		if (!isShown(option, values) || (!isAdded && option.default === '')) continue;
		const raw = isAdded ? added[option.name] : option.default;
		const value = readField(raw, option, defaultCountry);
		if (value !== undefined) values.options[option.name] = value;
	}
	return values;
}

/** The request that an operation makes of these values. The credential can override fields and paths. */
export function buildRequest(
	operation: Operation,
	values: Values,
	overrides: Record<string, string>,
): GatewayRequest {
	const { fields, request, expects = 'object' } = operation;
	if (typeof request === 'function') return request(values);
	const parts: Record<'body' | 'query' | 'path', IDataObject> = { body: {}, query: {}, path: {} };
	for (const { in: part, name, as = name } of fields) {
		if (part === undefined || values[name] === undefined) continue;
		parts[part][overrides[as] ?? as] = values[name];
	}
	const { body, query, path } = parts;
	return {
		...fillEndpoint(request, overrides, path),
		query,
		...(Object.keys(body).length > 0 && { body }),
		effect: effectOf(operation),
		expects,
	};
}

// n8n shows a field for all items if its condition is an expression.
function isShown({ displayOptions }: Field, values: Values): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
		wanted?.some((value) => value === values[name.replace(/^\//, '')]),
	);
}

function readField(raw: unknown, field: Field, defaultCountry: string): IDataObject[string] {
	const { displayName, type, required, parse } = field;
	const isLocator = isObject(raw) && '__rl' in raw;
	const value = isLocator ? raw.value : raw;
	if (String(value ?? '').trim() === '') {
		// A menu is never empty, but an expression in its place can be.
		if (!required && type !== 'options') return undefined;
		throw new Error(`'${displayName}' is empty. Fill it in, or check its expression.`);
	}
	if (type === 'string' && typeof value === 'object')
		throw new Error(`'${displayName}' must be text. Check its expression.`);
	if (type === 'options') requireChoice(value, field);
	if (type === 'boolean') return parseFlag(value);
	if (parse !== undefined) {
		const mode = isLocator ? String(raw.mode) : undefined;
		return parse(value, { mode, defaultCountry }) as IDataObject[string];
	}
	return type === 'string' ? String(value) : (value as IDataObject[string]);
}

function requireChoice(value: unknown, { displayName, options = [] }: Field): void {
	const choices = options.map((option) => ('value' in option ? option.value : option.name));
	if (choices.includes(value as string)) return;
	throw new Error(`${quote(value)} cannot be '${displayName}'. Use ${choices.join(', ')}.`);
}
