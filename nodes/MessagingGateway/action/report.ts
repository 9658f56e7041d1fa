import type { INode, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { GatewayError } from '../api/failure';
import { LONGEST_WORDS, toPlainText } from '../api/plainText';
import { appendSentence } from '../api/words';
import { isFailure, reviveError, type ItemFailure, type ItemOutcome } from './itemOutcome';

/** By item index; undefined for an item that was not worked on. */
type Outcomes = Array<ItemOutcome | undefined>;

/** What the node puts out, each item linked to the one it came of. */
export function toItems(outcomes: Outcomes): INodeExecutionData[] {
	return outcomes.flatMap((outcome, item) => {
		if (outcome === undefined) return [];
		if (isFailure(outcome))
			return [{ json: describeFailure(outcome.failure, item), pairedItem: { item } }];
		const { items, file } = outcome.result;
		const binary = file && { data: file };
		return items.map((json) => ({ json, ...(binary && { binary }), pairedItem: { item } }));
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

/**
 * The error of the first item that failed, or rather of the first that may have been done all the same, since whoever
 * reads only one should read that; in a batch it says what became of the others.
 */
export function toError(node: INode, outcomes: Outcomes): GatewayError {
	const failures = [...outcomes.entries()].flatMap(([at, outcome]) =>
		isFailure(outcome) ? [{ index: at, failure: outcome.failure }] : [],
	);
	const [first] = failures;
	const { index, failure } = failures.find((one) => one.failure.outcome === 'unknown') ?? first;
	if (outcomes.length === 1) return reviveError(node, failure, index);
	const failed = failures.length;
	const notTried = outcomes.filter((outcome) => outcome === undefined).length;
	const done = outcomes.length - failed - notTried;
	const progress = `Of ${outcomes.length} items, ${done} succeeded, ${failed} did not (the first is item ${first.index + 1}), and ${notTried} were not tried.`;
	const description = [failure.description, progress].filter(Boolean).join(' ');
	const message =
		done > 0
			? appendSentence(failure.message, `${done} of ${outcomes.length} items succeeded.`)
			: failure.message;
	return reviveError(node, { ...failure, message, description }, index);
}

/** What a person should look at although it succeeded, each once. */
export function gatherHints(outcomes: Outcomes): NodeExecutionHint[] {
	const hints = outcomes.flatMap((outcome) =>
		outcome && 'result' in outcome && outcome.result.hint !== undefined
			? [toPlainText(outcome.result.hint, LONGEST_WORDS)]
			: [],
	);
	return [...new Set(hints)].map((message) => ({ message, location: 'outputPane' }));
}
