import { createCipheriv, createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import type { GatewayEvent } from '../incoming/event';
import { isObject } from '../values/json';
import { phoneKeyOf } from '../values/phone';

export type WaitingContext = IExecuteFunctions | IWebhookFunctions;

interface Asked {
	type: 'reply' | 'choice' | 'approval';
	labels: string[];
	to: string;
	instanceId?: string;
	requireQuotedReply: boolean;
	requireText: boolean;
}

/** The question as asked, with the options of the operation by their names. */
export interface QuestionDraft extends Asked {
	text: string;
	person?: string;
	limitWaitTime: number;
	maxOpenQuestions: number;
}

/** The part of a question that n8n saves, in the context of the node. */
export interface Question extends Asked {
	webhookId: string;
	secret: string;
	/** Fingerprint of the account whose gateway delivers the answer. */
	account: string;
	/** Undefined if the gateway did not say whether it was sent. */
	messageId?: string;
	/** By our clock or the gateway's, whichever is behind. */
	askedAt: number;
	isReview: boolean;
}

/** The part that its signed URL tells. `to` and `person` are fingerprints, `chatId` is as it came. */
export interface Listing {
	kind: 'approval' | 'plain' | 'quoted';
	/** Two digits with which the numbers of an approval begin; else empty. */
	code: string;
	until: number;
	/** With a fraction of a millisecond: no two questions are equally old. */
	openedAt: number;
	to: string;
	person?: string;
	/** Told by `MESSAGE.SENT`. */
	chatId?: string;
	instanceId?: string;
	/** Fingerprint of the event that has answered the question: its repeats answer no other one. */
	answeredBy?: string;
}

/** A question that this process has asked, or received a delivery for. */
export interface KnownQuestion {
	question: Question;
	listing: Listing;
	url: string;
	/** IDs of the event that answers it, and of the one after which the labels are listed again. */
	takenBy?: string;
	takenAt?: number;
	unclearBy?: string;
	isListedAgain?: boolean;
	listId?: string;
}

/** The question that the execution waits for. */
export function readQuestion(context: IWebhookFunctions): Question | undefined {
	// n8n gives a webhook no other way to the context. Braces in a name would end the expression.
	const name = JSON.stringify(context.getNode().name);
	const escaped = name.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
	const saved: unknown = context.evaluateExpression(`{{ $node[${escaped}].context.question }}`);
	return isObject(saved) ? (saved as unknown as Question) : undefined;
}

/** Encrypts a secret, or decrypts it: people read executions, but cannot sign a URL as n8n does. */
export function encrypt(context: WaitingContext, webhookId: string, bytes: Buffer): Buffer {
	const [, signature] = context.getSignedResumeUrl({ webhookId }).split('signature=');
	const keyOfOneSecret = createHash('sha256').update(signature).digest();
	return createCipheriv('aes-256-ctr', keyOfOneSecret, Buffer.alloc(16)).update(bytes);
}

/** Tells one text from another without showing it. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** The fingerprint of a chat or a person, the same for each spelling of a mobile number. */
export function keyOf(name: string): string {
	return fingerprint(phoneKeyOf(name));
}

/** The fingerprint of an account: its address and its token. */
export function accountOf({ baseUrl, token }: Gateway): string {
	return fingerprint(`${baseUrl} ${token}`);
}

/** The URL that resumes the execution, with the listing as its parameters. */
export function composeUrl(context: WaitingContext, listing: Listing): string {
	const parameters = { ...listing, by: fingerprint(context.getInstanceId()), signature: '' };
	const told = Object.entries(parameters).filter(([, value]) => (value ?? '') !== '');
	return context.getSignedResumeUrl(
		Object.fromEntries(told.map(([name, value]) => [name, String(value)])),
	);
}

/** Reads the parameters of such a URL. */
export function readListing({ code = '', until, openedAt, ...others }: IDataObject): Listing {
	return { ...others, code, until: Number(until), openedAt: Number(openedAt) } as Listing;
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

function isNamed(key: string, { id, phone }: Partial<GatewayEvent['sender']> = {}): boolean {
	return [id, phone].some((name) => name !== undefined && keyOf(name) === key);
}
