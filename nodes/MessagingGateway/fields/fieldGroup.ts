import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/answer';

/**
 * The fields of a group that appears once, which n8n keeps one level deeper: `{ values: { … } }`.
 *
 * @returns no fields where the value is no such group
 */
export function readGroup(value: unknown): IDataObject {
	const group = isObject(value) ? value.values : undefined;
	return isObject(group) ? group : {};
}
