import type { INode, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { GatewayError } from '../api/failure';
import { isFailure, reviveError, type ItemFailure, type ItemOutcome } from './itemOutcome';

/** By item index; undefined for an item that was not worked on. */
type Outcomes = Array<ItemOutcome | undefined>;

/** What the node puts out, each item linked to the one it came of. */
export function toItems(outcomes: Outcomes): INodeExecutionData[] {
	return outcomes.flatMap((outcome, item) => {
		if (outcome === undefined) return [];
		if (isFailure(outcome))
			return [{ json: describeFailure(outcome.failure, item), pairedItem: { item } }];
		return outcome.result.items.map((json) => ({ json, pairedItem: { item } }));
	});
}

/**
 * n8n replaces the whole json of an item with an `error` property by its message, and knows an item for its
 * error output by its json: only where that has no other key than `error` do all versions of n8n know it.
 */
function describeFailure(
	{ message, description, outcome, status }: ItemFailure,
	itemIndex: number,
) {
	return { error: { message, description, outcome, status, itemIndex } };
}

/** The error of the first item that failed; in a batch it says what became of the others. */
export function toError(node: INode, outcomes: Outcomes, first: number): GatewayError {
	const { failure } = outcomes[first] as { failure: ItemFailure };
	if (outcomes.length === 1) return reviveError(node, failure, first);
	const failed = outcomes.filter(isFailure).length;
	const notTried = outcomes.filter((outcome) => outcome === undefined).length;
	const done = outcomes.length - failed - notTried;
	const progress = `Of ${outcomes.length} items, ${done} succeeded, ${failed} did not (the first is item ${first + 1}), and ${notTried} were not tried.`;
	const description = [failure.description, progress].filter(Boolean).join(' ');
	return reviveError(node, { ...failure, description }, first);
}

/** What a person should look at although it succeeded, each once. */
export function gatherHints(outcomes: Outcomes): NodeExecutionHint[] {
	const hints = outcomes.flatMap((outcome) =>
		outcome && 'result' in outcome && outcome.result.hint !== undefined
			? [outcome.result.hint]
			: [],
	);
	return [...new Set(hints)].map((message) => ({ message, location: 'outputPane' }));
}
