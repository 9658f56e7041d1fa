import type { IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { rest } from '../patience';
import type { WebhookRecord } from '../record';
import { makeSelfCheck } from '../signature/selfCheck';

/**
 * What became of a self-check: `arrived`; `unheld`, whoever received it does not have the secret of the webhook;
 * `altered`, something on the way changes what is delivered; `untold`, this n8n cannot reach its own address.
 */
export type Proof = { kind: 'arrived' | 'unheld' | 'altered' } | { kind: 'untold'; reason: string };

const TIMEOUT_MS = 10_000;
const TRIES = 4;
const BETWEEN_TRIES_MS = 1_000;

/**
 * Sends one delivery to the trigger's own production URL, signed with the newest secret, and so through every proxy and
 * balancer, to whichever process receives. It starts nothing.
 */
export async function proveDelivery(
	context: ITriggerFunctions,
	record: WebhookRecord,
	signal: AbortSignal,
): Promise<Proof> {
	const { headers, body, digest } = makeSelfCheck(record.secret);
	for (let tries = 1; ; tries++) {
		const answer = await post(context, record.url, headers, body);
		if (typeof answer === 'string') return { kind: 'untold', reason: answer };
		const { statusCode } = answer;
		if (statusCode >= 200 && statusCode < 300) return { kind: 'arrived' };
		// The process that received it asks for a repeat, after it has put the secret back where it belongs.
		const isPostponed = statusCode === 503 && tries < TRIES;
		if (isPostponed && (await rest(BETWEEN_TRIES_MS, signal))) continue;
		if (statusCode !== 401)
			return { kind: 'untold', reason: `it answers with status ${statusCode}` };
		return { kind: readReceived(answer.body) === digest ? 'unheld' : 'altered' };
	}
}

/** @returns the answer, or why there is none */
async function post(
	{ helpers }: ITriggerFunctions,
	url: string,
	headers: Record<string, string>,
	body: string,
): Promise<IN8nHttpFullResponse | string> {
	try {
		return (await helpers.httpRequest({
			method: 'POST',
			url,
			headers,
			body,
			encoding: 'text',
			timeout: TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		return (error as Error).message;
	}
}

function readReceived(body: unknown): unknown {
	try {
		return (JSON.parse(String(body)) as { received?: unknown } | null)?.received;
	} catch {
		return undefined;
	}
}
