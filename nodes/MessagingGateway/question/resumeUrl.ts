import { LARGEST_ANSWER, readBytes } from '../api/readAnswer';
import type { GatewayContext } from '../api/request';
import { post } from '../webhooks/post';

/**
 * What n8n says of the execution behind a URL: `busy`, it is just going on, or n8n has no time to say anything;
 * `changed`, the URL is not as n8n has signed it; `unreached`, n8n does not get there.
 */
export type ExecutionState = 'over' | 'waiting' | 'busy' | 'changed' | 'unreached';

/**
 * Asks n8n about the execution behind a URL, by a delivery that nobody has signed: one that waits refuses it, all
 * others are answered by n8n itself. What cannot be told counts as waiting.
 */
export async function readExecutionState(
	context: GatewayContext,
	url: string,
): Promise<ExecutionState> {
	return (await deliver(context, url, { body: '' }, 3_000)).state;
}

/** Delivers something to the execution behind a URL, as the gateway does. Where no answer came, there is no status. */
export async function deliver(
	context: GatewayContext,
	url: string,
	delivery: { headers?: Record<string, string>; body: string },
	timeoutMs: number,
): Promise<{ status?: number; state: ExecutionState }> {
	const tooLateAt = Date.now() + timeoutMs;
	const answer = await post(context, url, {
		delivery,
		timeoutMs,
		read: async (response, signal) => ({
			status: response.statusCode,
			text: String(await readBytes(response, LARGEST_ANSWER, signal)),
		}),
	});
	if (typeof answer === 'string') return { state: Date.now() < tooLateAt ? 'unreached' : 'busy' };
	return { status: answer.status, state: readState(answer) };
}

function readState({ status, text }: { status: number; text: string }): ExecutionState {
	if (status === 401 && /invalid (form link|token)/i.test(text)) return 'changed';
	if (status === 409 && text.includes('is running already')) return 'busy';
	const isOver =
		(status === 200 && /no action required/i.test(text)) ||
		(status === 404 && text.includes('The execution') && text.includes('does not exist')) ||
		(status === 409 && text.includes('has finished'));
	return isOver ? 'over' : 'waiting';
}
