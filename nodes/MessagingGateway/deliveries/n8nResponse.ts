import {
	defer,
	type ConfirmWhen,
	type SenderResponse,
	type Settlement,
	type WebhookResponse,
} from './response';

/**
 * Follows n8n's answer to a delivery that starts or resumes an execution: n8n gives it at the start or at the end. It comes
 * even if the sender has hung up.
 *
 * @param onSettled called once with the meaning of n8n's answer, before the sender gets it
 */
export function followAnswer(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
	onSettled: (settlement: Settlement) => void,
): void {
	// If the sender has hung up, Node emits no event at the end of an answer: so `end` itself is wrapped.
	const end = response.end.bind(response);
	response.end = (...answer) => {
		response.end = end;
		const settlement = judge(response, confirmWhen, answer[0]);
		onSettled(settlement);
		return settlement === 'deferred' && isGood(response) ? defer(response) : end(...answer);
	};
}

/**
 * Takes the sender's response away from n8n, which keeps it until the end of the execution.
 *
 * @returns `sender` answers the sender; `answered` is fulfilled with the meaning of n8n's answer, which nobody gets
 */
export function answerForN8n(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
): { sender: SenderResponse; answered: Promise<Settlement> } {
	const { setHeader, end } = response;
	const ignore = (): unknown => response;
	const { promise: answered, resolve } = Promise.withResolvers<Settlement>();
	Object.assign(response, {
		setHeader: ignore,
		setHeaders: ignore,
		appendHeader: ignore,
		removeHeader: ignore,
		end: (body?: unknown) => {
			resolve(judge(response, confirmWhen, body));
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
	return { sender, answered };
}

/** n8n's answer to an execution that has failed. */
const FAILED = 'Error in workflow';

/** n8n also answers 200 if it had nothing to run, but in words. An execution that ended well, or began to wait, has no body. */
function judge(response: WebhookResponse, confirmWhen: ConfirmWhen, body?: unknown): Settlement {
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
