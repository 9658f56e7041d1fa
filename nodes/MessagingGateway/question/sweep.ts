import { sleep } from 'n8n-workflow';
import { fingerprint } from '../api/access';
import { openAccess, type GatewayContext, type OpenAccess } from '../api/request';
import { deleteWebhook, type RemoteWebhook, type WebhookList } from '../webhooks/records';
import { MOST_OPEN, type Account } from './account';
import { accountOf, leaveUnlisted, listOf, openAccount } from './accounts';
import { arrangeWebhooks, inGroups, isParkedWebhook, type QuestionWebhook } from './parking';
import { readExecutionState } from './resumeUrl';
import { isOver, readUrl, type Note } from './url';

const WITHIN_MS = 15_000;
/** Of so many n8n is asked in one sweep; of others in the next. */
const MOST_ASKED = 50;
const ASKS_AGAIN_AFTER_MS = 500;
/** So many times as long as n8n was asked it is left alone. */
const PAUSES = 9;
const UNREACHED_FOR_MS = 10 * 60_000;
/** So often in vain a webhook is changed, with a pause between. */
const ARRANGE_TRIES = 3;
const BETWEEN_TRIES_MS = 1_000;

/** How many questions are open. */
interface Open {
	all: number;
	/** Of these, those to which the gateway delivers every message. */
	direct: number;
}

/**
 * Removes the webhooks of questions to which nobody waits for an answer any more: their time is over, or the execution
 * has ended, was stopped or deleted, or has failed. The others get their messages from whoever can bring them now.
 *
 * @param own a URL under which this n8n receives: of all other webhooks none is touched
 * @param most with as many left as this to which every message is delivered, n8n is asked in any case
 * @returns what is left
 * @throws GatewayError if the gateway does not list its webhooks
 */
export async function sweepQuestions(
	context: GatewayContext,
	own: string,
	most = Infinity,
): Promise<Open> {
	const now = Date.now();
	const account = await openAccount(context);
	const list = await listOf(context, account);
	const { webhooks } = list;
	const isComplete = true;
	noteQuestions(context, account, list, own);
	leaveUnlisted(account, list);
	const notes = new Map(findQuestions(context, webhooks, own));
	const closeOver = async (webhook: RemoteWebhook): Promise<void> => {
		const { id } = webhook;
		const note = notes.get(webhook);
		// What this process knows of it beside is forgotten as it closes.
		if (note !== undefined) account.decisions.noteEnded(id, { ...account.find(id), ...note });
		await closeWebhook(context, id);
	};
	let open: RemoteWebhook[] = [];
	for (const [webhook, note] of notes) {
		if (open.length === MOST_OPEN || Date.now() - now > WITHIN_MS) break;
		if (isOver(note, now)) await closeOver(webhook);
		else open.push(webhook);
	}
	const direct = open.filter((webhook) => !isParkedWebhook(webhook));
	const isFull = direct.length >= most;
	if (isFull || now >= account.memory.sweep.nextAt) {
		const ended = await findEnded(context, account, isFull ? direct : open);
		for (const webhook of ended) if (Date.now() - now < WITHIN_MS) await closeOver(webhook);
		open = open.filter((webhook) => !ended.includes(webhook));
	}
	// Where a question was asked must be known before anybody else than its webhook can bring the answer.
	const known = open.filter((webhook) => notes.get(webhook)?.chatId !== undefined);
	const isListed = isComplete && webhooks.every(({ events = [] }) => events.length > 0);
	const { parked } = await arrangeWebhooks(context, known, isListed);
	return { all: open.length, direct: open.length - parked };
}

/** Notes the questions among an account's webhooks, without asking n8n whether somebody still waits for their answers. */
export function noteQuestions(
	context: GatewayContext,
	account: Account,
	{ webhooks }: Pick<WebhookList, 'webhooks'>,
	own: string,
): void {
	// The gateway may have put its list together before the answer came.
	const asked = findQuestions(context, webhooks, own).filter(
		([{ id }, note]) => !account.decisions.isMade(id, note),
	);
	for (const [webhook, note] of asked.slice(0, MOST_OPEN)) {
		account.note(webhook.id, { ...note, url: webhook.url });
		if (isParkedWebhook(webhook)) account.park(webhook.id, webhook.url);
	}
	account.learn(
		asked.every(([webhook]) => !isParkedWebhook(webhook) || account.parked.has(webhook.id)),
	);
}

function findQuestions(
	context: GatewayContext,
	webhooks: RemoteWebhook[],
	own: string,
): Array<[RemoteWebhook, Note]> {
	return webhooks.flatMap((webhook): Array<[RemoteWebhook, Note]> => {
		const note = readUrl(context, webhook.url, own);
		return note ? [[webhook, note]] : [];
	});
}

/**
 * Lets each question get its messages from whoever can bring them now. What the gateway does not change at once, as when
 * it takes only so many changes at a time, is tried again.
 *
 * @throws Error if some could not be changed
 */
export async function arrangeQuestions(context: GatewayContext, own: string): Promise<void> {
	const { webhooks } = await listOf(context, await openAccount(context));
	const open = findQuestions(context, webhooks, own).map(([webhook]) => webhook);
	let left: QuestionWebhook[] = open.filter(isParkedWebhook);
	const giveUpAt = Date.now() + WITHIN_MS;
	for (let tries = ARRANGE_TRIES; ; tries--) {
		const { unchanged } = await arrangeWebhooks(context, left);
		if (unchanged.length === 0) return;
		if (unchanged.length < left.length) tries = ARRANGE_TRIES;
		if (tries === 1 || Date.now() > giveUpAt)
			throw new Error(`the gateway did not change ${unchanged.length} of them`);
		left = unchanged;
		await sleep(BETWEEN_TRIES_MS);
	}
}

/** Those for whose answers nobody waits, as far as n8n has the time to say so now. */
async function findEnded(
	context: GatewayContext,
	{ memory: { sweep } }: Account,
	open: RemoteWebhook[],
): Promise<RemoteWebhook[]> {
	if (open.length === 0) return [];
	const now = Date.now();
	const from = open.length > MOST_ASKED ? sweep.from % open.length : 0;
	const asked = [...open.slice(from), ...open.slice(0, from)].slice(0, MOST_ASKED);
	sweep.from = from + asked.length;
	const states = await inGroups(asked, async ({ url }) => await readExecutionState(context, url));
	const took = Date.now() - now;
	sweep.nextAt = Date.now() + Math.max(ASKS_AGAIN_AFTER_MS, PAUSES * took);
	if (states.every((state) => state === 'unreached' || state === 'busy'))
		sweep.nextAt = Date.now() + UNREACHED_FOR_MS;
	return asked.filter((_, index) => states[index] === 'over');
}

/** Removes the webhook of a question that is over. What cannot be removed now will be by the next question. */
export async function closeWebhook(
	context: GatewayContext,
	webhookId: string,
	access?: OpenAccess,
): Promise<void> {
	const close = async (): Promise<void> => {
		const opened = access ?? (await openAccess(context, 'account'));
		accountOf(fingerprint(opened)).forget(webhookId);
		await deleteWebhook(context, webhookId, opened);
	};
	await close().catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway: webhook ${webhookId} of a question that is over could not be deleted yet: ${message}`,
		);
	});
}
