import type { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isObject } from './answer';

/**
 * What became of a request that did not succeed: `rejected`, the service certainly did not act on it;
 * `unknown`, it may have (API document, "Endpoint rules" 2).
 */
export type Outcome = 'rejected' | 'unknown';

export interface Failure {
	outcome: Outcome;
	/** Whether the same request can succeed a little later, with nothing changed. */
	passing: boolean;
	/** How long the service asked to be left alone. */
	retryAfterMs?: number;
}

/** An error in n8n's own form, which carries its `Failure` in its context. */
export type GatewayError = NodeApiError | NodeOperationError;

/** What became of the request behind an error, if it is one of ours. */
export function failureOf(error: unknown): Failure | undefined {
	const context = isObject(error) && isObject(error.context) ? error.context : {};
	return context.outcome === undefined ? undefined : (context as unknown as Failure);
}

/**
 * Gives an error its message back: where a text holds the name of a network error, such as ECONNRESET, n8n puts words
 * of its own in its place, which tell nothing of the outcome and may advise to try again.
 */
export function keepMessage<T extends GatewayError>(error: T, message: string): T {
	error.message = message;
	return error;
}

/** Notes on an error what became of its request. */
export function markFailure<T extends GatewayError>(error: T, failure: Failure): T {
	Object.assign(error.context, failure);
	return error;
}
