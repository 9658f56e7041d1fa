import { createHash } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../api/request';
import { dataOf, recordIn, type GatewayEvent } from '../webhooks/event';
import { isSame, type Place } from './question';

/** What the URL of a question's webhook says of it. n8n signs it: whoever changes it is refused. */
export interface Note extends Place {
	/** Phone or ID that the message went to. */
	to: string;
	/** When the execution waits no longer, in milliseconds. */
	until: number;
	/** How often the person was asked again. */
	again?: number;
}

/** Far more than n8n makes of a phone, an ID and a chat. */
const LONGEST = 2_000;
/** Of a chat's or a number's ID. A gateway may tell any: it would go into a URL, and be kept as long as the question. */
const LONGEST_ID = 500;

/** The URL that resumes the execution of this node. */
export function composeUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ to, until, chatId, instanceId, leftAt, again }: Note,
): string {
	return context.getSignedResumeUrl({
		asked: to,
		until: String(until),
		by: markOf(context),
		...(chatId !== undefined && { chat: chatId }),
		...(instanceId !== undefined && { instance: instanceId }),
		...(leftAt !== undefined && { left: String(leftAt) }),
		...(again !== undefined && again > 0 && { again: String(again) }),
	});
}

/** What a webhook's URL says, where it is one of a question, whichever n8n has asked it. */
export function readNote(url: string): Note | undefined {
	if (url.length > LONGEST || !URL.canParse(url)) return undefined;
	const { pathname, searchParams } = new URL(url);
	// Behind no other address of n8n waits an execution with this number.
	if (!/\/\d+\/[^/]+$/.test(pathname)) return undefined;
	const { asked, until, signature, ...rest } = Object.fromEntries(searchParams) as Partial<
		Record<string, string>
	>;
	if (asked === undefined || !(Number(until) > 0) || signature === undefined) return undefined;
	return { to: asked, until: Number(until), ...detailsOf(rest) };
}

/**
 * What a webhook's URL says, where it is one of a question that the same n8n has asked.
 *
 * @param own any URL under which this n8n receives
 */
export function readUrl(context: GatewayContext, url: string, own: string): Note | undefined {
	const note = readNote(url);
	return note && isSameN8n(context, new URL(url), own) ? note : undefined;
}

/** What the parameters of a question's URL say beside whom it went to, and until when. */
export function detailsOf({
	chat,
	instance,
	left,
	again,
}: Partial<Record<string, unknown>>): Omit<Note, 'to' | 'until'> {
	return {
		...(isId(chat) && { chatId: chat }),
		...(isId(instance) && { instanceId: instance }),
		...(Number(left) > 0 && { leftAt: Number(left) }),
		...(Number(again) > 0 && { again: Number(again) }),
	};
}

function isId(told: unknown): told is string {
	return typeof told === 'string' && told.length <= LONGEST_ID;
}

/**
 * Whether the n8n behind a question's URL is the one of the node. All that an n8n receives under ends in a path of its own
 * and, unless somebody has chosen otherwise, has one part before that. Where there are more, the mark of n8n tells it from
 * another n8n at the same host.
 */
function isSameN8n(context: GatewayContext, { origin, pathname, searchParams }: URL, own: string) {
	if (origin !== new URL(own).origin) return false;
	const [base, ownBase] = [pathname, new URL(own).pathname].map((path) =>
		path.split('/').slice(0, -3).join('/'),
	);
	if (searchParams.has('by') && searchParams.get('by') !== markOf(context)) return false;
	return base === ownBase || (searchParams.has('by') && ownBase.startsWith(`${base}/`));
}

/** Tells one n8n from another without telling which it is. */
function markOf(context: GatewayContext): string {
	return createHash('sha256').update(context.getInstanceId()).digest('base64url').slice(0, 10);
}

/** n8n looks for executions whose time is over once a minute; until then an answer is still one. */
const LATE_MS = 2 * 60_000;

/** Whether nobody can be waiting for the answer any more. */
export function isOver({ until }: Note, now: number): boolean {
	return until + LATE_MS < now;
}

/** Whether a question is open, and was asked by the number that a message has come to. */
export function isOpenAt(note: Note, { type, instanceId }: GatewayEvent): boolean {
	if (type !== 'MESSAGE.RECEIVED' || isOver(note, Date.now())) return false;
	return note.instanceId === undefined || note.instanceId === instanceId;
}

/** Whether a message was written in the chat in which a question was asked, as far as its note tells. */
export function isInChat({ to, chatId }: Note, event: GatewayEvent): boolean {
	const chat = recordIn(dataOf(event), 'chat');
	return isSame(to, chat) || (chatId !== undefined && chat?.id === chatId);
}
