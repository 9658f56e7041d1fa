import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { isObject } from './answer';
import { isSuccess, type GatewayAnswer, type GatewayRequest } from './exchange';
import { markFailure, type Failure, type Outcome } from './failure';
import { judgeLoss, type LossReason } from './loss';
import type { TokenKind } from './token';

export interface ExplainOptions {
	itemIndex?: number;
	/** The operation's name as the person sees it, e.g. "Send Text". */
	operation?: string;
}

const TOKEN_WORDS: Record<TokenKind, string> = {
	account: 'the account token (svc_acct_…), from the credential "Messaging Gateway Account API"',
	instance: 'the instance token (svc_inst_…), from the credential "Messaging Gateway Instance API"',
};

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
	return raise(node, readMessage(answer), parts, options.itemIndex, String(status), {
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
	const { reason, code, text, outcome, passing } = judgeLoss(thrown);
	// A read that got lost has changed nothing.
	const failure: Failure = { outcome: request.effect === 'read' ? 'rejected' : outcome, passing };
	const [message, advice] = putLossIntoWords(reason, { baseUrl, code, text });
	const parts = [
		`${request.method} ${request.path}:`,
		advice,
		adviseOnOutcome(request, failure.outcome),
	];
	return raise(node, message, parts, options.itemIndex, undefined, failure);
}

function putLossIntoWords(
	reason: LossReason,
	{ baseUrl, code, text }: { baseUrl: string; code: string; text: string },
): [message: string, advice: string] {
	switch (reason) {
		case 'certificate':
			return [
				'The gateway’s certificate is not trusted',
				`n8n does not trust the certificate of ${baseUrl} (${code}), so nothing was sent. Use a valid certificate there, or correct the base URL in the credential.`,
			];
		case 'unreached':
			return [
				'The gateway cannot be reached',
				`No connection to ${baseUrl} could be made (${code}), so nothing was sent. Check the base URL in the credential, and that the gateway is running and reachable from n8n.`,
			];
		case 'late':
			return [
				'The gateway did not answer in time',
				`${baseUrl} took longer than the timeout. Try again later, or set a longer Timeout in the options.`,
			];
		case 'cancelled':
			return [
				'The execution was cancelled while the request was under way',
				'The request was given up.',
			];
		case 'forbidden':
			return [
				'n8n does not allow requests to this gateway',
				`${text} Nothing was sent. Ask whoever runs your n8n to allow ${baseUrl}.`,
			];
		case 'cut':
			return [
				'The connection to the gateway broke off before its answer arrived',
				`The gateway at ${baseUrl} closed the connection. If this happens often, ask whoever runs it.`,
			];
	}
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

function readMessage({ status, body, text }: GatewayAnswer): string {
	if (isObject(body) && typeof body.error === 'string' && body.error.trim() !== '')
		return body.error;
	if (text !== undefined) {
		return /^\s*</.test(text)
			? `A web page came back instead of the gateway’s answer (status ${status})`
			: `The gateway’s answer is not valid JSON (status ${status})`;
	}
	if (body === undefined) return `The gateway answered with status ${status} and nothing else`;
	return isSuccess({ status })
		? `The gateway’s answer does not hold what was asked for (status ${status})`
		: `The gateway did not accept the request (status ${status})`;
}

function adviseOnStatus(request: GatewayRequest, { status, path, headers }: GatewayAnswer): string {
	const token = TOKEN_WORDS[request.token];
	if (isSuccess({ status })) {
		return 'The answer is not what the API document shows, so nobody can tell from it whether the request worked. Something between n8n and the gateway may have changed it: check the base URL in the credential.';
	}
	if (status >= 300 && status < 400) {
		return `The gateway points to another address${headers.location ? ` (${headers.location})` : ''}. Put the final address into the credential as base URL.`;
	}
	switch (status) {
		case 400:
			return adviseOnValues(request);
		case 401:
			return `This operation uses ${token}. The gateway does not accept it: copy it again, or make a new one.`;
		case 403:
			return `This operation uses ${token}. The gateway knows it but does not allow this: check that it belongs to the right account or number.`;
		case 404:
			return adviseOnMissing(request, path);
		case 429:
			return request.effect === 'send'
				? 'Too many requests in a short time. Send more slowly, e.g. with the option Messages Per Minute.'
				: 'Too many requests in a short time. Try again a little later.';
		case 502:
			return 'The messaging network behind the gateway did not respond. Try again later.';
		default:
			return status >= 500
				? 'The gateway has trouble of its own. Try again later.'
				: 'Check the values of this node and the credential.';
	}
}

function adviseOnValues({ guessOption }: GatewayRequest): string {
	const advice = 'The gateway did not accept what was sent: check the values of this node.';
	if (guessOption === undefined) return advice;
	return `${advice} If they are right, the gateway may want another name in the option ${guessOption}, which the API document does not show.`;
}

function adviseOnMissing(request: GatewayRequest, path: string): string {
	const [, place, id = ''] = /^\{(\w+)\}(.*)$/.exec(request.path) ?? [];
	const base = path.slice(0, path.length - id.length);
	if (place === 'webhooksPath') {
		return `The API document does not show where webhooks are managed; the path in use is ${base}. If your gateway uses another one, set Webhooks Path in the account credential.${id ? ' If the path is right, there is no webhook with this ID.' : ''}`;
	}
	if (place === 'instancesPath') {
		return `The API document does not show where instances are listed; the path in use is ${base}. If your gateway uses another one, set Instances Path in the account credential.`;
	}
	return 'The gateway has nothing there. Check the IDs or the path in this node, and the base URL in the credential.';
}

function adviseOnOutcome(request: GatewayRequest, outcome: Outcome): string | undefined {
	if (request.effect !== 'send' && request.effect !== 'change') return undefined;
	const thing = request.effect === 'send' ? 'message' : 'change';
	if (outcome === 'rejected') {
		return `Outcome: rejected. The ${thing} was certainly not ${request.effect === 'send' ? 'sent' : 'made'}.`;
	}
	return request.effect === 'send'
		? 'Outcome: unknown. The message may have been sent. Before sending it again, check the MESSAGE.SENT events of this conversation.'
		: 'Outcome: unknown. The change may have been made. Look before making it again.';
}

function readRetryAfter(header: string | undefined): number | undefined {
	if (header === undefined) return undefined;
	const seconds = /^\d+$/.test(header.trim())
		? Number(header)
		: (Date.parse(header) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
