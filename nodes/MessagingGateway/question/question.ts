import { createCipheriv, createHash } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import { isObject } from '../json';

export type ResponseType = 'reply' | 'choice' | 'approval';

/** What n8n saves of an open question with the waiting execution, in the context of the node. */
export interface Question {
	type: ResponseType;
	/** The choices; for an approval, the labels for yes and for no. */
	labels: string[];
	webhookId: string;
	/** Encrypted, in base64. */
	secret: string;
	/** Fingerprint of the account whose gateway delivers the answer. */
	account: string;
	to: string;
	instanceId?: string;
	/** Undefined if the gateway did not say whether it was sent. */
	messageId?: string;
	/** When the message went out, in milliseconds by our clock or the gateway's, whichever is behind. */
	askedAt: number;
	requireQuote: boolean;
	requireText: boolean;
	isReview: boolean;
}

/** What the URL of its webhook tells of an open question, to every process of this n8n. n8n signs the URL. */
export interface Listing {
	/** `plain` takes messages that quote nothing; a `quoted` reply or choice does not. */
	kind: 'approval' | 'plain' | 'quoted';
	/** Two digits with which the numbers of an approval begin, and of no other open one; empty otherwise. */
	code: string;
	/** In milliseconds. */
	until: number;
	/** In milliseconds, with a fraction: no two questions are equally old. */
	openedAt: number;
	/** Fingerprints of the chat, and of the only person who may answer unless the chat is with one person. */
	to: string;
	person?: string;
	/** As `MESSAGE.SENT` tells them. */
	chatId?: string;
	instanceId?: string;
	/** Fingerprint of the event that has answered the question: its repeats answer no other question. */
	answeredBy?: string;
}

/** A question that this process has asked, or received a delivery for. */
export interface KnownQuestion {
	question: Question;
	listing: Listing;
	/** Of its webhook. */
	url: string;
	/** ID of the event that answers the question. */
	answeredBy?: string;
	/** n8n has gone on with that answer. */
	isAnswered?: boolean;
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

/** Tells one text from another without showing it. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

export function accountOf({ baseUrl, token }: Gateway): string {
	return fingerprint(`${baseUrl} ${token}`);
}

export type WaitingContext = IExecuteFunctions | IWebhookFunctions;

/** Encrypts the secret of a question, or decrypts it: people read executions, but cannot sign a URL as n8n does. */
export function encrypt(context: WaitingContext, webhookId: string, bytes: Buffer): Buffer {
	const [, signature] = context.getSignedResumeUrl({ webhookId }).split('signature=');
	const key = createHash('sha256').update(signature).digest();
	// Each key encrypts one secret.
	return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes);
}
