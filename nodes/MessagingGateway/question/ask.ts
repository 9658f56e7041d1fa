import type { IExecuteFunctions } from 'n8n-workflow';
import { ownToken } from '../gateway/connection';
import { GatewayError, rejection } from '../gateway/failure';
import { TOKENS } from '../gateway/secrets';
import { isReview } from '../n8n/agent';
import { rememberQuestion } from './knownQuestions';
import { closeWebhooks, openAccount, openWebhook } from './openWebhook';
import { accountOf, encrypt, type Question, type QuestionDraft } from './question';
import { listLabels } from './readAnswer';

/**
 * Asks a person, and puts the execution to wait. The webhook exists before the message is sent.
 *
 * @param message `send` adds the lines to the message, and returns its ID
 * @returns a hint for the person who runs the workflow
 * @throws {Error} that of `send`, or the reason why the message was not sent; then nothing waits
 */
export async function ask(
	context: IExecuteFunctions,
	draft: QuestionDraft,
	message: { before(): Promise<void>; send(lines: string): Promise<string> },
): Promise<string | undefined> {
	await requireAbleToWait(context);
	const account = await openAccount(context);
	const { type, labels, to, instanceId, requireQuotedReply, requireText } = draft;
	const { webhook, listing, url } = await openWebhook(context, account, draft);
	const { id: webhookId, clockLagMs } = webhook;
	const isCancelled = (): boolean => context.getExecutionCancelSignal()?.aborted === true;
	let sentAt = Date.now();
	const sending = message.before().then(async () => {
		sentAt = Date.now();
		return await message.send(listLabels({ question: draft, listing }));
	});
	const messageId = await sending.catch(async (error: unknown) => {
		const mayBeSent = error instanceof GatewayError && error.failure.outcome === 'unknown';
		// A person can quote only a message whose ID is known.
		if (mayBeSent && !requireQuotedReply && !isCancelled()) return undefined;
		await closeWebhooks(context, account, [webhook]);
		throw error;
	});
	if (isCancelled()) {
		await closeWebhooks(context, account, [webhook]);
		return undefined;
	}
	const question: Question = {
		...{ type, labels, to, instanceId, requireQuotedReply, requireText },
		webhookId,
		secret: encrypt(context, webhookId, Buffer.from(webhook.secret)).toString('base64'),
		account: accountOf(account),
		messageId,
		askedAt: sentAt - clockLagMs,
		isReview: isReview(context),
	};
	context.getContext('node').question = question;
	rememberQuestion({ question, listing, url });
	await context.putExecutionToWait(new Date(listing.until));
	if (messageId !== undefined) return undefined;
	return 'The message may have been sent. The workflow waits for the answer. Check the chat before you ask again.';
}

async function requireAbleToWait(context: IExecuteFunctions): Promise<void> {
	// Webhooks belong to the account (API document, "Authentication").
	const credential = await context.getCredentials(TOKENS.instance.credential);
	if (ownToken(credential, 'account') === '')
		throw rejection(
			'The credential of this node has no ‘Account Token’',
			'Send and Wait for Reply needs it to receive the answer. Open the credential, and enter the account token of your gateway (svc_acct_…) as Account Token.',
		);
	if (context.getInputData().length > 1)
		throw rejection(
			'An execution can wait for one answer only, and there are several items',
			'To ask one after the other, put this node into Loop Over Items with a Batch Size of 1. To ask all at once, see “Ask many people at once” in the documentation.',
		);
}
