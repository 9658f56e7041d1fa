import type { ITriggerFunctions } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import type { GatewayAnswer } from '../../api/exchange';
import { LARGEST_ANSWER, readAnswer } from '../../api/readAnswer';
import { hideSecrets } from '../../api/secrets';
import { pauseFor } from '../../webhooks/patience';
import { post } from '../../webhooks/post';
import { isProbeAnswer, makeProbe } from '../../webhooks/probeContent';
import type { WebhookRecord } from '../record';

/**
 * What became of a self-test: `arrived`; `other secret`, whoever received it does not have that of the webhook;
 * `altered`, something on the way changes what is delivered; `unknown here`, an n8n answers that has no such webhook;
 * `untold`, somebody else answers, or nobody.
 */
export type ProbeResult =
	| { kind: 'arrived' | 'other secret' | 'altered' | 'unknown here' }
	| { kind: 'untold'; reason: string };

type Answer = Pick<GatewayAnswer, 'status' | 'body'>;

const TIMEOUT_MS = 10_000;
const TRIES = 4;
const BETWEEN_TRIES_MS = 1_000;

/**
 * Sends one delivery to the trigger's own production URL, signed with the newest secret, and so through every proxy and
 * balancer, to whichever process receives. It starts nothing.
 */
export async function probe(
	context: ITriggerFunctions,
	record: WebhookRecord,
	signal: AbortSignal,
): Promise<ProbeResult> {
	const { headers, body, digest } = makeProbe(record.secret);
	const reading = { hide: hideSecrets([record.secret]), mostBytes: LARGEST_ANSWER };
	for (let tries = 1; ; tries++) {
		const answer = await post(context, record.url, {
			delivery: { headers, body },
			timeoutMs: TIMEOUT_MS,
			cancel: signal,
			read: async (response, ending) => ({
				status: response.statusCode,
				...(await readAnswer(response, { ...reading, signal: ending })),
			}),
		});
		if (typeof answer === 'string') return { kind: 'untold', reason: answer };
		// The process that received it asks for a repeat, after it has put the secret back where it belongs.
		const isPostponed = answer.status === 503 && tries < TRIES;
		if (!isPostponed || !(await pauseFor(BETWEEN_TRIES_MS, signal)))
			return judgeAnswer(answer, digest);
	}
}

function judgeAnswer({ status, body }: Answer, digest: string): ProbeResult {
	const told = isObject(body) ? body : {};
	if (status === 200 && isProbeAnswer(told)) return { kind: 'arrived' };
	// Only our own refusal of a self-test tells what it has received.
	if (status === 401 && typeof told.received === 'string') {
		return { kind: told.received === digest ? 'other secret' : 'altered' };
	}
	const words = String(told.message).toLowerCase();
	if (status === 404 && words.includes('webhook') && words.includes('not registered')) {
		return { kind: 'unknown here' };
	}
	return {
		kind: 'untold',
		reason: `something else than this trigger answers there, with status ${status}`,
	};
}
