import type { IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import { withinTime } from '../../api/deadline';
import type { GatewayAnswer } from '../../api/exchange';
import { toPlainText } from '../../api/plainText';
import { LARGEST_ANSWER, readAnswer } from '../../api/readAnswer';
import { hideSecrets } from '../../api/secrets';
import {
	isSelfCheckAnswer,
	makeSelfCheck,
	type SelfCheck,
} from '../../webhooks/signature/selfCheck';
import { rest } from '../patience';
import type { WebhookRecord } from '../record';

/**
 * What became of a self-check: `arrived`; `unheld`, whoever received it does not have the secret of the webhook;
 * `altered`, something on the way changes what is delivered; `unknown here`, an n8n answers that has no such webhook;
 * `untold`, somebody else answers, or nobody.
 */
export type Proof =
	{ kind: 'arrived' | 'unheld' | 'altered' | 'unknown here' } | { kind: 'untold'; reason: string };

type Answer = Pick<GatewayAnswer, 'status' | 'body'>;

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
		const answer = await post(context, record, { headers, body }, signal);
		if (typeof answer === 'string') return { kind: 'untold', reason: answer };
		// The process that received it asks for a repeat, after it has put the secret back where it belongs.
		const isPostponed = answer.status === 503 && tries < TRIES;
		if (!isPostponed || !(await rest(BETWEEN_TRIES_MS, signal))) return judge(answer, digest);
	}
}

function judge({ status, body }: Answer, digest: string): Proof {
	const told = isObject(body) ? body : {};
	if (status === 200 && isSelfCheckAnswer(told)) return { kind: 'arrived' };
	// Only our own refusal of a self-check tells what it has received.
	if (status === 401 && typeof told.received === 'string') {
		return { kind: told.received === digest ? 'unheld' : 'altered' };
	}
	const words = String(told.message).toLowerCase();
	if (status === 404 && words.includes('webhook') && words.includes('not registered')) {
		return { kind: 'unknown here' };
	}
	return {
		kind: 'untold',
		reason: `what answers there, with status ${status}, is not this trigger`,
	};
}

/** @returns the answer, or why there is none */
async function post(
	{ helpers }: ITriggerFunctions,
	{ url, secret }: WebhookRecord,
	delivery: Pick<SelfCheck, 'headers' | 'body'>,
	cancel: AbortSignal,
): Promise<Answer | string> {
	try {
		return await withinTime(TIMEOUT_MS, cancel, async (signal) => {
			const response = (await helpers.httpRequest({
				method: 'POST',
				url,
				...delivery,
				encoding: 'stream',
				timeout: TIMEOUT_MS,
				abortSignal: signal,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			})) as IN8nHttpFullResponse;
			const reading = { hide: hideSecrets([secret]), mostBytes: LARGEST_ANSWER, signal };
			return { status: response.statusCode, ...(await readAnswer(response, reading)) };
		});
	} catch (error) {
		return toPlainText((error as Error).message);
	}
}
