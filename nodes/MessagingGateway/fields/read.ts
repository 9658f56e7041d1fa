import { jsonParse, type IDataObject } from 'n8n-workflow';
import { quote } from '../gateway/failure';
import { isObject, textIn } from '../values/json';
import type { Field } from './field';

const NESTED = ['collection', 'fixedCollection', 'json', 'multiOptions'];

/** Reads the value of a field, or its default if it is empty. Throws an error that names it. */
export function readField(raw: unknown, field: Field, defaultCountry = ''): IDataObject[string] {
	const { displayName, type, isList, required, default: missing, parse } = field;
	const isLocator = type === 'resourceLocator' && isObject(raw);
	const given = toText(isLocator ? raw.value : raw);
	const value = isList && !isBlank(given) ? splitCommas(given) : given;
	if (isBlank(value) || (required && Array.isArray(value) && value.length === 0)) {
		if (required)
			throw new Error(`'${displayName}' is empty. Fill it in, or check its expression.`);
		return isBlank(missing) ? undefined : readField(missing, field, defaultCountry);
	}
	if (typeof value === 'object' && !isList && !NESTED.includes(type))
		throw new Error(`'${displayName}' must be one value, no list or object. Check its expression.`);
	const mode = isLocator ? textIn(raw, 'mode') : undefined;
	try {
		if (type === 'options') requireChoice(value, field);
		if (type === 'boolean') return readFlag(value);
		if (parse) return parse(value, { mode, defaultCountry }) as IDataObject[string];
	} catch (error) {
		const { message } = error as Error;
		throw message.includes(displayName) ? error : new Error(`'${displayName}': ${message}`);
	}
	return isList || type !== 'string' ? (value as IDataObject[string]) : String(value);
}

/** Reads an option of a collection. If it is not added, it has its default. */
export function readOption(option: Field, added: IDataObject, defaultCountry?: string) {
	const required = option.required && option.name in added;
	return readField(added[option.name], { ...option, required }, defaultCountry);
}

/** Reads a group. An empty one counts as not added, `{ values: {} }` has its defaults. */
export function readGroup(value: unknown, name: string, fields: Field[]): IDataObject | undefined {
	const group = isObject(value) ? value.values : value;
	if (group === undefined) return undefined;
	if (isObject(group))
		return Object.fromEntries(fields.map((field) => [field.name, readOption(field, group)]));
	throw new Error(
		`'${name}' holds no values. Remove it, or write it as { "values": { … } } with its fields.`,
	);
}

/** The texts and numbers in an array, in an array written as JSON, or in a text with commas. */
export function splitCommas(values: unknown): string[] {
	const isJson = typeof values === 'string' && values.trim().startsWith('[');
	return [isJson ? jsonParse<unknown>(values, { fallbackValue: values }) : values]
		.flat()
		.flatMap((part) =>
			typeof part === 'string' || typeof part === 'number' ? String(part).split(',') : [],
		)
		.map((value) => value.trim())
		.filter((value) => value !== '');
}

function isBlank(value: unknown): boolean {
	return value === null || value === undefined || (typeof value === 'string' && !value.trim());
}

// A date, such as `{{ $now }}`, is an object.
function toText(value: unknown): unknown {
	const { toJSON } = (value ?? {}) as Partial<Date>;
	return typeof toJSON === 'function' ? toJSON.call(value) : value;
}

/** Reads a switch, also from a text. Throws if the value is neither true nor false. */
export function readFlag(value: unknown): boolean {
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Error(`${quote(value)} is neither true nor false. Check the expression of the switch.`);
}

function requireChoice(value: unknown, { displayName, options = [] }: Field): void {
	const choices = options.map((option) => ('value' in option ? option.value : option.name));
	if (choices.includes(value as string)) return;
	throw new Error(`${quote(value)} cannot be '${displayName}'. Use ${choices.join(', ')}.`);
}
