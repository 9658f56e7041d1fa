import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { waitUntil } from '../webhooks/deadlines';
import { dataOf, textIn, timeOf, type GatewayEvent } from '../webhooks/event';
import { acknowledge } from '../webhooks/http';
import type { WebhookList } from '../webhooks/records';
import type { Account } from './account';
import { listOf } from './accounts';
import type { QuestionDelivery } from './admit';
import { inGroups } from './parking';
import { isTold, TOLD_WITHIN_MS, type Question } from './question';
import { readExecutionState, type ExecutionState } from './resumeUrl';
import { findInChat, type Rival } from './sameChat';
import { isOver, readNote, readUrl, type Note } from './url';
import { writeBack } from './writeBack';

/** In both languages whose yes and no are understood. */
const QUOTE_ONE =
	'More than one question may be waiting here. Please quote the one that you mean: reply to that message.\n\nPode haver mais de uma pergunta em aberto aqui. Cite a que você quer responder: responda àquela mensagem.';

/** What a yes or a no decides: `this` approval; `ambiguous`, it may mean others as well; `unknown`, nobody can tell yet. */
type Consent =
	| { decides: 'this' }
	| { decides: 'unknown' }
	| {
			decides: 'ambiguous';
			/** Webhook IDs, as far as they are known. */
			others: string[];
	  };

/** What a list of webhooks says of questions. A message is judged for each approval that it may decide, and the list read once. */
export interface Listed {
	list: WebhookList;
	rivals: Rival[];
	/** What n8n said of them, by URL. */
	states: Map<string, Promise<ExecutionState>>;
}

/** Less than whoever forwards an answer waits. */
const LIST_WITHIN_MS = 3_500;
/** Of so many n8n is asked whether somebody waits for them; others are taken for open. */
const MOST_ASKED = 10;

/**
 * Judges whether a message decides an approval. One that quotes nothing does so only if no other question is open in the
 * chat: otherwise one yes would approve them all, and so would the "1" that was meant for a choice. All that were asked
 * before the message was written are in a list that was begun after it arrived; this process may not have asked them all
 * itself.
 *
 * @param own a URL under which this n8n receives
 */
export async function judgeConsent(
	context: IWebhookFunctions,
	account: Account,
	{ webhookId, type, sentAt }: Question,
	event: GatewayEvent,
	own: string,
): Promise<Consent> {
	const isQuoting = textIn(dataOf(event), 'quotedMessageId') !== undefined;
	if (type !== 'approval' || isQuoting) return { decides: 'this' };
	const { since } = account.looks.at(event);
	const isToldSoon = sentAt !== undefined && Date.now() < sentAt + TOLD_WITHIN_MS;
	if (isToldSoon && !isTold(account.find(webhookId))) return { decides: 'unknown' };
	// Whichever clock is ahead: it was not written after it came.
	const writtenBy = Math.min(timeOf(event) ?? -Infinity, since);
	const listed = await waitUntil(Date.now() + LIST_WITHIN_MS, listRivals(context, account, since));
	if (listed === undefined) return { decides: 'unknown' };
	const isComplete = true;
	const { webhooks } = listed.list;
	const isHidden = webhooks.some(({ id, url }) => id !== webhookId && mayHideQuestion(url, own));
	if (!isComplete || isHidden) return { decides: 'ambiguous', others: [] };
	const findOthers = (rivals: Rival[]): Rival[] => {
		const others = rivals.filter(({ id }) => id !== webhookId);
		const inChat = findInChat(event, account.find(webhookId), others);
		return inChat.filter(({ note }) => wasOpen(note, event, writtenBy));
	};
	// Of one whose time has ended since, n8n does not say that nobody waited for it then.
	const asked = findOthers(listed.rivals)
		.filter(({ note: { until } }) => until < writtenBy || until >= Date.now())
		.slice(0, MOST_ASKED);
	const states = await inGroups(asked, async ({ url = '' }) =>
		readUrl(context, url, own) ? await askOnce(context, url, listed) : 'waiting',
	);
	const over = asked.filter((_, index) => states[index] === 'over');
	// What was decided after the message came, also while n8n was asked, was open when it was written.
	const decided = account.decisions.listSince(since, event);
	const there = findOthers([...listed.rivals, ...decided]).filter((rival) => !over.includes(rival));
	const open = [...new Set(there.map(({ id }) => id))];
	return open.length === 0 ? { decides: 'this' } : { decides: 'ambiguous', others: open };
}

/**
 * Whether a question was open when a message was written: it was not asked later, and its time had not ended. The gateway
 * may tell that it has left when the person has read it already.
 */
function wasOpen(note: Note, event: GatewayEvent, writtenBy: number): boolean {
	const { leftAt = -Infinity } = note;
	return !isOver(note, writtenBy) && leftAt <= (timeOf(event) ?? Infinity) + TOLD_WITHIN_MS;
}

/** Whether a gateway shows so little of an address that a question of this n8n may be behind it. */
function mayHideQuestion(url: string, own: string): boolean {
	if (!URL.canParse(url) || /\*{2}|…/.test(url)) return true;
	const [{ origin, pathname }, here] = [new URL(url), new URL(own)];
	const base = here.pathname.split('/').slice(0, -2).join('/');
	return origin === here.origin && pathname.startsWith(`${base}/`) && readNote(url) === undefined;
}

async function askOnce(
	context: IWebhookFunctions,
	url: string,
	{ states }: Listed,
): Promise<ExecutionState> {
	const state = states.get(url) ?? readExecutionState(context, url);
	states.set(url, state);
	return await state;
}

async function listRivals(
	context: IWebhookFunctions,
	account: Account,
	since: number,
): Promise<Listed | undefined> {
	const list = await listOf(context, account, { since }).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway: a yes or no is deferred, because the gateway does not say which other questions are open: ${message}`,
		);
	});
	if (!list) return undefined;
	if (account.listed?.list === list) return account.listed;
	const rivals = list.webhooks.flatMap(({ id, url }): Rival[] => {
		const known = account.find(id);
		const listed = readNote(url) ?? known;
		// Where the gateway does not change webhooks, this process alone knows the chat.
		return listed ? [{ id, url, note: { ...known, ...listed } }] : [];
	});
	account.listed = { list, rivals, states: new Map() };
	return account.listed;
}

/** Tells the person once to quote the approval that is meant, until another question is asked. */
export function askForQuote(
	{ context, account, question, event }: QuestionDelivery,
	others: string[] = [],
): IWebhookResponseData {
	// It was meant for one of them, also where the person was told before.
	account.looks.noteTaken(event);
	const isDue = account.mustTellToQuote([question.webhookId, ...others], event);
	if (isDue) void writeBack(context, question, event, QUOTE_ONE);
	return acknowledge('To be quoted');
}
