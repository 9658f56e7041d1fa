import { randomInt } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import { ownToken } from '../gateway/connection';
import { GatewayError, rejection } from '../gateway/failure';
import { requireReachable } from '../gateway/reach';
import { TOKENS } from '../gateway/secrets';
import { createWebhook } from '../gateway/webhooks';
import { isReview } from '../n8n/agent';
import { sharedMap } from '../n8n/processState';
import {
	isCancelled,
	isPathChanged,
	isRunByChat,
	resumeUrlOf,
	saveWithExecution,
} from '../n8n/waitingExecution';
import { serialize, type Queue } from '../n8n/waits';
import { end, findOlderKnown, forget, remember, type Known } from './known';
import { listLabels } from './labels';
import { composeUrl, isSameChat, type Listing } from './listing';
import {
	accountOf,
	encrypt,
	fingerprint,
	keyOf,
	SAVED_AS,
	type Question,
	type QuestionDraft,
} from './question';
import { drawCode, requireRoom } from './room';
import { closeWebhooks, listOpen, openAccount, type Listed } from './webhooks';

/** The message of a question. What a person writes before `send` is no answer. */
export interface Message {
	before(): Promise<void>;
	/** Adds the lines to the message, sends it, and returns its ID. */
	send(lines: string): Promise<string>;
}

/** A question whose webhook exists. */
interface Opened {
	known: Known;
	/** The *Reply* or *Choice* of the chat that it will end, of which there is one at most as a rule. */
	older: Listed[];
	/** By how many milliseconds the gateway's clock is behind. */
	clockLagMs: number;
}

/** Webhooks whose clocks differ by more than that refuse every delivery: this is no clock, but a zone. */
const MAX_CLOCK_LAG_MS = 5 * 60_000;

/** Before its message is sent, a question can have no answer. */
const NOT_YET = Infinity;

/** The questions of an account that are being opened, one after the other: each reads the list. */
const openings = sharedMap<Queue>('question openings 1');

/**
 * Asks a person, and puts the execution to wait. The webhook exists before the message is sent. A *Reply*
 * or *Choice* ends the one before it in its chat, but only when the gateway has accepted the message, or
 * may have: until then, a message of the person answers the one before.
 *
 * @returns a hint for the person who runs the workflow
 * @throws {Error} that of `send`, or the reason why the message was not sent; then nothing waits
 */
export async function ask(
	context: IExecuteFunctions,
	draft: QuestionDraft,
	message: Message,
): Promise<string | undefined> {
	await requireAbleToWait(context);
	const account = await openAccount(context);
	await requireAnswerable(context, account);

	const opened = await serialize(queueOf(account), async () =>
		draft.type === 'approval'
			? await openApproval(context, account, draft)
			: await openOther(context, account, draft),
	);
	const { known, clockLagMs } = opened;

	let sentAt = Date.now();
	const send = async (): Promise<string> => {
		await message.before();
		requireNewest(known);
		sentAt = Date.now();
		return await message.send(listLabels({ ...draft, code: known.listing.code }));
	};
	const messageId = await send().catch(async (error: unknown) => {
		const mayBeSent = error instanceof GatewayError && error.failure.outcome === 'unknown';
		// A person can quote only a message whose ID is known.
		const canBeAnswered = mayBeSent && !draft.requireQuotedReply;
		if (canBeAnswered && !isCancelled(context)) return undefined;

		await withdraw(context, account, known);
		throw error;
	});
	if (isCancelled(context)) {
		await withdraw(context, account, known);
		return undefined;
	}

	// A message from before this moment may have answered the older question.
	const { ended, leftovers } = await endOlder(context, account, opened);
	const answersFrom = ended.length > 0 ? Date.now() : sentAt;

	known.question = {
		...known.question,
		messageId,
		askedAt: answersFrom - clockLagMs,
		ended,
		leftovers,
	};
	saveWithExecution(context, SAVED_AS, known.question);
	await context.putExecutionToWait(new Date(known.listing.until));
	if (messageId !== undefined) return undefined;
	return 'The message may have been sent. The workflow waits for the answer. Check the chat before you ask again.';
}

function queueOf(account: Gateway): Queue {
	const key = accountOf(account);
	const queue = openings.get(key) ?? {};
	openings.set(key, queue);
	return queue;
}

/** Refuses what can have no answer, before anything is sent. */
async function requireAbleToWait(context: IExecuteFunctions): Promise<void> {
	// Webhooks belong to the account (API 3.2).
	const credential = await context.getCredentials(TOKENS.instance.credential);
	if (ownToken(credential, 'account') === '') {
		throw rejection(
			'The credential of this node has no ‘Account Token’',
			'Send and Wait for Reply needs it to receive the answer. Open the credential, and enter the account token of your gateway (svc_acct_…) as Account Token.',
		);
	}

	if (context.getInputData().length > 1) {
		throw rejection(
			'An execution can wait for one answer only, and there are several items',
			'To ask one after the other, put this node into Loop Over Items with a Batch Size of 1. To ask all at once, see “Ask many people at once” in the documentation.',
		);
	}

	if (isRunByChat(context)) {
		throw rejection(
			'A workflow that runs in n8n’s Chat cannot wait for an answer',
			'Start it with another trigger, e.g. that of the messaging gateway.',
		);
	}
}

/** Refuses an address that the gateway cannot reach, or to which n8n would refuse every answer. */
async function requireAnswerable(context: IExecuteFunctions, { baseUrl }: Gateway): Promise<void> {
	const url = resumeUrlOf(context, {});
	requireReachable(url, baseUrl);
	if (!(await isPathChanged(context, url))) return;

	const { origin, pathname } = new URL(url);
	throw rejection(
		'n8n would refuse the answer',
		`A proxy takes a part off the path of ${origin}${pathname}, which n8n has signed. Set N8N_WEBHOOK_URL to the address without a path, let the proxy pass /webhook and /webhook-waiting on as they are, and restart n8n.`,
	);
}

