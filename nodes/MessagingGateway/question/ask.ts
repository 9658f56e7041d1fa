import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { failureOf } from '../api/failure';
import { readToken } from '../api/numbers';
import { CREDENTIAL_TYPES } from '../api/request';
import { parseTime } from '../webhooks/event';
import type { NewWebhook } from '../webhooks/records';
import { openAccount } from './accounts';
import { listLabels, type Wanted } from './meaning';
import { noteExecution } from './parking';
import { keepQuestion, type Question } from './question';
import { closeWebhook } from './sweep';
import { composeUrl } from './url';
import { openWebhook } from './webhook';

/** What is asked of whom, and for how long. */
export interface QuestionDraft
	extends
		Wanted,
		Pick<Question, 'to' | 'person' | 'instanceId' | 'requireQuote' | 'askAgain' | 'perMinute'> {
	waitMs: number;
	/** How many questions may be open at once. */
	most: number;
}

/** What deliveries may be late or early by (API document, "Limits"), and so the clock of the gateway wrong. */
const TOLERANCE_MS = 5 * 60_000;

const TOO_LATE = [
	'The question could not be sent within its Limit Wait Time',
	'The node waited longer than that, since the gateway had asked for a pause, or because of Messages Per Minute. Set a longer Limit Wait Time, or try again later.',
] as const;

/**
 * Asks somebody, and puts the execution to wait for the answer. The webhook through which that comes is there before
 * the message is sent, so that no answer is too early for it.
 *
 * @param send sends the message, with these lines behind it, and gives its ID; it calls `begins` as the message goes out
 * @returns what to tell the person who runs the workflow
 * @throws whatever `send` throws where nothing was sent; then nothing waits
 */
export async function ask(
	context: IExecuteFunctions,
	{ waitMs, most, ...asked }: QuestionDraft,
	send: (lines: string, begins: () => void) => Promise<string>,
): Promise<string | undefined> {
	await requireAbleToWait(context);
	noteExecution(context);
	const { to, instanceId } = asked;
	const until = Date.now() + waitMs;
	const note = { to, until, ...(instanceId !== undefined && { instanceId }) };
	const url = composeUrl(context, note);
	const account = await openAccount(context);
	const webhook = await openWebhook(context, account, url, most);

	let sentAt = webhook.answeredAt;
	const sending = send(listLabels(asked), () => {
		sentAt = Date.now();
		if (sentAt >= until) throw refusalToAsk(context, ...TOO_LATE);
		// The answer may come before the gateway has said that it sends.
		account.note(webhook.id, { ...note, url });
	});
	const outcome = await sending.then(
		() => 'sent' as const,
		(error: unknown) => failureOf(error)?.outcome ?? 'rejected',
	);
	const settledAt = Date.now();
	// What would have to quote a message that nobody knows cannot be told from anything else.
	const isInVain = outcome === 'rejected' || (outcome === 'unknown' && asked.requireQuote);
	if (isInVain || context.getExecutionCancelSignal()?.aborted) {
		await closeWebhook(unstopped(context), webhook.id);
		await sending;
		return undefined;
	}
	const messageId = outcome === 'sent' ? await sending : undefined;
	keepQuestion(context, {
		...asked,
		until: note.until,
		account: account.fingerprint,
		webhookId: webhook.id,
		secret: webhook.secret,
		messageId,
		sentAt: messageId === undefined ? undefined : sentAt,
		...readAskedAt(webhook, sentAt, settledAt),
		isReview: isReview(context),
	});
	account.note(webhook.id, { ...note, url }, messageId);
	await putToWait(context, new Date(note.until));
	if (messageId !== undefined) return undefined;
	const unknown =
		'The message may have been sent. The workflow waits for the answer. Check the chat before you ask again.';
	context.logger.warn(`Messaging Gateway: execution ${context.getExecutionId()}: ${unknown}`);
	return unknown;
}

/** Requests through it go out although somebody has stopped the execution: what it has made must not stay. */
function unstopped(context: IExecuteFunctions): IExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IExecuteFunctions;
}

/** Whether somebody is asked what an agent may do, and not by a node of the workflow itself. */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

async function requireAbleToWait(context: IExecuteFunctions): Promise<void> {
	// The answer comes through a webhook, and those belong to the account (API document, "Authentication").
	if (readToken(await context.getCredentials(CREDENTIAL_TYPES.instance), 'account') === '') {
		throw refusalToAsk(
			context,
			'The credential of this node has no ‘Account Token’',
			'Send and Wait for Reply needs it to receive the answer. Open the credential of this node, and enter the account token of your gateway (svc_acct_…) as Account Token.',
		);
	}
	if (context.getInputData().length > 1) {
		throw refusalToAsk(
			context,
			'An execution can wait for one answer only, and there are several items',
			'To ask for all of them at once, put this node into a workflow of its own. Call that workflow from Loop Over Items with Execute Sub-Workflow, and switch its option Wait For Sub-Workflow Completion off. To ask one after the other, put this node itself into Loop Over Items. Set Batch Size to 1 in both cases.',
		);
	}
}

function refusalToAsk(
	context: IExecuteFunctions,
	message: string,
	description: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. ${description}`,
	});
}

/**
 * Between which moments the gateway has taken the message, by its own clock, with which the times of events are compared.
 * Where that clock is not known, or too wrong, by ours, as early as the other may show it.
 *
 * @param sentAt when the message went out, in milliseconds as of `Date.now`
 * @param settledAt when the answer to it had come, or nobody waited for it any longer
 */
function readAskedAt(
	{ createdAt, requestedAt, answeredAt }: NewWebhook,
	sentAt: number,
	settledAt: number,
): Pick<Question, 'askedAt' | 'takenBy'> {
	const created = parseTime(createdAt);
	if (created === undefined || Math.abs(created - answeredAt) >= TOLERANCE_MS)
		return { askedAt: sentAt - TOLERANCE_MS };
	return {
		askedAt: created + (sentAt - answeredAt),
		takenBy: created + (settledAt - requestedAt),
	};
}

async function putToWait(context: IExecuteFunctions, until: Date): Promise<void> {
	const older = context as { setSignatureValidationRequired?(): void };
	// n8n 1 checks the signature of a URL only where it is asked to.
	older.setSignatureValidationRequired?.();
	await context.putExecutionToWait(until);
}
