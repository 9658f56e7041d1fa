import type { INodeProperties } from 'n8n-workflow';
import { quote } from '../gateway/failure';
import { readGroup } from './read';

export interface ParseContext {
	mode?: string;
	/** The credential's *Default Country*, as `readPhone` takes it. */
	defaultCountry: string;
}

/** A parameter of the node, with its place in the request. */
export type Field = INodeProperties & {
	in?: 'body' | 'query' | 'path';
	/** The name there, or the credential's field that holds it; the parameter's name if left out. */
	as?: string | { override: string };
	/** Whether the value is a list: an array, also as JSON, or a text with commas. */
	isList?: boolean;
	parse?: (value: unknown, context: ParseContext) => unknown;
};

export type NamedField = Pick<Field, 'displayName' | 'name'> & Partial<Field>;

/** n8n's own part of a field. */
export function toProperty(field: Field): INodeProperties {
	const property = { ...field };
	delete property.in;
	delete property.as;
	delete property.isList;
	delete property.parse;
	return property;
}

/** The options of a collection. If one is required, n8n demands it even if it is not added. */
export function toOptions(fields: Field[]): INodeProperties[] {
	return fields.map((field) => ({ ...toProperty(field), required: undefined }));
}

/** A text, empty by default. */
export function stringField({ displayName, name, ...others }: NamedField): Field {
	return { displayName, name, type: 'string', default: '', ...others };
}

/** A required text of the body, unless the field says otherwise. */
export function textField(settings: NamedField): Field {
	return stringField({ required: true, in: 'body', ...settings });
}

/** A required ID of the body, without blanks or line breaks at its ends. */
export function idField(settings: NamedField): Field {
	return { ...textField(settings), parse: (value) => String(value).trim() };
}

/** A switch, off by default. */
export function flagField({ displayName, name, ...others }: NamedField): Field {
	return { displayName, name, type: 'boolean', default: false, ...others };
}

type NumberField = Field & { parse(value: unknown): number };
type NumberSettings = NamedField & { range: [number, number]; isWhole?: boolean };

/** A number with bounds, which hold in the editor and for expressions. */
export function numberField(settings: NumberSettings): NumberField {
	const { displayName, name, range, isWhole = false, ...others } = settings;
	const [minValue, maxValue] = range;
	const parse = (value: unknown): number => {
		const isText = typeof value === 'string' && value.trim() !== '';
		const number = isText || typeof value === 'number' ? Number(value) : NaN;
		const isInRange = number >= minValue && number <= maxValue;
		if (isInRange && (!isWhole || Number.isInteger(number))) return number;
		throw new Error(
			`${quote(value)} cannot be '${displayName}'. Enter a ${isWhole ? 'whole number' : 'number'} from ${minValue} to ${maxValue}.`,
		);
	};
	const typeOptions = { minValue, maxValue };
	return { displayName, name, type: 'number', default: 0, typeOptions, ...others, parse };
}

/** Fields that are added together, at most once. n8n keeps them as `{ values: { … } }`. */
export function groupField(settings: NamedField & { title: string; fields: Field[] }): Field {
	const { displayName, name, title, fields, ...others } = settings;
	const options = [{ displayName: title, name: 'values', values: fields.map(toProperty) }];
	const parse: Field['parse'] = (value) => readGroup(value, displayName, fields);
	return { displayName, name, type: 'fixedCollection', default: {}, parse, ...others, options };
}
