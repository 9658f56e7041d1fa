import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import type { Effect } from '../api/exchange';
import {
	failureOf,
	keepMessage,
	markFailure,
	type Failure,
	type GatewayError,
} from '../api/failure';
import { LONGEST_WORDS, toPlainText } from '../api/plainText';
import { appendSentence, putOutcomeIntoWords } from '../api/words';
import type { Operation, Result } from '../operations/operation';
import { Cancelled } from './rateLimiter';

/** What became of one item: what it puts out, or why it cannot. */
export type ItemOutcome = { result: Result } | { failure: ItemFailure };

/**
 * What an error says, without its weight: n8n's own errors carry a copy of the node each, too much to keep
 * ten thousand of, and to save with an execution.
 */
export interface ItemFailure extends Pick<Failure, 'outcome' | 'passing'> {
	message: string;
	description: string;
	/** The status that the service answered, empty if there was no answer. */
	status: string;
	/** Whether it came of a request, and not of what was filled in. */
	fromRequest: boolean;
}

/** What an item's requests have come to, should something be thrown that says nothing of it. */
export interface Trace {
	/** What the last request did that was not only to read. */
	acted?: Effect;
}

/**
 * What is said of whatever was thrown. What is neither an answer of the gateway nor the loss of one was not foreseen, or
 * thrown before any request.
 */
export function toNodeError(
	context: IExecuteFunctions,
	{ effect }: Operation,
	itemIndex: number,
	thrown: unknown,
	{ acted }: Trace,
): GatewayError {
	if (failureOf(thrown) !== undefined) return thrown as GatewayError;
	const error =
		thrown instanceof NodeOperationError
			? thrown
			: new NodeOperationError(context.getNode(), sayWhy(thrown as Error), { itemIndex });
	if (acted !== undefined) {
		const [told, advice] = putOutcomeIntoWords(acted, 'unknown') ?? [];
		error.description = advice;
		return markFailure(keepMessage(error, appendSentence(error.message, told)), {
			outcome: 'unknown',
			passing: false,
		});
	}
	if (effect !== 'none' && !(thrown instanceof Cancelled))
		error.description ??= 'Nothing was sent for this item.';
	return markFailure(error, { outcome: 'rejected', passing: false });
}

/** The values that our own words quote may come from a message; those of n8n have links that it means. */
function sayWhy(thrown: Error): Error | string {
	return thrown instanceof ExpressionError ? thrown : toPlainText(thrown.message, LONGEST_WORDS);
}

/** Reduces an error to what a person is told and the next try must know. */
export function noteFailure(error: GatewayError): ItemFailure {
	const { outcome, passing } = failureOf(error) ?? { outcome: 'unknown', passing: false };
	const fromRequest = error instanceof NodeApiError;
	return {
		message: error.message,
		description: error.description ?? '',
		status: (fromRequest && error.httpCode) || '',
		fromRequest,
		outcome,
		passing,
	};
}

/** Makes the error again that was noted, for n8n to show. */
export function reviveError(node: INode, failure: ItemFailure, itemIndex: number): GatewayError {
	const { message, description, status, fromRequest, outcome, passing } = failure;
	const words = { message, description, itemIndex };
	const error = fromRequest
		? new NodeApiError(node, { message } as JsonObject, { ...words, httpCode: status || undefined })
		: new NodeOperationError(node, message, words);
	return markFailure(keepMessage(error, message), { outcome, passing });
}

export function isFailure(outcome: ItemOutcome | undefined): outcome is { failure: ItemFailure } {
	return outcome !== undefined && 'failure' in outcome;
}

/** Whether the item was certainly not sent, and the same request can succeed a little later. */
export function canBeRepeated(outcome: ItemOutcome | undefined): boolean {
	return isFailure(outcome) && outcome.failure.outcome === 'rejected' && outcome.failure.passing;
}
