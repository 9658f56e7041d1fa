import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { DATA_FIELD } from './assumptions';

/** The value of `data`, or the bare body if there is no `data` (assumption A6). */
export function readResult(body: unknown): unknown {
	return isObject(body) && DATA_FIELD in body ? body[DATA_FIELD] : body;
}

/**
 * The elements of a list (assumption A5): the array in `data`, the first array inside it, or the bare array.
 * `null` and `{}` are empty lists. Undefined if something else came.
 */
export function readList(body: unknown): IDataObject[] | undefined {
	const result = readResult(body);
	if (result === null || (isObject(result) && Object.keys(result).length === 0)) return [];
	const list = isObject(result) ? Object.values(result).find(Array.isArray) : result;
	if (!Array.isArray(list)) return undefined;
	return list.map((element: unknown) =>
		isObject(element) ? element : ({ id: element } as IDataObject),
	);
}

/** A 2xx body must hold a list, an object, or an object with a string in this field. */
export type Expected = 'list' | 'object' | 'messageId' | 'secret';

/** One object, or the elements of a list; undefined if the body does not hold what the request expects. */
export function readItems(body: unknown, expects: Expected): IDataObject[] | undefined {
	if (expects === 'list') return readList(body);
	const result = readResult(body);
	if (!isObject(result)) return undefined;
	return expects === 'object' || typeof result[expects] === 'string' ? [result] : undefined;
}

/** The display name of a list's element (assumption A5). */
export function displayNameOf({ name, subject }: IDataObject, id: string): string {
	const isLabel = (value: unknown) => typeof value === 'string' && value.trim() !== '';
	return String([name, subject].find(isLabel) ?? id);
}
