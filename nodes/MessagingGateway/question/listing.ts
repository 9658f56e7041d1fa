import type { GatewayContext } from '../api/request';
import { listWebhooks, type WebhookList } from '../webhooks/records';
import type { Account } from './account';

/** A request for the webhooks of an account, and when it was begun, in milliseconds as of `Date.now`. */
export interface Listing {
	begunAt: number;
	answer: Promise<WebhookList>;
}

/**
 * Lists the webhooks of an account. Questions that one message may answer share one request.
 *
 * @param since the list has to show all that was there until then, in milliseconds as of `Date.now`; left out, until now
 * @throws GatewayError if the gateway does not answer with a list
 */
export async function listOf(
	context: GatewayContext,
	account: Account,
	{ since = Infinity, timeoutMs }: { since?: number; timeoutMs?: number } = {},
): Promise<WebhookList> {
	const latest = account.listing;
	if (latest !== undefined && latest.begunAt > since) return await latest.answer;
	const listing = { begunAt: Date.now(), answer: listWebhooks(context, timeoutMs) };
	account.listing = listing;
	return await listing.answer.catch((error: unknown) => {
		if (account.listing === listing) account.listing = undefined;
		throw error;
	});
}
