import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { failureOf } from '../api/failure';
import { CREDENTIAL_TYPES } from '../api/request';
import type { NewWebhook } from '../webhooks/records';
import { listLabels, type Wanted } from './meaning';
import { noteQuestion } from './memory';
import { keepQuestion, type Question } from './question';
import { noteExecution } from './relay';
import { closeWebhook } from './sweep';
import { composeUrl } from './url';
import { openWebhook } from './webhook';

/** What is asked of whom, and for how long. */
export interface Asking
	extends Wanted, Pick<Question, 'to' | 'person' | 'requireQuote' | 'askAgain'> {
	waitMs: number;
	/** How many questions may be open at once. */
	most: number;
}

/** A message that was accepted. */
export interface Sent {
	messageId: string;
	/** When it was handed to the gateway, in milliseconds as of `Date.now`. */
	at: number;
}

/** What deliveries may be late or early by (API document, "Limits"), and a clock wrong. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Asks somebody, and puts the execution to wait for the answer. The webhook through which that comes is there before
 * the message is sent, so that no answer is too early for it.
 *
 * @param send sends the message, with these lines behind it
 * @returns what to tell the person who runs the workflow
 * @throws whatever `send` throws where nothing was sent; then nothing waits
 */
export async function ask(
	context: IExecuteFunctions,
	{ waitMs, most, ...asked }: Asking,
	send: (lines: string) => Promise<Sent>,
): Promise<string | undefined> {
	requireAbleToWait(context);
	noteExecution(context);
	const note = { to: asked.to, until: Date.now() + waitMs };
	const url = composeUrl(context, note);
	const webhook = await openWebhook(context, url, most);
	const openedAt = Date.now();

	const sending = send(listLabels(asked));
	const outcome = await sending.then(
		() => 'sent' as const,
		(error: unknown) => failureOf(error)?.outcome ?? 'rejected',
	);
	if (outcome === 'rejected' || context.getExecutionCancelSignal()?.aborted) {
		await closeWebhook(context, webhook.id);
		await sending;
		return undefined;
	}
	const sent = outcome === 'sent' ? await sending : undefined;
	keepQuestion(context, {
		...asked,
		until: note.until,
		webhookId: webhook.id,
		secret: webhook.secret,
		messageId: sent?.messageId,
		askedAt: sent && readAskedAt(webhook, sent.at - openedAt),
		isReview: isReview(context),
	});
	noteQuestion(webhook.id, note, sent?.messageId);
	await putToWait(context, new Date(note.until));
	if (sent) return undefined;
	const unknown =
		'The message may have been sent or not: its answer is waited for all the same. Look for it in the chat.';
	context.logger.warn(`Messaging Gateway: execution ${context.getExecutionId()}: ${unknown}`);
	return unknown;
}

/** Whether somebody is asked what an agent may do, and not by a node of the workflow itself. */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

function requireAbleToWait(context: IExecuteFunctions): void {
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, {
			description: `Nothing was sent. ${description}`,
		});
	if (context.getNode().credentials?.[CREDENTIAL_TYPES.account] === undefined) {
		throw refuse(
			'The account credential is missing',
			'The answer comes through a webhook, and webhooks belong to the account (API document, “Authentication”). Choose a Messaging Gateway Account API credential in this node as well.',
		);
	}
	if (context.getInputData().length > 1) {
		throw refuse(
			'An execution can wait for one answer only, and there are several items',
			'To ask for each of them, put this node into a workflow of its own and call that with Execute Sub-Workflow in the mode “Run once for each item”, with the option Wait for Sub-Workflow Completion switched off. To ask one after the other, use Loop Over Items with a batch size of 1.',
		);
	}
}

/** When the message was sent, by the clock of the gateway, whose events are compared with it. */
function readAskedAt({ createdAt = '' }: NewWebhook, laterMs: number): number | undefined {
	const opened = Date.parse(createdAt);
	return Math.abs(opened - Date.now()) < TOLERANCE_MS ? opened + laterMs : undefined;
}

async function putToWait(context: IExecuteFunctions, until: Date): Promise<void> {
	const older = context as { setSignatureValidationRequired?(): void };
	// n8n 1 checks the signature of a URL only where it is asked to.
	older.setSignatureValidationRequired?.();
	await context.putExecutionToWait(until);
}
