import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

/** The reason why something was not done. It is plain data, since n8n saves the retry ledger. */
export interface Failure {
	message: string;
	description: string;
	/** `unknown`: it may have been done (API 5.2). */
	outcome: 'rejected' | 'unknown';
	retryable: boolean;
	status?: number;
	retryAfterMs?: number;
}

/** The effect of a request. If its response is lost, only a `harmless` one may be repeated. */
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

/** Adds the outcome of a send or a change: also to the message, the only text that a model sees. */
export function tellOutcome(failure: Failure, effect: Effect): Failure {
	if (effect === 'harmless') return failure;

	const { message, description, outcome } = failure;
	return {
		...failure,
		message: joinSentences(message, OUTCOMES[effect][outcome]),
		description: joinSentences(description, `Outcome: ${outcome}.`),
	};
}

/** n8n's error for a failure. Its message stays as it is, also if it names a network error. */
export function toNodeError(
	node: INode,
	{ message, description, status }: Pick<Failure, 'message' | 'description' | 'status'>,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const plain = toPlainText(message, MAX_LENGTH);
	const options = {
		message: plain,
		description: toPlainText(description, MAX_LENGTH),
		itemIndex,
	};

	const error =
		status === undefined
			? new NodeOperationError(node, plain, options)
			: new NodeApiError(node, { message: plain }, { ...options, httpCode: String(status) });

	// n8n replaces messages that it recognizes, and may advise to try again.
	error.message = plain;
	return error;
}

/** n8n's error where the editor shows the message alone: the message holds the advice. */
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

const SECRET_LIKE = /(svc_(?:acct|inst)_|whsec_)[\w+/=.~:%-]{2,}[\w+/=~%-]/gi;

/**
 * Makes a text from outside harmless. n8n's editor renders errors and hints as HTML, and its log
 * takes a line break for the end of an entry. Tokens and secrets are blanked, also if cut off.
 */
export function toPlainText(text: string, maxLength = 500): string {
	const kept = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
	return kept
		.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.replace(/<(?=[a-z!/?])/gi, '‹')
		.replace(/&(?=#?\w{1,40};)/g, '＆')
		.replace(SECRET_LIKE, '$1…');
}

/** A text from outside in quotation marks, made harmless, at most 100 characters of it. */
export function quote(value: unknown): string {
	return `"${toPlainText(String(value), 100)}"`;
}
