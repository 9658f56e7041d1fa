import { isObject } from './answer';
import { isSuccess, type Effect, type GatewayAnswer, type GatewayRequest } from './exchange';
import type { Outcome } from './failure';
import type { Loss } from './loss';
import { toPlainText } from './plainText';
import { TOKENS } from './token';

/** What happened when no answer came, and what to do. */
export function putLossIntoWords(
	request: GatewayRequest,
	{ reason, code, text }: Loss,
	baseUrl: string,
): [message: string, advice: string] {
	switch (reason) {
		case 'certificate':
			return [
				'The gateway’s certificate is not trusted',
				`n8n does not trust the certificate of ${baseUrl} (${code}). Use a valid certificate there, or correct the base URL in the credential.`,
			];
		case 'unreached':
			return [
				'The gateway cannot be reached',
				`No connection to ${baseUrl} could be made (${code}). Check the base URL in the credential, and that the gateway is running and reachable from n8n.`,
			];
		case 'late':
			return [
				'The gateway did not answer in time',
				`${baseUrl} took longer than the timeout. ${adviseOnTime(request)}`,
			];
		case 'cancelled':
			return [
				'The execution was cancelled while the request was under way',
				'n8n no longer waits for the answer.',
			];
		case 'forbidden':
			return [
				'n8n does not allow requests to this gateway',
				`${text} Ask the administrator of your n8n to allow ${baseUrl}.`,
			];
		case 'cut':
			return [
				'The connection to the gateway broke off before its answer arrived',
				`The gateway at ${baseUrl} closed the connection. If this happens often, ask its provider.`,
			];
		case 'file':
			return [
				'n8n could not read the whole file while the node sent it',
				'The file may have been deleted or changed. Execute the node that creates this file once more.',
			];
	}
}

/** The service's own words (API document, "Errors" 1), or what is wrong with its answer. */
export function chooseMessage(
	{ effect }: GatewayRequest,
	{ status, body, flaw }: GatewayAnswer,
): string {
	if (isObject(body) && typeof body.error === 'string' && body.error.trim() !== '')
		return toPlainText(body.error);
	if (flaw !== undefined) return `${flaw} (status ${status})`;
	if (body === undefined) return `The gateway answered with status ${status} and nothing else`;
	if (!isSuccess({ status })) return `The gateway did not accept the request (status ${status})`;
	return effect === 'send'
		? `The gateway’s answer has no messageId (status ${status})`
		: `The gateway’s answer does not hold what was asked for (status ${status})`;
}

/** What a status that is no success, or a success without what it should hold, asks a person to do. */
export function adviseOnStatus(
	request: GatewayRequest,
	{ status, path, headers }: GatewayAnswer,
): string {
	const { prefix, fieldName } = TOKENS[request.token];
	const token = `the ${request.token} token (${prefix}…), the ${fieldName} in the credential of this node`;
	if (isSuccess({ status })) {
		return 'The answer differs from the gateway’s API documentation, so it does not show whether the request worked. Something between n8n and the gateway may have changed it: check the base URL in the credential.';
	}
	if (status >= 300 && status < 400) {
		return `The gateway points to another address${headers.location ? ` (${toPlainText(headers.location, 200)})` : ''}. Put the final address into the credential as base URL.`;
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
			return `The messaging network behind the gateway did not respond.${adviseToWait(request)}`;
		default:
			return status >= 500
				? `The gateway could not process the request.${adviseToWait(request)}`
				: 'Check the values of this node and the credential.';
	}
}

function adviseOnValues({ guessOption }: GatewayRequest): string {
	const advice = 'The gateway did not accept what was sent: check the values of this node.';
	if (guessOption === undefined) return advice;
	return `${advice} If they are right, your gateway may use another name than the one in the option ${guessOption}.`;
}

function adviseOnMissing(request: GatewayRequest, path: string): string {
	const [, place, id = ''] = /^\{(\w+)\}(.*)$/.exec(request.path) ?? [];
	const base = path.slice(0, path.length - id.length);
	if (place === 'webhooksPath') {
		return `This node looks for webhooks at ${base}. If your gateway manages them elsewhere, set Webhooks Path in the credential of this node.${id ? ' If the path is right, there is no webhook with this ID.' : ''}`;
	}
	if (place === 'instancesPath') {
		return `This node looks for instances at ${base}. If your gateway lists them elsewhere, set Instances Path in the account credential.`;
	}
	return 'The gateway has nothing there. Check the IDs or the path in this node, and the base URL in the credential.';
}

/** Whether it may simply be asked for again, although nobody knows what became of it. */
function mayRepeat({ effect, isForItem }: GatewayRequest): boolean {
	return !isForItem || effect === 'read' || effect === undefined;
}

/** Only an item's request has an option for it. */
function adviseOnTime(request: GatewayRequest): string {
	if (!request.isForItem) return 'Try again later.';
	return mayRepeat(request)
		? 'Try again later, or set a longer Timeout in the options.'
		: 'If this happens often, set a longer Timeout in the options.';
}

function adviseToWait(request: GatewayRequest): string {
	return mayRepeat(request) ? ' Try again later.' : '';
}

/**
 * What became of what an item asked for, and whether it may be asked for again (API document, "Endpoint rules" 2):
 * for the message, since n8n tells the model of an agent nothing else, and for the description. Undefined where
 * nothing was to be sent or changed.
 */
export function putOutcomeIntoWords(
	effect: Effect | undefined,
	outcome: Outcome,
): [message: string, advice: string] | undefined {
	if (effect !== 'send' && effect !== 'change') return undefined;
	const [thing, done] = effect === 'send' ? ['message', 'sent'] : ['change', 'made'];
	if (outcome === 'rejected') return [`The ${thing} was not ${done}.`, 'Outcome: rejected.'];
	return effect === 'send'
		? [
				'The message may have been sent. Check the chat before you send it again.',
				'Outcome: unknown. Look for it in the MESSAGE.SENT events of this conversation.',
			]
		: [
				'The change may have been made. Check at the gateway before you repeat it.',
				'Outcome: unknown.',
			];
}

/** Puts sentences behind what somebody else has said, which may end in a mark or not. */
export function appendSentence(text: string, sentence: string | undefined): string {
	if (sentence === undefined) return text;
	const begun = text.trim();
	return /[.!?…]$/.test(begun) ? `${begun} ${sentence}` : `${begun}. ${sentence}`;
}
