import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../gateway/call';
import { isObject, textIn } from '../json';

export type ResponseType = 'reply' | 'choice' | 'approval';

/** An open question. n8n saves it with the waiting execution, in the context of the node. */
export interface Question {
	type: ResponseType;
	/** The choices; for an approval, the labels for yes and for no. */
	labels: string[];
	/** Two digits that no other open question of this n8n has. The numbers of an approval begin with them. */
	code: string;
	webhookId: string;
	secret: string;
	/** In milliseconds. */
	until: number;
	to: string;
	/** Phone or ID of the only person who may answer in a group. */
	person?: string;
	instanceId?: string;
	/** Undefined if the gateway did not say whether it was sent. */
	messageId?: string;
	/** When the message went out, in milliseconds by our clock or the gateway's, whichever is behind. */
	askedAt: number;
	requireQuote: boolean;
	isReview: boolean;
}

/** The chat and the number of a question, as `MESSAGE.SENT` tells them. The URL of the webhook holds them. */
export interface ChatLocation {
	chatId?: string;
	instanceId?: string;
}

/** A question that this process has asked, or received a delivery for. */
export interface KnownQuestion {
	question: Question;
	location: ChatLocation;
	/** ID of the event that answers the question. */
	answeredBy?: string;
	/** ID of the event after which the labels are listed again. */
	unclearBy?: string;
	isListedAgain?: boolean;
	/** ID of the message that lists them. */
	listId?: string;
}

export function readQuestion(context: IWebhookFunctions): Question | undefined {
	// n8n gives a webhook no other way to the context. Braces in a name would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const saved: unknown = context.evaluateExpression(`{{ $node[${name}].context.question }}`);
	return isObject(saved) ? (saved as unknown as Question) : undefined;
}

/** The parameters in the URL of a question's webhook. n8n signs them: a URL with other parameters is refused. */
export interface UrlParameters extends Pick<Question, 'until' | 'code'>, ChatLocation {}

export function composeUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ until, code, chatId, instanceId }: UrlParameters,
): string {
	return context.getSignedResumeUrl({
		until: String(until),
		code,
		by: fingerprint(context),
		...(chatId !== undefined && { chat: chatId }),
		...(instanceId !== undefined && { instance: instanceId }),
	});
}

/** The location is empty until `MESSAGE.SENT` has come. */
export function readLocation(query: IDataObject): ChatLocation {
	const chatId = textIn(query, 'chat');
	const instanceId = textIn(query, 'instance');
	return {
		...(chatId !== undefined && { chatId }),
		...(instanceId !== undefined && { instanceId }),
	};
}

/** Reads the URL of a webhook, if it belongs to a question of this n8n: nothing is ever sent to another host. */
export function readUrl(
	context: GatewayContext,
	url: string,
	ownUrl: string,
): Pick<UrlParameters, 'until' | 'code'> | undefined {
	if (!URL.canParse(url) || new URL(url).origin !== new URL(ownUrl).origin) return undefined;
	const query = new URL(url).searchParams;
	const [until, code, by] = ['until', 'code', 'by'].map((name) => query.get(name));
	if (!code || !query.has('signature') || by !== fingerprint(context)) return undefined;
	return Number(until) > 0 ? { until: Number(until), code } : undefined;
}

/** Tells one n8n from another without its ID. */
function fingerprint(context: GatewayContext): string {
	return createHash('sha256').update(context.getInstanceId()).digest('base64url').slice(0, 10);
}
