import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { fillEndpoint } from '../api/endpoints';
import type { GatewayRequest } from '../api/exchange';
import { quote } from '../api/plainText';
import { CREDENTIAL_TYPES } from '../api/request';
import { chooseName, type Field, type ItemReader } from '../fields/field';
import {
	listOptions,
	type EndpointOperation,
	type Operation,
	type Values,
} from '../operations/operation';
import { findFile } from './files';

/** More than an error can list is never read. */
const MOST_CHOICES_SHOWN = 20;

/**
 * What a person filled in for one item, cleaned and ready to be sent. A field that is not shown, or left
 * empty without being required, is undefined.
 *
 * @throws Error in a person's words if a value cannot be used
 */
export async function readValues(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
): Promise<Values> {
	const item: ItemReader = {
		// For each item, since a credential may hold expressions.
		readDefaultCountry: async () =>
			(await context.getCredentials(CREDENTIAL_TYPES.instance, itemIndex)).defaultCountry,
		findFile: async (field) => await findFile(context, itemIndex, field),
	};
	const values: Values = { options: {} };
	for (const field of operation.fields) {
		if (!isAsked(field, values)) continue;
		const value = await readField(
			context.getNodeParameter(field.name, itemIndex, null),
			field,
			item,
		);
		if (value !== undefined) values[field.name] = value as IDataObject[string];
	}
	// Those that a person has added and filled in: their defaults are only what the editor offers then.
	const added = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	for (const option of listOptions(operation)) {
		if (!(option.name in added) || !isAsked(option, values)) continue;
		const value = await readField(added[option.name], option, item);
		if (value !== undefined) values.options[option.name] = value as IDataObject[string];
	}
	return values;
}

/**
 * Whether a field or option counts, by its own condition on fields before it. n8n shows a field whose condition is an
 * expression, since that may come out differently for each item: for this one it is known here.
 */
function isAsked({ displayOptions }: Field, values: Values): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
		wanted?.some((value) => value === values[name.replace(/^\//, '')]),
	);
}

/** The request that the fields of an operation make of these values. */
export function buildRequest(operation: EndpointOperation, values: Values): GatewayRequest {
	const { options } = values;
	const places: Record<'body' | 'query' | 'path', IDataObject> = { body: {}, query: {}, path: {} };
	let guessOption: string | undefined;
	const place = (field: Field, value: IDataObject[string]): void => {
		if (field.in === undefined || value === undefined) return;
		const guessed = field.guessOption && chooseName(field.guessOption, options);
		places[field.in][guessed ?? field.as ?? field.name] = value;
		guessOption ??= field.guessOption?.displayName;
	};
	for (const field of operation.fields) place(field, values[field.name]);
	for (const option of operation.options ?? []) place(option, options[option.name]);
	return {
		...fillEndpoint(operation.request, places.path),
		query: Object.keys(places.query).length > 0 ? places.query : undefined,
		body: Object.keys(places.body).length > 0 ? places.body : undefined,
		token: operation.token,
		effect: operation.effect,
		guessOption,
	};
}

async function readField(raw: unknown, field: Field, item: ItemReader): Promise<unknown> {
	const isLocator = isObject(raw) && '__rl' in raw;
	const value = field.type === 'string' ? readText(raw, field) : isLocator ? raw.value : raw;
	if (isEmpty(value, field) && !(value === '' && listChoices(field).includes(value))) {
		// A switch without an answer stays as it is, and a menu has no empty choice unless it lists one.
		if (field.type === 'boolean') return field.default;
		if (!field.required && field.type !== 'options') return undefined;
		throw new Error(`${field.displayName} is empty. Fill it in, or check its expression.`);
	}
	if (field.type === 'options') checkChoice(value, field);
	if (field.clean !== undefined)
		return await field.clean(value, isLocator ? String(raw.mode) : undefined, item);
	if (field.required && field.type !== 'options' && typeof value === 'string' && !value.trim()) {
		throw new Error(`${field.displayName} holds only blanks. Fill it in, or check its expression.`);
	}
	return value;
}

/** The menu offers nothing else, but an expression can give anything. */
function checkChoice(value: unknown, field: Field): void {
	const choices = listChoices(field);
	if (choices.includes(value)) return;
	const offered = choices.filter(Boolean);
	const shown = offered.slice(0, MOST_CHOICES_SHOWN).join(', ');
	const rest = offered.length - MOST_CHOICES_SHOWN;
	throw new Error(
		`${quote(value)} is none of the choices of ${field.displayName}: ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`,
	);
}

function listChoices({ options = [] }: Field): unknown[] {
	return options.map((option) => ('value' in option ? option.value : option.name));
}

function readText(raw: unknown, { displayName }: Field): unknown {
	if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
	if (raw === null || raw === undefined || typeof raw === 'string') return raw;
	throw new Error(
		`${displayName} must be text, but the expression gives ${Array.isArray(raw) ? 'a list' : 'an object'}.`,
	);
}

/** In JSON, a list of nothing is a value. */
function isEmpty(value: unknown, { type }: Field): boolean {
	return (
		value === null ||
		value === undefined ||
		value === '' ||
		(type !== 'json' && Array.isArray(value) && value.length === 0)
	);
}
