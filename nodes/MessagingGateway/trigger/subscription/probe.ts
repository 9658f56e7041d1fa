import { createHash, randomUUID } from 'crypto';
import type { ITriggerFunctions } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import type { GatewayAnswer } from '../../api/exchange';
import { LARGEST_ANSWER, readAnswer } from '../../api/readAnswer';
import { hideSecrets } from '../../api/secrets';
import { pauseFor } from '../../webhooks/patience';
import { post } from '../../webhooks/post';
import { signDelivery } from '../../webhooks/standardWebhooks';
import type { WebhookRecord } from '../record';

/**
 * The type of the delivery that a trigger sends to itself, to see that deliveries reach it. No gateway has it. Verified, it
 * is remembered nowhere: whoever repeats it learns nothing new.
 */
export const PROBE_TYPE = 'N8N.SELF_CHECK';
const ID_PREFIX = 'self-check_';
/** Far more than a self-test has: what a stranger sends is not hashed for nothing. */
const LARGEST_BYTES = 1_024;

/** The message with which a self-test that arrived is answered. */
export const PROBE_ANSWER = 'Self-test received';

/**
 * What became of a self-test: `arrived`; `other secret`, whoever received it does not have that of the webhook;
 * `altered`, something on the way changes what is delivered; `unknown here`, an n8n answers that has no such webhook;
 * `untold`, somebody else answers, or nobody.
 */
type ProbeResult =
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
		const isDeferred = answer.status === 503 && tries < TRIES;
		if (!isDeferred || !(await pauseFor(BETWEEN_TRIES_MS, signal)))
			return judgeAnswer(answer, digest);
	}
}

function judgeAnswer({ status, body }: Answer, digest: string): ProbeResult {
	const told = isObject(body) ? body : {};
	if (status === 200 && told.message === PROBE_ANSWER) return { kind: 'arrived' };
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

/**
 * Makes a delivery like the gateway's, signed with the secret of the webhook, that starts nothing. `digest` is what
 * `tellReceived` answers where the body has arrived as it was sent.
 */
function makeProbe(secret: string) {
	const id = `${ID_PREFIX}${randomUUID()}`;
	const body = JSON.stringify({
		id,
		type: PROBE_TYPE,
		timestamp: new Date().toISOString(),
		data: {},
	});
	return { headers: signDelivery(secret, id, body), body, digest: digestOf(Buffer.from(body)) };
}

/**
 * Tells the sender of a refused self-test what arrived, so that it can tell a wrong secret from a body that was
 * changed on the way. Undefined for every other delivery.
 *
 * @param rawHeaders names and values in turn, as they came
 */
export function tellReceived(
	rawHeaders: readonly string[],
	body: Buffer | undefined,
): string | undefined {
	const isOne = rawHeaders.some(
		(name, index) =>
			index % 2 === 0 &&
			name.toLowerCase() === 'webhook-id' &&
			rawHeaders[index + 1]?.startsWith(ID_PREFIX),
	);
	return isOne && body && body.length <= LARGEST_BYTES ? digestOf(body) : undefined;
}

function digestOf(body: Buffer): string {
	return createHash('sha256').update(body).digest('hex');
}