/** An approval is known by a code that no other one has: so the list is read first. */
async function openApproval(
	context: IExecuteFunctions,
	account: Gateway,
	draft: QuestionDraft,
): Promise<Opened> {
	const listing = describe(context, draft);
	const listed = await listOpen(context, account);
	await requireRoom(context, account, listing, listed, draft.maxOpenQuestions);

	listing.code = drawCode(listed, [draft.text, ...draft.labels].join('\n'));
	const { known, clockLagMs } = await create(context, account, draft, listing);
	return { known, clockLagMs, older: [] };
}

/**
 * A *Reply* or *Choice* reads the list once, when its own webhook is there: of two that two workers ask in
 * one instant, the older one sees the newer one, and yields.
 */
async function openOther(
	context: IExecuteFunctions,
	account: Gateway,
	draft: QuestionDraft,
): Promise<Opened> {
	const { known, clockLagMs } = await create(context, account, draft, describe(context, draft));
	const finding = findOlder(context, account, known, draft.maxOpenQuestions);
	const older = await finding.catch(async (error: unknown) => {
		await withdraw(context, account, known);
		throw error;
	});
	return { known, clockLagMs, older };
}

/**
 * The *Reply* or *Choice* that the chat has until now.
 *
 * @throws {GatewayError} if the list cannot be read, has a newer one, or is full; nothing is sent yet
 */
async function findOlder(
	context: IExecuteFunctions,
	account: Gateway,
	{ question, listing }: Known,
	maxOpen: number,
): Promise<Listed[]> {
	const listed = await readList(context, account);
	const others = listed.filter(({ id }) => id !== question.webhookId);
	const inChat = others.filter(
		(other) => other.isOwn && other.listing.kind === 'other' && isSameChat(other.listing, listing),
	);
	if (inChat.some((other) => other.listing.openedAt > listing.openedAt)) throw tooLate();

	const beside = others.filter((other) => !inChat.includes(other));
	await requireRoom(context, account, listing, beside, maxOpen);
	return inChat;
}

/** Without the list, a message could be for two questions. Nothing is sent yet: another try is safe. */
async function readList(context: IExecuteFunctions, account: Gateway): Promise<Listed[]> {
	return await listOpen(context, account).catch((error: unknown) => {
		const isRefused = error instanceof GatewayError;
		throw isRefused ? new GatewayError({ ...error.failure, retryable: true }) : error;
	});
}

function describe(context: IExecuteFunctions, draft: QuestionDraft): Listing {
	return {
		kind: draft.type === 'approval' ? 'approval' : 'other',
		code: '',
		needsQuote: draft.requireQuotedReply,
		until: Date.now() + draft.limitWaitTime,
		openedAt: Date.now() + randomInt(1_000) / 1_000,
		workflow: fingerprint(context.getWorkflow().id ?? ''),
		to: keyOf(draft.to),
		person: draft.person === undefined ? undefined : keyOf(draft.person),
		instanceId: draft.instanceId,
	};
}

/** Creates the webhook through which the answer comes. */
async function create(
	context: IExecuteFunctions,
	account: Gateway,
	draft: QuestionDraft,
	listing: Listing,
): Promise<{ known: Known; clockLagMs: number }> {
	const url = composeUrl(context, listing);
	const webhook = await createWebhook(account, url, ['MESSAGE.RECEIVED', 'MESSAGE.SENT']);

	const question: Question = {
		type: draft.type,
		labels: draft.labels,
		to: draft.to,
		instanceId: draft.instanceId,
		requireQuotedReply: draft.requireQuotedReply,
		requireText: draft.requireText,
		webhookId: webhook.id,
		secret: encrypt(context, webhook.id, Buffer.from(webhook.secret)).toString('base64'),
		account: accountOf(account),
		askedAt: NOT_YET,
		isReview: isReview(context),
		ended: [],
		leftovers: [],
	};

	const isClock = webhook.clockLagMs <= MAX_CLOCK_LAG_MS;
	return {
		known: remember(question, listing, url),
		clockLagMs: isClock ? webhook.clockLagMs : 0,
	};
}

/** While one question still types, another workflow may have asked a newer one. */
function requireNewest({ state }: Known): void {
	if (state.is === 'ended') throw tooLate();
}

function tooLate(): GatewayError {
	return rejection(
		'Another workflow has just asked something in this chat',
		'A chat has one open Reply or Choice. Turn on Retry On Fail in the settings of this node to ask again.',
		true,
	);
}

async function withdraw(context: IExecuteFunctions, account: Gateway, known: Known): Promise<void> {
	forget(known);
	await closeWebhooks(context, account, [known.question.webhookId]);
}

/**
 * Ends the *Reply* or *Choice* that the chat has had until now.
 *
 * @returns their webhooks, and those that could not be deleted: the first delivery to the new question
 *   tries again
 */
async function endOlder(
	context: IExecuteFunctions,
	account: Gateway,
	{ known, older }: Opened,
): Promise<{ ended: string[]; leftovers: string[] }> {
	// The process may have learned of a chat under another name since the list was read.
	const ids = new Set([...older.map(({ id }) => id), ...findOlderKnown(known)]);
	// While the gateway deletes them, a trigger must not keep a message for them from its workflow.
	for (const id of ids) end(id);
	const leftovers = await closeWebhooks(context, account, [...ids]);
	return { ended: [...ids], leftovers };
}
