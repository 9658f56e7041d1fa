import { randomInt } from 'crypto';
import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { openGateway, type Gateway, type GatewayContext } from '../gateway/call';
import { rejection } from '../gateway/failure';
import { requireReachable } from '../gateway/reach';
import { createWebhook, deleteWebhook, listWebhooks } from '../gateway/webhooks';
import { serialize, type Queue } from '../n8n/waits';
import { latinizeDigits } from '../values/fold';
import {
	composeUrl,
	fingerprint,
	keyOf,
	readListing,
	type Listing,
	type QuestionDraft,
	type WaitingContext,
} from './question';

/** A question in the gateway's list of webhooks. */
export type ListedQuestion = Listing & { id: string; url: string };
type Opening = Omit<Listing, 'code' | 'openedAt'>;

/** More than approvals may be open. */
const CODES = Array.from({ length: 90 }, (_, index) => String(index + 10));

/** Open replies and choices of a chat: who writes to a bot that asks can open no more. */
const MAX_IN_CHAT = 3;

/** A new question checks so many open ones, at random. A check takes n8n about 50 milliseconds. */
const MAX_CHECKS = 5;
const KNOCK_TIMEOUT_MS = 3_000;
const WITHOUT_PREFIX = /^(?:\/[^/]+){3}$/;

/** A reader sees one number all the same. */
const BETWEEN_DIGITS = /[\p{M}\p{Cf}\p{Z}]+/gu;

const openings: Queue = {};

/** Creates the webhook through which the answer comes, and deletes those of questions that are over. */
export async function openWebhook(
	context: IExecuteFunctions,
	account: Gateway,
	draft: QuestionDraft,
) {
	const { type, labels, text, to, person, instanceId, requireQuotedReply } = draft;
	const opening: Opening = {
		kind: type === 'approval' ? type : requireQuotedReply ? 'quoted' : 'plain',
		until: Date.now() + draft.limitWaitTime,
		...{ to: keyOf(to), person: person && keyOf(person), instanceId },
	};
	await requireAnswerable(context, account.baseUrl);
	// One after the other, so that each question counts the previous one.
	return await serialize(openings, async () => {
		const open = await makeRoom(context, account, opening, draft.maxOpenQuestions);
		const code = type === 'approval' ? drawCode(open, [text, ...labels].join('\n')) : '';
		const listing = { ...opening, code, openedAt: Date.now() + randomInt(1_000) / 1_000 };
		const url = composeUrl(context, listing);
		const webhook = await createWebhook(account, url, ['MESSAGE.RECEIVED', 'MESSAGE.SENT']);
		return { webhook, listing, url };
	});
}

/** Opens the account also if the execution is cancelled: its webhook would stay at the gateway. */
export async function openAccount(context: GatewayContext): Promise<Gateway> {
	return await openGateway(context, 'account', { holder: 'instance', outlivesCancel: true });
}

/** If a proxy strips a path of `N8N_WEBHOOK_URL`, which n8n signs, n8n refuses every answer. */
async function requireAnswerable(context: IExecuteFunctions, gatewayUrl: string) {
	const url = context.getSignedResumeUrl({});
	requireReachable(url, gatewayUrl);
	const { origin, pathname } = new URL(url);
	if (WITHOUT_PREFIX.test(pathname) || (await knock(context, url)) !== 'refused') return;
	throw rejection(
		'n8n would refuse the answer',
		`A proxy takes a part off the path of ${origin}${pathname}, which n8n has signed. Set N8N_WEBHOOK_URL to the address without a path, let the proxy pass /webhook and /webhook-waiting on as they are, and restart n8n.`,
	);
}

