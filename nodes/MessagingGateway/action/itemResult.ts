import type {
	IDataObject,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { joinSentences, toNodeError, type Failure } from '../gateway/failure';
import type { Result } from '../operations/operation';

export type ItemResult = { result: Result } | { failure: Failure };

/** By item index; undefined for an item that was not tried. */
export type ItemResults = Array<ItemResult | undefined>;

export function isFailed(result: ItemResult | undefined): result is { failure: Failure } {
	return result !== undefined && 'failure' in result;
}

/**
 * The output of all items that were tried, in their order.
 *
 * @param outputOfFailure gives the output of a failed item
 */
export function toItems(
	results: ItemResults,
	outputOfFailure: (error: IDataObject, itemIndex: number) => IDataObject,
): INodeExecutionData[] {
	return results.flatMap((result, itemIndex): INodeExecutionData[] => {
		if (result === undefined) return [];

		const pairedItem = { item: itemIndex };
		if (isFailed(result)) {
			const { message, description, outcome, status = '' } = result.failure;
			// n8n recognizes an item for the error output by its one key `error`.
			const error = { message, description, outcome, status: String(status), itemIndex };
			return [{ json: outputOfFailure(error, itemIndex), pairedItem }];
		}

		const { items, file } = result.result;
		if (file === undefined) return items.map((json) => ({ json, pairedItem }));
		return items.map((json) => ({ json, binary: { data: file }, pairedItem }));
	});
}

/** The error of the first item with an unknown outcome, or else of the first that failed. */
export function toError(node: INode, results: ItemResults): NodeApiError | NodeOperationError {
	const failed: Array<{ index: number; failure: Failure }> = [];
	for (const [index, result] of results.entries()) {
		if (isFailed(result)) failed.push({ index, failure: result.failure });
	}

	const unknown = failed.find(({ failure }) => failure.outcome === 'unknown');
	const { index, failure } = unknown ?? failed[0];
	if (results.length === 1) return toNodeError(node, failure, index);

	const untried = results.filter((result) => result === undefined).length;
	const done = results.length - failed.length - untried;
	const summary = `Of ${results.length} items, ${done} succeeded, ${failed.length} did not (the first is item ${failed[0].index + 1}), and ${untried} were not tried.`;
	const description = joinSentences(failure.description, summary);
	return toNodeError(node, { ...failure, description }, index);
}
