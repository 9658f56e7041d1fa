import {
	deferOpen,
	type ConfirmWhen,
	type SenderResponse,
	type Settlement,
	type WebhookResponse,
} from './http';

/**
 * Follows n8n's answer to a delivery that was handed to it: at the start of the execution or at its end. n8n answers even
 * if the sender has hung up.
 *
 * @param settle called once with what n8n answers, before it leaves; the sender gets what it returns
 */
export function followAnswer(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
	settle: (settlement: Settlement) => Settlement,
): void {
	// If the sender has hung up, no event tells of the end of an answer: so the end itself is wrapped.
	const end = response.end.bind(response);
	response.end = (...answer) => {
		response.end = end;
		const settlement = settle(judge(response, confirmWhen, answer[0]));
		return settlement === 'deferred' && isGood(response) ? deferOpen(response) : end(...answer);
	};
}

/**
 * Lets us answer the sender while n8n keeps the response until the end of the execution.
 *
 * @returns `answered` is fulfilled with what n8n answers, which the sender does not get
 */
export function answerForN8n(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
): { sender: SenderResponse; answered: Promise<Settlement> } {
	const { setHeader, end } = response;
	const ignore = (): unknown => response;
	const answered = new Promise<Settlement>((resolve) => {
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
	});
	const tellSender = (status: number, body: object): void => {
		response.statusCode = status;
		setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
		end.call(response, JSON.stringify(body));
	};
	const sender: SenderResponse = {
		get headersSent() {
			return response.headersSent;
		},
		status: (status) => ({ json: (body) => tellSender(status, body) }),
	};
	return { sender, answered };
}

/** n8n's answer to an execution that has failed. */
const FAILED = 'Error in workflow';

/** n8n also answers 200 if it had nothing to run, but in words. An execution that ended well, or began to wait, has no body. */
function judge(response: WebhookResponse, confirmWhen: ConfirmWhen, body?: unknown): Settlement {
	const isDone =
		confirmWhen === 'started'
			? isGood(response) || textOf(body).includes(FAILED)
			: isGood(response) && textOf(body) === '';
	return isDone ? 'accepted' : 'deferred';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}

function textOf(body: unknown): string {
	return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
}
