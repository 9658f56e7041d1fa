import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { GatewayContext } from '../gateway/call';

const TIMEOUT_MS = 3_000;

/**
 * Asks n8n what became of a question, by an unsigned delivery. `refused`: n8n has not signed this URL. It is `open` while it
 * waits or goes on, and if n8n cannot reach itself.
 */
export async function knock(
	{ helpers }: GatewayContext,
	url: string,
): Promise<'open' | 'answered' | 'stopped' | 'refused'> {
	const request = {
		method: 'POST',
		url,
		timeout: TIMEOUT_MS,
		disableFollowRedirect: true,
	} as const;
	const whole = { returnFullResponse: true, ignoreHttpStatusErrors: true };
	const response = await helpers.httpRequest({ ...request, ...whole }).catch(() => ({}));
	const { statusCode, body } = response as IN8nHttpFullResponse;
	const words = String(JSON.stringify(body));
	if (/no action required/i.test(words)) return 'answered';
	if (/the execution .{0,200}(?:does not exist|has finished)/i.test(words)) return 'stopped';
	return statusCode === 401 && words.includes('Invalid') ? 'refused' : 'open';
}

export async function isOver(context: GatewayContext, url: string): Promise<boolean> {
	return ['answered', 'stopped'].includes(await knock(context, url));
}
