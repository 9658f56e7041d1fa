import {
	defer,
	type ConfirmWhen,
	type SenderResponse,
	type Settlement,
	type WebhookResponse,
} from './response';

/**
 * Follows n8n's response on its way to the sender. `responded` is its meaning, at the start or at the end of the execution,
 * even if the sender has hung up.
 */
export function followResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { promise: responded, resolve } = Promise.withResolvers<Settlement>();
	// If the sender has hung up, Node emits no event at the end of a response: so `end` itself is wrapped.
	const end = response.end.bind(response);
	response.end = (...content) => {
		response.end = end;
		const settlement = settlementOf(response, confirmWhen, content[0]);
		resolve(settlement);
		return settlement === 'deferred' && isGood(response) ? defer(response) : end(...content);
	};
	return { responded };
}

/** Detaches the response from n8n, which would hold it until the execution ends. The trigger responds to the `sender`. */
export function detachResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { setHeader, end } = response;
	const ignore = (): unknown => response;
	const { promise: responded, resolve } = Promise.withResolvers<Settlement>();
	Object.assign(response, {
		setHeader: ignore,
		setHeaders: ignore,
		appendHeader: ignore,
		removeHeader: ignore,
		end: (body?: unknown) => {
			resolve(settlementOf(response, confirmWhen, body));
			return response;
		},
	});
	const sender: SenderResponse = {
		get headersSent() {
			return response.headersSent;
		},
		status: (code) => ({
			json: (body) => {
				response.statusCode = code;
				setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
				end.call(response, JSON.stringify(body));
			},
		}),
	};
	return { sender, responded };
}

/** n8n's response to an execution that has failed. */
const FAILED = 'Error in workflow';

/** n8n also responds 200 if it had nothing to run, but in words. An execution that ended well, or began to wait, has no body. */
function settlementOf(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
	body?: unknown,
): Settlement {
	const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
	const isDone =
		confirmWhen === 'started'
			? isGood(response) || text.includes(FAILED)
			: isGood(response) && text === '';
	return isDone ? 'accepted' : 'deferred';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}
