import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import type { GatewayAnswer, GatewayRequest } from './exchange';
import { markFailure, type Failure, type Outcome } from './failure';
import { judgeLoss } from './loss';
import { adviseOnOutcome, adviseOnStatus, chooseMessage, putLossIntoWords } from './words';

export interface ExplainOptions {
	itemIndex?: number;
	/** The operation's name as the person sees it, e.g. "Send Text". */
	operation?: string;
}

/**
 * Puts an answer that is no success into words: the service's own text as the message; status, request and
 * what to do as the description (API document, "Errors").
 */
export function explainAnswer(
	node: INode,
	request: GatewayRequest,
	answer: GatewayAnswer,
	options: ExplainOptions = {},
): NodeApiError {
	const { status } = answer;
	// "See Other" is how a server points to the result of what it has done.
	const refused = status >= 300 && status < 500 && status !== 303;
	const outcome: Outcome = refused || request.effect === 'read' ? 'rejected' : 'unknown';
	const parts = [
		`HTTP ${status} from ${request.method} ${answer.path}${options.operation ? ` (${options.operation})` : ''}.`,
		adviseOnStatus(request, answer),
		adviseOnOutcome(request, outcome),
	];
	return raise(node, chooseMessage(answer), parts, options.itemIndex, String(status), {
		outcome,
		passing: !refused || status === 408 || status === 425 || status === 429,
		retryAfterMs: readRetryAfter(answer.headers['retry-after']),
	});
}

/** Puts a request without an answer into words, from whatever n8n's helper threw. */
export function explainLostAnswer(
	node: INode,
	request: GatewayRequest,
	thrown: unknown,
	options: { baseUrl: string; itemIndex?: number },
): NodeApiError {
	const { baseUrl } = options;
	const loss = judgeLoss(thrown);
	const { outcome, passing } = loss;
	// A read that got lost has changed nothing.
	const failure: Failure = { outcome: request.effect === 'read' ? 'rejected' : outcome, passing };
	const [message, advice] = putLossIntoWords(loss, baseUrl);
	const parts = [
		`${request.method} ${request.path}:`,
		advice,
		adviseOnOutcome(request, failure.outcome),
	];
	return raise(node, message, parts, options.itemIndex, undefined, failure);
}

function raise(
	node: INode,
	message: string,
	parts: Array<string | undefined>,
	itemIndex: number | undefined,
	httpCode: string | undefined,
	failure: Failure,
): NodeApiError {
	// Only our own words go in: what n8n's helper throws holds the request, token included.
	const error = new NodeApiError(node, { message } as JsonObject, {
		message,
		description: parts.filter((part) => part !== undefined).join(' '),
		httpCode,
		itemIndex,
	});
	return markFailure(error, failure);
}

function readRetryAfter(header: string | undefined): number | undefined {
	if (header === undefined) return undefined;
	const seconds = /^\d+$/.test(header.trim())
		? Number(header)
		: (Date.parse(header) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
