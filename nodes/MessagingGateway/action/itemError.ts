import { ExpressionError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { Effect } from '../api/exchange';
import { failureOf, keepMessage, markFailure, type GatewayError } from '../api/failure';
import { LONGEST_WORDS, toPlainText } from '../api/plainText';
import { appendSentence, putOutcomeIntoWords } from '../api/words';
import type { Operation } from '../operations/operation';
import { Cancelled } from './rateLimiter';

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
