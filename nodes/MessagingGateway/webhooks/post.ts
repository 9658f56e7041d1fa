import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { withinTime } from '../api/deadline';
import { toPlainText } from '../api/plainText';
import type { GatewayContext } from '../api/request';

/** A delivery to an address at which this n8n itself receives. */
interface Posting<T> {
	delivery: { headers?: Record<string, string>; body: string };
	/** From the beginning to the last byte of the answer. */
	timeoutMs: number;
	cancel?: AbortSignal;
	/** Reads what is wanted of the answer, as long as the signal does not come. */
	read(response: IN8nHttpFullResponse, signal: AbortSignal): Promise<T>;
}

/**
 * Sends a delivery to this n8n itself, from outside, as the gateway does: a trigger's self-test, what a trigger forwards to
 * a question, or whether a question still waits. No token goes along.
 *
 * @param url what this n8n calls its own, or what the gateway lists and `readUrl` finds to be of this n8n
 * @returns what was read of the answer, or why there is none
 */
export async function post<T extends object>(
	{ helpers }: GatewayContext,
	url: string,
	{ delivery, timeoutMs, cancel, read }: Posting<T>,
): Promise<T | string> {
	try {
		return await withinTime(timeoutMs, cancel, async (signal) => {
			const response = (await helpers.httpRequest({
				method: 'POST',
				url,
				...delivery,
				encoding: 'stream',
				timeout: timeoutMs,
				abortSignal: signal,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			})) as IN8nHttpFullResponse;
			return await read(response, signal);
		});
	} catch (error) {
		return toPlainText((error as Error).message);
	}
}
