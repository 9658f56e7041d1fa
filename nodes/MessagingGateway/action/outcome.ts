import type { INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { joinSentences, toNodeError, type Failure } from '../api/failure';
import type { Result } from '../operations/operation';

export type Outcome = { result: Result } | { failure: Failure };

/** By item index; undefined for an item that was not tried. */
export type Outcomes = Array<Outcome | undefined>;

export function isFailed(outcome: Outcome | undefined): outcome is { failure: Failure } {
	return outcome !== undefined && 'failure' in outcome;
}

export function toItems(outcomes: Outcomes): INodeExecutionData[] {
	return outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
		if (outcome === undefined) return [];
		const pairedItem = { item: itemIndex };
		if (isFailed(outcome)) {
			const { message, description, outcome: became, status = '' } = outcome.failure;
			// n8n recognises an item for the error output by this one key.
			const error = { message, description, outcome: became, status: String(status), itemIndex };
			return [{ json: { error }, pairedItem }];
		}
		const { items, file } = outcome.result;
		return items.map((json) => ({ json, ...(file && { binary: { data: file } }), pairedItem }));
	});
}

/**
 * The error of the first item that may have been done, or else of the first that failed. With several items it tells what
 * became of the others.
 */
export function toError(node: INode, outcomes: Outcomes): NodeApiError | NodeOperationError {
	const failed = [...outcomes.entries()].flatMap(([index, outcome]) =>
		isFailed(outcome) ? [{ index, failure: outcome.failure }] : [],
	);
	const { index, failure } = failed.find((each) => each.failure.outcome === 'unknown') ?? failed[0];
	if (outcomes.length === 1) return toNodeError(node, failure, index);
	const untried = outcomes.filter((outcome) => outcome === undefined).length;
	const done = outcomes.length - failed.length - untried;
	const summary = `Of ${outcomes.length} items, ${done} succeeded, ${failed.length} did not (the first is item ${failed[0].index + 1}), and ${untried} were not tried.`;
	const description = joinSentences(failure.description, summary);
	return toNodeError(node, { ...failure, description }, index);
}
