import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Reads a parameter of an item, or gives `missing` if the node has none of this name.
 *
 * n8n would then go through the properties of the node until it finds this one, to validate the value
 * by its `validateType` (`validateValueAgainstSchema` of n8n-core). No property of this package has a
 * `validateType`, the action node has two hundred properties, and a bulk has thousands of items.
 */
export function readParameter(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	missing: object | null,
): unknown {
	return context.getNodeParameter(name, itemIndex, missing, { skipValidation: true });
}
