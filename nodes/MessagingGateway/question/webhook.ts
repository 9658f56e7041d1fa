import { NodeOperationError, sleep, type IExecuteFunctions } from 'n8n-workflow';
import type { Access } from '../api/access';
import { failureOf, keepMessage, markFailure, type GatewayError } from '../api/failure';
import { openAccess } from '../api/request';
import { appendSentence } from '../api/words';
import { isSameUrl } from '../webhooks/compare';
import { whyUnreachable } from '../webhooks/reach';
import { createWebhook, type NewWebhook } from '../webhooks/records';
import { isUsableSecret } from '../webhooks/standardWebhooks';
import { MOST_OPEN, type Account } from './account';
import { listOf } from './accounts';
import { isForwarded, QUESTION_EVENTS } from './parking';
import { readExecutionState } from './resumeUrl';
import { closeWebhook, sweepQuestions } from './sweep';

const ROOM_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 500;

/**
 * Makes the webhook through which the answer to a question comes, after removing those of questions that are over.
 *
 * @param url resumes the execution
 * @param most how many questions of this n8n may be open at once
 * @throws GatewayError if there is none; then nothing was sent
 */
export async function openWebhook(
	context: IExecuteFunctions,
	account: Account,
	url: string,
	most: number,
): Promise<NewWebhook> {
	await requireAnswerable(context, url, await openAccess(context, 'account'));
	const opening = inTurn(account, async () => {
		await findRoom(context, url, most, account);
		return await createForAnswer(context, url, account);
	});
	return await opening.catch(async (error: unknown) => await Promise.reject(notAsked(error)));
}

/** Where a trigger takes a question over as soon as its message is sent, that is waited for. */
async function findRoom(
	context: IExecuteFunctions,
	url: string,
	most: number,
	account: Account,
): Promise<void> {
	for (const giveUpAt = Date.now() + ROOM_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
		const { all, direct } = await sweepQuestions(context, url, most);
		if (direct < most && all < MOST_OPEN) return;
		if (all >= MOST_OPEN || !isForwarded(account) || Date.now() > giveUpAt)
			throw refuseMore(context, direct < most ? all : direct);
	}
}

async function createForAnswer(
	context: IExecuteFunctions,
	url: string,
	account: Account,
): Promise<NewWebhook> {
	const creation = createWebhook(context, url, QUESTION_EVENTS);
	const failure = await creation.then(() => undefined, failureOf);
	if (failure?.outcome === 'unknown') await removeByUrl(context, url, account);
	const webhook = await creation;
	if (isUsableSecret(webhook.secret)) return webhook;
	await closeWebhook(context, webhook.id);
	throw new NodeOperationError(
		context.getNode(),
		'The gateway created a webhook for the answer, but its secret cannot be used',
		{
			description:
				'A secret begins with whsec_, and the rest is base64. Nothing was sent. Ask your gateway’s provider.',
		},
	);
}

async function removeByUrl(
	context: IExecuteFunctions,
	url: string,
	account: Account,
): Promise<void> {
	const listing = listOf(context, account).catch(() => undefined);
	for (const webhook of (await listing)?.webhooks ?? [])
		if (isSameUrl(webhook.url, url)) await closeWebhook(context, webhook.id);
}

async function requireAnswerable(
	context: IExecuteFunctions,
	url: string,
	{ baseUrl }: Access,
): Promise<void> {
	const { origin, pathname } = new URL(url);
	const isBelowPath = pathname.split('/').length > 4;
	const reason =
		whyUnreachable(url, baseUrl) ??
		// n8n signs the whole path, and a proxy may hand on only the end of it.
		(isBelowPath && (await readExecutionState(context, url)) === 'changed'
			? 'something on the way cuts off the path of that address, and n8n then refuses the answer'
			: undefined);
	if (reason === undefined) return;
	throw new NodeOperationError(context.getNode(), 'No answer could reach this n8n', {
		description: `Nothing was sent. The gateway would deliver the answer to ${isBelowPath ? url.split('?')[0] : origin}: ${reason}. Set N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) to the public https address of this n8n, without a path, and restart it.`,
	});
}

function refuseMore(context: IExecuteFunctions, open: number): GatewayError {
	const error = new NodeOperationError(
		context.getNode(),
		`${open} questions are open, and no more may be open at once`,
		{
			description:
				'Nothing was sent. Publish a Messaging Gateway Trigger for received messages of the same account in this n8n. Then up to 1,000 may be open. Or wait until some are answered, shorten Limit Wait Time, or raise Max Open Questions in the options.',
		},
	);
	return markFailure(error, { outcome: 'rejected', passing: true });
}

/** Whatever became of the webhook, the message was not sent, and may be tried again. */
function notAsked(thrown: unknown): unknown {
	const failure = failureOf(thrown);
	if (failure === undefined) return thrown;
	const error = thrown as GatewayError;
	const passing = failure.passing || failure.outcome === 'unknown';
	const message = appendSentence(error.message, 'The message was not sent.');
	return markFailure(keepMessage(error, message), { ...failure, outcome: 'rejected', passing });
}

async function inTurn<T>(account: Account, work: () => Promise<T>): Promise<T> {
	const turn = account.memory.line.then(work, work);
	account.memory.line = turn;
	return await turn;
}
