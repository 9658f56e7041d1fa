import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayEvent } from '../webhooks/event';
import { requestOf, signedPartOf } from '../webhooks/http';
import { verifyDelivery } from '../webhooks/signature';
import type { Account } from './account';
import { accountOf, openAccount } from './accounts';
import type { Question } from './question';
import type { Note } from './url';

/** A genuine delivery to a question, and what is known of the question's account. */
export interface Admitted {
	account: Account;
	event: GatewayEvent;
}

/** A genuine delivery to an execution that waits. */
export interface QuestionDelivery extends Admitted {
	context: IWebhookFunctions;
	question: Question;
	/** What the URL says of the question, and this process knows beside. */
	note: Note;
}

/**
 * Verifies a delivery to a question. The gateway signs with the secret of the question's webhook, and a trigger that
 * forwards with that of its account: what a trigger of another account signs fits no secret here.
 *
 * @returns undefined if it is not genuine
 */
export async function admitToQuestion(
	context: IWebhookFunctions,
	question: Question,
): Promise<Admitted | undefined> {
	const accounts = await findAccounts(context, question);
	for (const secret of [question.secret, ...accounts.map((account) => account.forwardSecret)]) {
		const request = signedPartOf(requestOf(context));
		const verdict = await verifyDelivery(request, async () => await Promise.resolve(secret));
		if (verdict.kind === 'genuine') return { account: accounts[0], event: verdict.event };
	}
	return undefined;
}

/**
 * The account that the credential of a question's node names now, and the one that it was asked through. Both are one,
 * unless somebody has renewed the token since.
 */
async function findAccounts(context: IWebhookFunctions, question: Question): Promise<Account[]> {
	const current = await openAccount(context).catch(() => undefined);
	// Where neither can be told, it has an account of its own, and no trigger forwards to it.
	const asked = accountOf(question.account ?? current?.fingerprint ?? question.secret);
	return [...new Set([current ?? asked, asked])];
}
