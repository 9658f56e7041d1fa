import type { IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import { isSelfCheckAnswer, makeSelfCheck } from '../../webhooks/signature/selfCheck';
import { rest } from '../patience';
import type { WebhookRecord } from '../record';

/**
 * What became of a self-check: `arrived`; `unheld`, whoever received it does not have the secret of the webhook;
 * `altered`, something on the way changes what is delivered; `unknown here`, an n8n answers that has no such webhook;
 * `untold`, somebody else answers, or nobody.
 */
export type Proof =
	{ kind: 'arrived' | 'unheld' | 'altered' | 'unknown here' } | { kind: 'untold'; reason: string };

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
		// The process that received it asks for a repeat, after it has put the secret back where it belongs.
		const isPostponed = answer.statusCode === 503 && tries < TRIES;
		if (!isPostponed || !(await rest(BETWEEN_TRIES_MS, signal))) return judge(answer, digest);
	}
}

function judge({ statusCode, body }: IN8nHttpFullResponse, digest: string): Proof {
	const told = readObject(body);
	if (statusCode === 200 && isSelfCheckAnswer(told)) return { kind: 'arrived' };
	// Only our own refusal of a self-check tells what it has received.
	if (statusCode === 401 && typeof told.received === 'string') {
		return { kind: told.received === digest ? 'unheld' : 'altered' };
	}
	if (statusCode === 404 && /webhook.*not registered/i.test(String(told.message))) {
		return { kind: 'unknown here' };
	}
	return {
		kind: 'untold',
		reason: `what answers there, with status ${statusCode}, is not this trigger`,
	};
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

function readObject(body: unknown): Record<string, unknown> {
	try {
		const parsed: unknown = JSON.parse(String(body));
		return isObject(parsed) ? parsed : {};
	} catch {
		return {};
	}
}
