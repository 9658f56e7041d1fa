import { jsonParse, type IDataObject } from 'n8n-workflow';
import { quote } from '../gateway/failure';
import { isObject, textIn } from '../values/json';
import type { Field, ParseContext } from './types';

/** Types of fields whose value may be an object or an array. */
const NESTED = ['collection', 'fixedCollection', 'json', 'multiOptions'];

/** Reads the value of a field, or its default if it is empty. Throws an error that names it. */
export function readField(raw: unknown, field: Field, defaultCountry = ''): IDataObject[string] {
	const { displayName, type, isList, required } = field;
	const isLocator = type === 'resourceLocator' && isObject(raw);
	const mode = isLocator ? textIn(raw, 'mode') : undefined;
	const given = toText(isLocator ? raw.value : raw);

	return naming(displayName, () => {
		const value = isList && !isBlank(given) ? readList(given, displayName) : given;
		const isEmptyList = Array.isArray(value) && value.length === 0;

		if (isBlank(value) || (required && isEmptyList)) {
			return readDefault(field, defaultCountry);
		}

		const isNested = isList || NESTED.includes(type);
		if (typeof value === 'object' && !isNested) {
			throw new Error(
				`'${displayName}' must be one value, no list or object. Check its expression.`,
			);
		}

		return parseValue(value, field, { mode, defaultCountry });
	});
}

function readDefault(field: Field, defaultCountry: string): IDataObject[string] {
	if (field.required) {
		throw new Error(`'${field.displayName}' is empty. Fill it in, or check its expression.`);
	}
	return isBlank(field.default) ? undefined : readField(field.default, field, defaultCountry);
}

function parseValue(value: unknown, field: Field, context: ParseContext): IDataObject[string] {
	const { type, isList, parse } = field;
	if (type === 'options') requireChoice(value, field);
	if (type === 'boolean') return readFlag(value);
	if (parse) return parse(value, context) as IDataObject[string];

	const isText = type === 'string' && !isList;
	return isText ? String(value) : (value as IDataObject[string]);
}

/** Puts the name of the field before the words of an error that lacks it. */
function naming<T>(name: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		const { message } = error as Error;
		throw message.includes(name) ? error : new Error(`'${name}': ${message}`);
	}
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

	if (isObject(group)) {
		return Object.fromEntries(fields.map((field) => [field.name, readOption(field, group)]));
	}

	throw new Error(
		`'${name}' holds no values. Remove it, or write it as { "values": { … } } with its fields.`,
	);
}

/** The texts and numbers in an array, in an array written as JSON, or in a text with commas. */
export function splitCommas(values: unknown): string[] {
	return partsOf(values)
		.flatMap((part) => (isTextOrNumber(part) ? String(part).split(',') : []))
		.map((value) => value.trim())
		.filter((value) => value !== '');
}

/** An object that was left out would shorten the list without a word. */
function readList(values: unknown, name: string): string[] {
	if (partsOf(values).some(isObject)) {
		throw new Error(
			`'${name}' holds an object. Give the text in it, such as its id: {{ $json.id }}.`,
		);
	}
	return splitCommas(values);
}

function partsOf(values: unknown): unknown[] {
	const isJson = typeof values === 'string' && values.trim().startsWith('[');
	const parsed = isJson ? jsonParse<unknown>(values, { fallbackValue: values }) : values;
	return [parsed].flat();
}

function isTextOrNumber(value: unknown): boolean {
	return typeof value === 'string' || typeof value === 'number';
}

function isBlank(value: unknown): boolean {
	return value === null || value === undefined || (typeof value === 'string' && !value.trim());
}

/** A date, such as `{{ $now }}`, is an object. */
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
