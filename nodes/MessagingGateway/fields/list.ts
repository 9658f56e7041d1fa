import { quote } from '../api/plainText';
import type { Field } from './field';
import { readFlag } from './typed';

/** How much of a list is put out. The gateway shows no paging, so this is decided after the answer. */
export const listFields: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		clean: readFlag,
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
		clean: readLimit,
	},
];

/** @throws Error in a person's words if it is not at least one */
function readLimit(value: unknown): number {
	const limit = Number(value);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw new Error(`${quote(value)} cannot be the limit. Enter a whole number of at least 1.`);
}
