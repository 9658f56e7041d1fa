import type { IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../api/access';
import type { GatewayEvent } from '../webhooks/event';
import { requestOf, signedPartOf } from '../webhooks/http';
import { verifyDelivery } from '../webhooks/standardWebhooks';
import type { Account } from './account';
import { accountOf, openAccount } from './accounts';
import type { Question } from './question';
import type { Note } from './url';

/** A genuine delivery to an execution that waits, and what is known of the question's account. */
export interface QuestionDelivery {
	account: Account;
	event: GatewayEvent;
	context: IWebhookFunctions;
	question: Question;
	/** What the URL says of the question, and this process knows beside. */
	note: Note;
}

/**
 * Verifies a delivery to a question. The gateway signs with the secret of the question's webhook, and a trigger that
 * forwards with that of its account: what a trigger of another account signs fits no secret here. What a trigger signs names
 * a message, which the account of this process has to hold.
 *
 * @returns undefined if it is not genuine
 */
export async function admitToQuestion(
	context: IWebhookFunctions,
	question: Question,
): Promise<Pick<QuestionDelivery, 'account' | 'event'> | undefined> {
	const [account, ...others] = await findAccounts(context, question);
	const verify = async (secret: string): Promise<GatewayEvent | undefined> => {
		const request = signedPartOf(requestOf(context));
		const verdict = await verifyDelivery(request, async () => await Promise.resolve(secret));
		return verdict.kind === 'genuine' ? verdict.event : undefined;
	};
	const delivered = await verify(question.secret);
	if (delivered !== undefined) return { account, event: delivered };
	for (const { forwardSecret, forwarding } of [account, ...others]) {
		const told = await verify(forwardSecret);
		const event = told && forwarding.find(question.webhookId, told);
		if (event !== undefined) return { account, event };
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
	const known = question.account ?? current?.fingerprint;
	const asked = accountOf(known ?? fingerprint({ baseUrl: '', token: question.secret }));
	return [...new Set([current ?? asked, asked])];
}
