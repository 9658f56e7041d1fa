import { createCipheriv, createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import { readSaved, signatureOf, type WaitingContext } from '../n8n/waitingExecution';
import { phoneKeyOf } from '../values/phone';

// A question lives in three places:
// - the execution that asks it: `Question`, which n8n saves with it, and which never changes;
// - the URL of its webhook at the gateway: `Listing`, which each process can read in the gateway's list;
// - the processes that have asked it or received a delivery for it: `Known`, which a restart ends.

interface Asked {
	type: 'reply' | 'choice' | 'approval';
	/** Empty for a reply; yes and no of an approval. */
	labels: string[];
	to: string;
	instanceId?: string;
	requireQuotedReply: boolean;
	requireText: boolean;
}

/** The question as its author has entered it, with the options of the operation by their names. */
export interface QuestionDraft extends Asked {
	text: string;
	person?: string;
	limitWaitTime: number;
	maxOpenQuestions: number;
}

/** The part of a question that n8n saves with the execution. */
export interface Question extends Asked {
	webhookId: string;
	/** Encrypted, in base64. */
	secret: string;
	/** Fingerprint of the account whose gateway delivers the answer. */
	account: string;
	/** Undefined if the gateway did not say whether it was sent. */
	messageId?: string;
	/** Milliseconds, by our clock or the gateway's, whichever is behind. */
	askedAt: number;
	isReview: boolean;
	/** Webhooks of the older questions of the chat that it has ended: each process learns of them. */
	ended: string[];
	/** Those of them that could not be deleted. */
	leftovers: string[];
}

export const SAVED_AS = 'question';

/** The question that the execution waits for. */
export function readQuestion(context: IWebhookFunctions): Question | undefined {
	return readSaved(context, SAVED_AS) as unknown as Question | undefined;
}

/** Encrypts a secret, or decrypts it: people read executions, but cannot sign a URL as n8n does. */
export function encrypt(context: WaitingContext, webhookId: string, bytes: Buffer): Buffer {
	const keyOfOneSecret = createHash('sha256').update(signatureOf(context, webhookId)).digest();
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