async function makeRoom(
	context: IExecuteFunctions,
	account: Gateway,
	{ kind, to }: Opening,
	maxOpen: number,
): Promise<Listing[]> {
	const listed = await listQuestions(context, account);
	const past = listed.filter(({ until }) => until < Date.now());
	await closeWebhooks(context, account, past);
	const open = listed.filter((each) => !past.includes(each) && each.answeredBy === undefined);
	const isApproval = kind === 'approval';
	const alike = open.filter((each) => (each.kind === 'approval') === isApproval);
	const inChat = alike.filter((each) => [each.to, keyOf(each.chatId ?? '')].includes(to));
	const isCrowded = !isApproval && inChat.length >= MAX_IN_CHAT;
	const [counted, max] = isCrowded ? [inChat, MAX_IN_CHAT] : [alike, maxOpen];
	const isFull = counted.length >= max;
	const sweeping = sweep(context, account, isFull ? counted : open);
	if (!isFull || counted.length - (await sweeping) < max) return open;
	const advice = isCrowded
		? 'Wait until one is answered, or shorten Limit Wait Time.'
		: 'Wait until some are answered, shorten Limit Wait Time, or raise Max Open Questions in the options. To ask more people, see “Ask many people at once” in the documentation.';
	const where = isCrowded ? 'in one chat, apart from approvals' : 'at once';
	const things = isApproval ? 'approvals' : 'questions';
	throw rejection(`At most ${max} ${things} may be open ${where}`, advice, true);
}

async function sweep(context: GatewayContext, account: Gateway, questions: ListedQuestion[]) {
	const first = randomInt(Math.max(1, questions.length));
	const checked = [...questions.slice(first), ...questions.slice(0, first)].slice(0, MAX_CHECKS);
	const states = await Promise.all(checked.map(async ({ url }) => await isOver(context, url)));
	const over = checked.filter((_, index) => states[index]);
	await closeWebhooks(context, account, over);
	return over.length;
}

/** Draws a free code at random. A text that holds its numbers could show false labels. */
function drawCode(open: Listing[], text: string): string {
	const digits = latinizeDigits(text.replace(BETWEEN_DIGITS, '').normalize('NFKC'));
	const isShown = (code: string): boolean => [1, 2].some((end) => digits.includes(`${code}${end}`));
	const taken = open.map(({ code }) => code);
	const free = CODES.filter((code) => !taken.includes(code) && !isShown(code));
	if (free.length > 0) return free[randomInt(free.length)];
	throw rejection(
		'The message holds the number of every approval that could be asked',
		"Shorten what it quotes, e.g. with .slice(0, 500) in the expression of 'Message'.",
	);
}

/** Deletes the webhooks of questions. If the gateway fails, the next question tries again. */
export async function closeWebhooks(
	context: GatewayContext,
	account: Gateway,
	over: Array<{ id: string }>,
): Promise<void> {
	const warn = ({ message }: Error): void =>
		context.logger.warn(
			`Messaging Gateway: the webhook of a question could not be deleted yet: ${message}`,
		);
	await Promise.all(over.map(async ({ id }) => await deleteWebhook(account, id).catch(warn)));
}

/** Lists the questions of this n8n that the account has: nothing is ever sent to another host. */
export async function listQuestions(
	context: WaitingContext,
	account: Gateway,
): Promise<ListedQuestion[]> {
	const { webhooks } = await listWebhooks(account);
	const { origin } = new URL(context.getSignedResumeUrl({}));
	const own = fingerprint(context.getInstanceId());
	return webhooks.flatMap(({ id, url }) => {
		if (!URL.canParse(url) || new URL(url).origin !== origin) return [];
		const query = Object.fromEntries(new URL(url).searchParams);
		const isOwn = query.by === own && query.signature && Number(query.until) > 0;
		return isOwn ? [{ ...readListing(query), id, url }] : [];
	});
}

/** Asks n8n what became of a question: `refused` if n8n did not sign its URL, `open` in doubt. */
export async function knock({ helpers }: GatewayContext, url: string) {
	const whole = { returnFullResponse: true, ignoreHttpStatusErrors: true } as const;
	const request = { ...whole, url, timeout: KNOCK_TIMEOUT_MS, disableFollowRedirect: true };
	const sent = helpers.httpRequest({ ...request, method: 'POST' }).catch(() => ({}));
	const { statusCode, body } = (await sent) as Partial<IN8nHttpFullResponse>;
	const words = String(JSON.stringify(body));
	if (/no action required/i.test(words)) return 'answered';
	if (/the execution .{0,200}(?:does not exist|has finished)/i.test(words)) return 'stopped';
	return statusCode === 401 && words.includes('Invalid') ? 'refused' : 'open';
}

/** Whether n8n says that a question no longer waits. */
export async function isOver(context: GatewayContext, url: string): Promise<boolean> {
	return ['answered', 'stopped'].includes(await knock(context, url));
}
