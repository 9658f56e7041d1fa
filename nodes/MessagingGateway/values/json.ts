import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, not an array. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that holds an object; undefined if it holds anything else. */
export function objectIn(parent: IDataObject | undefined, field: string): IDataObject | undefined {
	const value = parent?.[field];
	return isObject(value) ? value : undefined;
}

/** A field that holds a text; undefined if it holds anything else. */
export function textIn(parent: IDataObject | undefined, field: string): string | undefined {
	const value = parent?.[field];
	return typeof value === 'string' ? value : undefined;
}

/** Milliseconds of a time, which is UTC if it names no zone; undefined if the text is no time. */
export function parseTime(text = ''): number | undefined {
	const hasNoZone = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(text);
	const time = Date.parse(hasNoZone ? `${text}Z` : text);
	return Number.isNaN(time) ? undefined : time;
}

/**
 * A text without halves of a pair of UTF-16, as `slice` leaves them of an emoji. They are no Unicode:
 * a strict gateway refuses the whole message.
 */
export function toWellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '');
}

/** JSON whose texts are all well formed. */
export function writeJson(value: unknown): string {
	return JSON.stringify(value, (_name, each: unknown) =>
		typeof each === 'string' ? toWellFormed(each) : each,
	);
}
