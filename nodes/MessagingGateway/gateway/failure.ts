import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { toPlainText } from './plainText';

/** The reason why something was not done, worded once. It is plain data, since n8n saves the retry ledger. */
export interface Failure {
	message: string;
	description: string;
	/** `rejected`: surely not done. `unknown`: it may have been done (API document, "Endpoint rules" 2). */
	outcome: 'rejected' | 'unknown';
	/** Whether the same request can succeed a little later. */
	retryable: boolean;
	/** Left out if there was no response. */
	status?: number;
	/** The pause that the gateway asks for. */
	retryAfterMs?: number;
}

/** The effect of a request. If the response is lost, only a `harmless` one may simply be repeated. */
export type Effect = 'harmless' | 'change' | 'send';

export class GatewayError extends Error {
	readonly description: string;

	constructor(readonly failure: Failure) {
		super(failure.message);
		this.description = failure.description;
	}
}

/** The error for a request that is not made. */
export function rejection(message: string, description: string, retryable = false): GatewayError {
	return new GatewayError({ message, description, outcome: 'rejected', retryable });
}

/** Longest message, and longest description, in characters. */
export const MAX_LENGTH = 3_000;

const OUTCOMES = {
	send: {
		rejected: 'The message was not sent.',
		unknown: 'The message may have been sent. Check the chat before you send it again.',
	},
	change: {
		rejected: 'The change was not made.',
		unknown: 'The change may have been made. Check at the gateway before you repeat it.',
	},
};

/** Adds the outcome of a send or a change to the description, and to the message, since n8n shows a model nothing else. */
export function tellOutcome(failure: Failure, effect: Effect): Failure {
	if (effect === 'harmless') return failure;
	const { message, description, outcome } = failure;
	return {
		...failure,
		message: joinSentences(message, OUTCOMES[effect][outcome]),
		description: joinSentences(description, `Outcome: ${outcome}.`),
	};
}

/** n8n's error for a failure. Its message is the failure's, also if that names a network error such as ECONNRESET. */
export function toNodeError(
	node: INode,
	{ message, description, status }: Pick<Failure, 'message' | 'description' | 'status'>,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const plain = toPlainText(message, MAX_LENGTH);
	const options = { message: plain, description: toPlainText(description, MAX_LENGTH), itemIndex };
	const error =
		status === undefined
			? new NodeOperationError(node, plain, options)
			: new NodeApiError(node, { message: plain } as JsonObject, {
					...options,
					httpCode: String(status),
				});
	// n8n replaces messages that it recognises, and may advise to try again.
	error.message = plain;
	return error;
}

/** n8n's error where the editor shows the message alone, beside a list or at a publication: the message holds the advice. */
export function toMessageError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const { message: original, description } = error as NodeOperationError;
	const message = joinSentences(original, description ?? '').trim();
	return toNodeError(node, { message, description: '' });
}

/** Joins two texts; the first may or may not end with a mark. */
export function joinSentences(text: string, sentence: string): string {
	const first = text.trim();
	if (first === '') return sentence;
	return /[.!?…]$/.test(first) ? `${first} ${sentence}` : `${first}. ${sentence}`;
}
