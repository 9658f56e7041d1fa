import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/answer';

/**
 * The fields of a group that appears once, which n8n keeps one level deeper: `{ values: { … } }`.
 *
 * @param name as a person sees it
 * @throws Error in a person's words if the value is no such group: whoever writes one by hand may mean anything
 */
export function readGroup(value: unknown, name: string): IDataObject {
	const fields = isObject(value) ? (value.values ?? {}) : undefined;
	if (isObject(fields)) return fields;
	throw new Error(`${name} holds no group of fields. Remove it, and add it again in the editor.`);
}
