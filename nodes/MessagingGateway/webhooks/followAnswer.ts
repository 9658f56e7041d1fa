import { deferOpen, type WebhookResponse } from './http';
import type { ConfirmWhen, Settlement } from './settlement';

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
		return settlement === 'refused' && isGood(response) ? deferOpen(response) : end(...answer);
	};
}

/**
 * At the end of an execution n8n also answers 200 where it had nothing to run, as when a credential may not be used, or
 * when it takes the execution for crashed. Then it says so in words; an execution that ended well, or began to wait,
 * is answered without any, since the description asks for no data.
 */
function judge(response: WebhookResponse, confirmWhen: ConfirmWhen, body?: unknown): Settlement {
	const isDone = isGood(response) && (confirmWhen === 'started' || !hasWords(body));
	return isDone ? 'accepted' : 'refused';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}

function hasWords(body: unknown): boolean {
	return (typeof body === 'string' || Buffer.isBuffer(body)) && body.length > 0;
}
