import { createHash } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../api/request';
import type { Place, Question } from './question';

/** The parameters in the URL of a question's webhook. n8n signs them, so nobody can change them. */
export interface UrlParameters extends Pick<Question, 'until' | 'code'>, Place {}

/** The URL that resumes the execution of this node. */
export function composeUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ until, code, chatId, instanceId }: UrlParameters,
): string {
	return context.getSignedResumeUrl({
		until: String(until),
		code,
		by: markOf(context),
		...(chatId !== undefined && { chat: chatId }),
		...(instanceId !== undefined && { instance: instanceId }),
	});
}

/**
 * Reads the URL of a webhook, if it belongs to a question of this n8n.
 *
 * @param own a URL under which this n8n receives: nothing is ever sent to another host
 */
export function readUrl(
	context: GatewayContext,
	url: string,
	own: string,
): Pick<UrlParameters, 'until' | 'code'> | undefined {
	if (!URL.canParse(url) || new URL(url).origin !== new URL(own).origin) return undefined;
	const { until, code, by, signature } = Object.fromEntries(new URL(url).searchParams) as Partial<
		Record<string, string>
	>;
	if (code === undefined || signature === undefined || by !== markOf(context)) return undefined;
	return Number(until) > 0 ? { until: Number(until), code } : undefined;
}

/** Tells one n8n from another without telling which it is. */
function markOf(context: GatewayContext): string {
	return createHash('sha256').update(context.getInstanceId()).digest('base64url').slice(0, 10);
}
