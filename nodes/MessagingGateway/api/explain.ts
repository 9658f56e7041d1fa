import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { nameGateway } from './address';
import { readAnswerDate, type GatewayAnswer, type GatewayRequest } from './exchange';
import { keepMessage, markFailure, type Failure, type Outcome } from './failure';
import { FILE_UNREAD, judgeLoss } from './loss';
import { LONGEST_WORDS, toPlainText } from './plainText';
import { StreamedBody } from './streamedBody';
import {
	adviseOnStatus,
	appendSentence,
	chooseMessage,
	putLossIntoWords,
	putOutcomeIntoWords,
} from './words';

interface ExplainOptions {
	itemIndex?: number;
	/** The operation's name as the person sees it, e.g. "Send Text". */
	operation?: string;
}

/**
 * Puts an answer that is no success into words: the service's own text as the message, and behind it what became
 * of an item's request; status, request and what to do as the description (API document, "Errors").
 */
export function explainAnswer(
	node: INode,
	request: GatewayRequest,
	answer: GatewayAnswer,
	options: ExplainOptions = {},
): NodeApiError {
	const { status } = answer;
	const outcome: Outcome = isRefusal(status) || request.effect === 'read' ? 'rejected' : 'unknown';
	const parts = [
		`HTTP ${status} from ${request.method} ${answer.path}${options.operation ? ` (${options.operation})` : ''}.`,
		adviseOnStatus(request, answer),
	];
	const failure: Failure = {
		outcome,
		passing: isPassingStatus(status),
		retryAfterMs: readRetryAfter(answer),
	};
	return raise(node, request, failure, {
		message: chooseMessage(request, answer),
		parts,
		itemIndex: options.itemIndex,
		httpCode: String(status),
	});
}

/** Whether the same request can succeed a little later, after an answer of no success. */
export function isPassingStatus(status: number): boolean {
	return !isRefusal(status) || status === 408 || status === 425 || status === 429;
}

function isRefusal(status: number): boolean {
	// "See Other" is how a server points to the result of what it has done.
	return status >= 300 && status < 500 && status !== 303;
}

/** Puts a request without an answer into words, from whatever n8n's helper threw. */
export function explainLostAnswer(
	node: INode,
	request: GatewayRequest,
	thrown: unknown,
	options: { baseUrl: string; itemIndex?: number },
): NodeApiError {
	const { baseUrl, itemIndex } = options;
	const { body } = request;
	const isUnread = body instanceof StreamedBody && body.isUnreadable;
	const loss = isUnread ? FILE_UNREAD : judgeLoss(thrown);
	const { outcome, passing } = loss;
	// A read that got lost has changed nothing.
	const failure: Failure = { outcome: request.effect === 'read' ? 'rejected' : outcome, passing };
	const [message, advice] = putLossIntoWords(request, loss, nameGateway(baseUrl));
	const parts = [`${request.method} ${request.path}:`, advice];
	return raise(node, request, failure, { message, parts, itemIndex });
}

/** Makes the error: what is said of the answer, and behind it what became of an item's request. */
function raise(
	node: INode,
	{ effect, prepares, isForItem }: GatewayRequest,
	failure: Failure,
	said: { message: string; parts: string[]; itemIndex?: number; httpCode?: string },
): NodeApiError {
	const { itemIndex, httpCode } = said;
	const [told, advice] =
		(isForItem && putOutcomeIntoWords(prepares ?? effect, failure.outcome)) || [];
	const parts = [...said.parts, advice].filter((part) => part !== undefined);
	const message = toPlainText(appendSentence(said.message, told), LONGEST_WORDS);
	const description = toPlainText(parts.join(' '), LONGEST_WORDS);
	// Only our own words go in: what n8n's helper throws holds the request, token included.
	const error = new NodeApiError(node, { message } as JsonObject, {
		message,
		description,
		httpCode,
		itemIndex,
	});
	return markFailure(keepMessage(error, message), failure);
}

/** A time is the gateway's, so the wait until then is counted by the gateway's clock, where the answer tells it. */
function readRetryAfter(answer: GatewayAnswer): number | undefined {
	const header = answer.headers['retry-after'];
	if (header === undefined) return undefined;
	const seconds = /^\d+$/.test(header.trim())
		? Number(header)
		: (Date.parse(header) - (readAnswerDate(answer) ?? Date.now())) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
