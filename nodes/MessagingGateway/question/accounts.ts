import { createHmac, randomBytes } from 'crypto';
import { fingerprint } from '../api/access';
import { openAccess, type GatewayContext } from '../api/request';
import { sharedMap } from '../processState';
import { listWebhooks, type WebhookList } from '../webhooks/records';
import { Account } from './account';
import type { Forwarder } from './accountMemory';

/** Far more than an n8n has. One that is forgotten is learnt again before anything is decided. */
const MOST_ACCOUNTS = 200;

const keys = sharedMap<Buffer>('keys');
/** Known to this process alone, and to nobody after its end. */
const KEY = keys.get('forwarding') ?? randomBytes(32);
keys.set('forwarding', KEY);

/** By fingerprint, the one that was used last at the end. */
const accounts = sharedMap<Account>('accounts');

/** Triggers whose deliveries arrive in this process. */
const receiving = sharedMap<true>('receiving triggers');

// What an older load of the package has left, as after an update while n8n runs: it goes on with the newest code.
for (const [name, older] of [...accounts]) {
	accounts.delete(name);
	try {
		accounts.set(name, new Account(name, secretFor(name), older.handOver()));
	} catch {
		// Of a shape that nobody knows any more: it begins anew, as after a restart. The package must load.
		continue;
	}
}

/** What this process knows of an account. Never forgotten in its favour: those whose messages a trigger forwards. */
export function accountOf(name: string): Account {
	const account = accounts.get(name) ?? new Account(name, secretFor(name));
	accounts.delete(name);
	accounts.set(name, account);
	if (accounts.size > MOST_ACCOUNTS) {
		// What a gateway lists keeps nothing: anybody could make others forgotten with it.
		const idle = [...accounts].find(
			([each, { forwarders }]) => each !== name && forwarders.size === 0,
		);
		if (idle !== undefined) accounts.delete(idle[0]);
	}
	return account;
}

/**
 * What this process knows of the account that a node's credential names.
 *
 * @throws NodeOperationError if the credential names none
 */
export async function openAccount(context: GatewayContext): Promise<Account> {
	return accountOf(fingerprint(await openAccess(context, 'account')));
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
	const now = Date.now();
	// One from the future is from before somebody has set the clock back.
	if (latest !== undefined && latest.begunAt > since && latest.begunAt <= now)
		return await latest.answer;
	const listing = { begunAt: now, answer: listWebhooks(context, timeoutMs) };
	account.listing = listing;
	return await listing.answer.catch((error: unknown) => {
		if (account.listing === listing) account.listing = undefined;
		throw error;
	});
}

/** The account whose messages a trigger forwards. */
export function findForwarded(trigger: string): Account | undefined {
	return [...accounts.values()].find(({ forwarders }) => forwarders.has(trigger));
}

/** Notes whose messages a trigger forwards; without an account that it no longer does. */
export function setForwarder(
	trigger: string,
	account?: Account,
	forwarder: Forwarder = { isProven: false },
): void {
	findForwarded(trigger)?.forwarders.delete(trigger);
	account?.forwarders.set(trigger, forwarder);
}

/** Leaves the triggers of an account whose webhook the gateway does not list any more: nothing arrives there to be forwarded. */
export function leaveUnlisted({ forwarders }: Account, list: WebhookList): void {
	for (const [trigger, { isListed }] of forwarders)
		if (isListed?.(list) === false) forwarders.delete(trigger);
}

/** Notes that a delivery which a trigger has sent to itself has arrived, and in this process. */
export function noteArrival(trigger: string): void {
	receiving.set(trigger, true);
}

/** Whether a trigger of this process forwards all messages of an account that arrive. */
export function hasForwarder({ forwarders }: Account): boolean {
	return [...forwarders].some(([trigger, { isProven }]) => isProven && receiving.has(trigger));
}

function secretFor(name: string): string {
	return `whsec_${createHmac('sha256', KEY).update(name).digest('base64')}`;
}
