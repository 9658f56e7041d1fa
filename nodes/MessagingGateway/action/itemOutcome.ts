import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import {
	failureOf,
	keepMessage,
	markFailure,
	type Failure,
	type GatewayError,
} from '../api/failure';
import type { Result } from '../operations/operation';

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
