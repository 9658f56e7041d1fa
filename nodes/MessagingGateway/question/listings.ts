import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import { listWebhooks } from '../gateway/webhooks';
import type { GatewayEvent } from '../incoming/event';
import { phoneKeyOf } from '../phone';
import { fingerprint, type Listing, type WaitingContext } from './question';

/** A question in the gateway's list of webhooks. */
export type ListedQuestion = Listing & { id: string; url: string };

export function composeUrl(context: WaitingContext, listing: Listing): string {
	const by = fingerprint(context.getInstanceId());
	const parameters: Record<string, string> = {};
	for (const [name, value] of Object.entries({ ...listing, by, signature: '' }))
		if (value !== undefined && value !== '') parameters[name] = String(value);
	return context.getSignedResumeUrl(parameters);
}

/** Reads the parameters of such a URL. */
export function readListing(query: IDataObject): Listing {
	const { code = '', until, openedAt } = query;
	return { ...query, code, until: Number(until), openedAt: Number(openedAt) } as Listing;
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

/** Whether a message is written where a question was asked, by somebody who may answer. */
export function isInChat(
	{ to, chatId, instanceId, person }: Listing,
	{ chat, sender, instanceId: receiver }: GatewayEvent,
): boolean {
	if (chat === undefined || chat.type === 'status') return false;
	if (instanceId !== undefined && instanceId !== receiver) return false;
	if (!isNamed(to, chat) && (chatId === undefined || chat.id !== chatId)) return false;
	return person === undefined || chat.type === 'person' || isNamed(person, sender);
}

/** Whether a fingerprint is that of a chat or a person: by ID, or by either spelling of a mobile number. */
function isNamed(key: string, { id, phone }: Partial<GatewayEvent['sender']> = {}): boolean {
	return [id, phone].some((name) => name !== undefined && keyOf(name) === key);
}

export function keyOf(name: string): string {
	return fingerprint(phoneKeyOf(name));
}
