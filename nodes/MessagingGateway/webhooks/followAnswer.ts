import {
	deferOpen,
	type ConfirmWhen,
	type SenderResponse,
	type Settlement,
	type WebhookResponse,
} from './http';

/** Both ends of a response that n8n holds. */
export interface AnswerEnds {
	/** What the sender gets. */
	sender: SenderResponse;
	/**
	 * Follows what n8n answers.
	 *
	 * @param settle told once
	 */
	follow(settle: (settlement: Settlement) => Settlement): void;
}

/**
 * Follows n8n's answer to a delivery that was handed to it: at the start of the execution or at its end, whichever the
 * trigger's description asks n8n for. A sender that hangs up early, as after its timeout, does not stop n8n: what n8n
 * then answers to nobody still tells what became of the execution. That can be hours later, and a repeat that comes
 * before must not run too.
 *
 * @param settle told once what n8n answers, before it leaves. What it makes of that is what the sender is told
 */
export function followAnswer(
	response: WebhookResponse,
	confirmWhen: ConfirmWhen,
	settle: (settlement: Settlement) => Settlement,
): void {
	if (response.writableEnded) {
		settle(judge(response, confirmWhen));
		return;
	}
	// Once nobody listens any more, no event tells of the end of an answer: so the end itself is watched.
	const end = response.end.bind(response);
	response.end = (...answer) => {
		response.end = end;
		const settlement = settle(judge(response, confirmWhen, answer[0]));
		return settlement === 'deferred' && isGood(response) ? deferOpen(response) : end(...answer);
	};
}

/**
 * Answers a delivery ourselves, while n8n keeps its response until the end of the execution. n8n answers into it as before,
 * and nobody but us is told: n8n has no other way to tell of the end.
 */
export function answerForN8n(response: WebhookResponse, confirmWhen: ConfirmWhen): AnswerEnds {
	const { setHeader, end } = response;
	let hear: (body: unknown) => void = () => {};
	const keepQuiet = (): unknown => response;
	Object.assign(response, {
		setHeader: keepQuiet,
		setHeaders: keepQuiet,
		appendHeader: keepQuiet,
		removeHeader: keepQuiet,
		end: (body?: unknown) => {
			hear(body);
			return response;
		},
	});
	const tellSender = (status: number, body: object): void => {
		response.statusCode = status;
		setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
		end.call(response, JSON.stringify(body));
	};
	return {
		sender: {
			get headersSent() {
				return response.headersSent;
			},
			status: (status) => ({ json: (body) => tellSender(status, body) }),
		},
		follow: (settle) => {
			hear = (body) => void settle(judge(response, confirmWhen, body));
		},
	};
}

/** n8n answers this at the end of an execution that has failed, also of one whose worker was killed. */
const FAILED = 'Error in workflow';

/**
 * At the end of an execution n8n also answers 200 where it had nothing to run, as when a credential may not be used, or
 * when it takes the execution for crashed. Then it says so in words; an execution that ended well, or began to wait,
 * is answered without any, since the description asks for no data. One that has failed has started.
 */
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
