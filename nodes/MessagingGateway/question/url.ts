import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Place } from './question';

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

/** The URL that resumes the execution of this node. */
export function composeUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ to, until, chatId, instanceId, again }: Note,
): string {
	return context.getSignedResumeUrl({
		asked: to,
		until: String(until),
		...(chatId !== undefined && { chat: chatId }),
		...(instanceId !== undefined && { instance: instanceId }),
		...(again !== undefined && again > 0 && { again: String(again) }),
	});
}

/**
 * What a webhook's URL says, where it is one of a question that the same n8n has asked.
 *
 * @param own any URL under which this n8n receives
 */
export function readUrl(url: string, own: string): Note | undefined {
	if (url.length > LONGEST || !URL.canParse(url) || baseOf(url) !== baseOf(own)) return undefined;
	const { pathname, searchParams } = new URL(url);
	// Behind no other address of n8n waits an execution with this number.
	if (!/\/\d+\/[^/]+$/.test(pathname)) return undefined;
	const { asked, until, signature, chat, instance, again } = Object.fromEntries(
		searchParams,
	) as Partial<Record<string, string>>;
	if (asked === undefined || !(Number(until) > 0) || signature === undefined) return undefined;
	return {
		to: asked,
		until: Number(until),
		...placeOf({ chat, instance }),
		...(again !== undefined && { again: readTimes(again) }),
	};
}

/** Where a question was asked, as far as its URL says so. */
export function placeOf({ chat, instance }: Partial<Record<string, unknown>>): Place {
	return {
		...(typeof chat === 'string' && { chatId: chat }),
		...(typeof instance === 'string' && { instanceId: instance }),
	};
}

/** Where an n8n is: all that it receives under ends in three parts of a path of its own. */
function baseOf(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname.split('/').slice(0, -3).join('/');
}

/** How often the person was asked again, as a question's URL says. */
export function readTimes(again: unknown): number {
	return Number(again) > 0 ? Number(again) : 0;
}
