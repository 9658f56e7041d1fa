import { LARGEST_ANSWER, readBytes } from '../api/readAnswer';
import type { GatewayContext, OpenAccess } from '../api/request';
import { post } from '../webhooks/post';
import { deleteWebhook, listWebhooks, type RemoteWebhook } from '../webhooks/records';
import { forgetQuestion, isOver, noteQuestion } from './memory';
import { readUrl } from './url';

/** Who asks many at once need not look after what is over each time. */
const TOGETHER_MS = 500;
/** More may not be open, whatever a gateway lists. */
const MOST = 1_000;
const WITHIN_MS = 15_000;
const UNREACHED_FOR_MS = 10 * 60_000;

let looksAgainAt = 0;

/**
 * Removes the webhooks of questions to which nobody waits for an answer any more: their time is over, or the execution
 * has ended, was stopped or deleted, or has failed.
 *
 * @param own a URL under which this n8n receives: of all other webhooks none is touched
 * @param most with as many left as this, it looks closely in any case
 * @returns how many are left
 * @throws NodeApiError if the gateway does not list its webhooks
 */
export async function sweepQuestions(
	context: GatewayContext,
	own: string,
	most = Infinity,
): Promise<number> {
	const now = Date.now();
	const open: RemoteWebhook[] = [];
	for (const webhook of (await listWebhooks(context)).webhooks) {
		const note = readUrl(webhook.url, own);
		if (note === undefined) continue;
		if (open.length === MOST || Date.now() - now > WITHIN_MS) break;
		if (isOver(note, now)) await closeWebhook(context, webhook.id);
		else {
			noteQuestion(webhook.id, note);
			open.push(webhook);
		}
	}
	if (open.length === 0 || (now < looksAgainAt && open.length < most)) return open.length;
	looksAgainAt = now + TOGETHER_MS;
	const states = await Promise.all(open.map(async ({ url }) => await askN8n(context, url)));
	if (states.every((state) => state === 'unreached')) looksAgainAt = now + UNREACHED_FOR_MS;
	const over = open.filter((_, index) => states[index] === 'over');
	for (const { id } of over) {
		if (Date.now() - now > WITHIN_MS) break;
		await closeWebhook(context, id);
	}
	return open.length - over.length;
}

/** Notes the questions among a gateway's webhooks, without asking n8n whether somebody still waits for their answers. */
export function noteQuestions(webhooks: RemoteWebhook[], own: string): void {
	for (const { id, url } of webhooks.slice(0, MOST)) {
		const note = readUrl(url, own);
		if (note) noteQuestion(id, note);
	}
}

/** Removes the webhook of a question that is over. What cannot be removed now will be by the next question. */
export async function closeWebhook(
	context: GatewayContext,
	webhookId: string,
	access?: OpenAccess,
): Promise<void> {
	forgetQuestion(webhookId);
	await deleteWebhook(context, webhookId, access).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway: webhook ${webhookId} of a question that is over could not be deleted yet: ${message}`,
		);
	});
}

/**
 * Asks n8n about the execution behind a URL, by a delivery that nobody has signed: one that waits refuses it, all
 * others are answered by n8n itself. What cannot be told counts as waiting.
 *
 * @returns `changed` where n8n does not take the URL for one that it has signed
 */
export async function askN8n(
	context: GatewayContext,
	url: string,
): Promise<'over' | 'waiting' | 'changed' | 'unreached'> {
	const answer = await post(context, url, {
		delivery: { body: '' },
		timeoutMs: 3_000,
		read: async (response, signal) => ({
			status: response.statusCode,
			text: String(await readBytes(response, LARGEST_ANSWER, signal)),
		}),
	});
	if (typeof answer === 'string') return 'unreached';
	const { status, text } = answer;
	if (status === 401 && /invalid (form link|token)/i.test(text)) return 'changed';
	const isOver =
		(status === 200 && /no action required/i.test(text)) ||
		(status === 404 && text.includes('The execution') && text.includes('does not exist')) ||
		(status === 409 && text.includes('has finished'));
	return isOver ? 'over' : 'waiting';
}
