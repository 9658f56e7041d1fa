import type { INodeProperties } from 'n8n-workflow';
import { quote } from '../gateway/failure';
import { readGroup } from './read';
import type { Field, NamedField } from './types';

export type { Field };

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

// n8n's lint wants the display name first.

/** A text, empty by default. */
export function stringField({ displayName, name, ...others }: NamedField): Field {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		...others,
	};
}

/** A required text of the body, unless the field says otherwise. */
export function textField(settings: NamedField): Field {
	return stringField({
		required: true,
		in: 'body',
		...settings,
	});
}

/** A required ID of the body, without blanks or line breaks at its ends. */
export function idField(settings: NamedField): Field {
	return {
		...textField(settings),
		parse: (value) => String(value).trim(),
	};
}

/** A switch, off by default. */
export function flagField({ displayName, name, ...others }: NamedField): Field {
	return {
		displayName,
		name,
		type: 'boolean',
		default: false,
		...others,
	};
}

type NumberField = Field & { parse(value: unknown): number };

type NumberSettings = NamedField & {
	/** The least and the greatest value. */
	range: [number, number];
	isWhole?: boolean;
	/** A sentence behind a refusal: another way to what the person may want. */
	otherWay?: string;
};

/** A number with bounds, which hold in the editor and for expressions. */
export function numberField(settings: NumberSettings): NumberField {
	const { displayName, name, range, isWhole = false, otherWay, ...others } = settings;
	const [minValue, maxValue] = range;

	const parse = (value: unknown): number => {
		const number = toNumber(value);
		const isInRange = number >= minValue && number <= maxValue;
		if (isInRange && (!isWhole || Number.isInteger(number))) return number;

		const kind = isWhole ? 'whole number' : 'number';
		const advice = `Enter a ${kind} from ${minValue} to ${maxValue}.`;
		const sentences = [`${quote(value)} cannot be '${displayName}'.`, advice, otherWay];
		throw new Error(sentences.filter(Boolean).join(' '));
	};

	return {
		displayName,
		name,
		type: 'number',
		default: 0,
		typeOptions: { minValue, maxValue },
		...others,
		parse,
	};
}

function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	const isText = typeof value === 'string' && value.trim() !== '';
	return isText ? Number(value) : NaN;
}

type GroupSettings = NamedField & { title: string; fields: Field[] };

/** Fields that are added together, at most once. n8n keeps them as `{ values: { … } }`. */
export function groupField(settings: GroupSettings): Field {
	const { displayName, name, title, fields, ...others } = settings;
	const group = {
		displayName: title,
		name: 'values',
		values: fields.map(toProperty),
	};

	return {
		displayName,
		name,
		type: 'fixedCollection',
		default: {},
		parse: (value) => readGroup(value, displayName, fields),
		...others,
		options: [group],
	};
}
