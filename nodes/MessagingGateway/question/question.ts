import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { keyOf } from '../phone';
import { dataOf, isGroup, recordIn, textIn, timeOf, type GatewayEvent } from '../webhooks/event';
import type { Wanted } from './meaning';

/** What is kept of a question while somebody is asked: in the context of the node, which n8n saves with the execution. */
export interface Question extends Wanted {
	/** Fingerprint of the account that it was asked through: a trigger of no other can forward an answer to it. */
	account?: string;
	webhookId: string;
	/** Of the webhook; whoever has no other question's can answer no other question. */
	secret: string;
	/** As in its URL. */
	until: number;
	/** Phone or ID that the message went to. */
	to: string;
	/** Phone or ID of the only one who counts in a group. */
	person?: string;
	/** Of the number that the person who runs the workflow has chosen to ask from. */
	instanceId?: string;
	/** Of the message; unknown where its outcome is. */
	messageId?: string;
	/** In milliseconds by the gateway's clock; what was written before is no answer. */
	askedAt: number;
	/** When the gateway had taken the message at the latest, by the same clock; as `askedAt` where that is not known. */
	takenBy?: number;
	/** When the message was handed to the gateway, in milliseconds by n8n's clock; unknown where its outcome is. */
	sentAt?: number;
	requireQuote: boolean;
	/** Whether an agent's call of a tool is reviewed: then every text is an answer. */
	isReview: boolean;
	askAgain?: { text: string; maxAttempts: number };
	/** How many messages may go out in a minute. */
	perMinute?: number;
}

/** Where and when the question was really asked, as the gateway says it in events. */
export interface Place {
	instanceId?: string;
	chatId?: string;
	/** When the message left the number, in milliseconds by the gateway's clock. */
	leftAt?: number;
}

/** So many digits at the end of a phone number stay the same however a country writes what is in front of them. */
const LAST_DIGITS = 7;
const MAX_PHONE_LENGTH = 100;

/** So long the gateway takes at most, as a rule, to tell that a message has left the number. */
export const TOLD_WITHIN_MS = 60_000;

/**
 * Whether MESSAGE.SENT has told where or when a question was asked. Until then its message has perhaps not left, and another
 * number of the account may have got an answer.
 */
export function isTold({ chatId, leftAt }: Place = {}): boolean {
	return chatId !== undefined || leftAt !== undefined;
}

/** Keeps a question for the delivery that may answer it: n8n saves it together with the execution that waits. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node').question = question;
}

/** The question that the execution waits with now. */
export function findQuestion(context: IWebhookFunctions): Question | undefined {
	// Nothing else in what n8n hands to a webhook leads there. Braces in a name would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const kept: unknown = context.evaluateExpression(`{{ $node[${name}].context.question }}`);
	return isObject(kept) ? (kept as unknown as Question) : undefined;
}

/** Whether an event is the message by which the question was asked (API document, "Endpoint rules" 1). */
export function isQuestion({ messageId }: Question, event: GatewayEvent): boolean {
	return (
		event.type === 'MESSAGE.SENT' &&
		messageId !== undefined &&
		dataOf(event).messageId === messageId
	);
}

/**
 * Whose message an event is: `asked`, of the person asked, written where and after they were asked; `untold`, nobody can
 * tell until `MESSAGE.SENT` says which chat the question is in, and since when; `unmatched`, nobody will ever tell;
 * `other`, for all else.
 */
export type Origin = 'asked' | 'untold' | 'unmatched' | 'other';

/** Tells whose message an event is, whatever it says. A message that quotes another than the question answers that. */
export function findOrigin(question: Question, place: Place, event: GatewayEvent): Origin {
	const { messageId, person, requireQuote, type } = question;
	const data = dataOf(event);
	const quoted = data.quotedMessageId;
	const mustQuote = requireQuote || (type === 'approval' && isOfAnother(event));
	if (event.type !== 'MESSAGE.RECEIVED' || data.fromMe === true) return 'other';
	if (place.instanceId !== undefined && event.instanceId !== place.instanceId) return 'other';
	if (quoted === undefined ? mustQuote : quoted !== messageId) return 'other';
	const time = compareTime(question, place, event);
	if (time === 'before') return 'other';
	const chat = compareChat(question, place, event);
	if (chat === 'maybe' || (chat === 'asked' && time === 'maybe'))
		return messageId === undefined ? 'unmatched' : 'untold';
	if (chat === 'unnamed') return 'unmatched';
	if (chat === 'other' || person === undefined || !isGroup(event)) return chat;
	const sender = recordIn(data, 'sender');
	if (isSame(person, sender)) return 'asked';
	return mayBeSame(person, sender) ? 'unmatched' : 'other';
}

/**
 * Whether a message belongs to another one and means that: a question has no buttons (API document, "Event types"), and of
 * a reaction or a vote nobody says to what.
 */
function isOfAnother(event: GatewayEvent): boolean {
	const { messageType, buttonReply } = dataOf(event);
	return buttonReply !== undefined || /^(?:BUTTON|REACTION|POLL)/i.test(String(messageType));
}

/**
 * Whether a message was written after the question was asked. Of one from while it was being sent, `MESSAGE.SENT` tells; where
 * that does not come, nobody: then it decides no approval.
 */
function compareTime(
	{ type, messageId, sentAt, askedAt, takenBy = askedAt }: Question,
	{ leftAt }: Place,
	event: GatewayEvent,
): 'before' | 'maybe' | 'after' {
	const time = timeOf(event);
	const unlessApproval = type === 'approval' ? 'before' : 'after';
	if (time === undefined) return unlessApproval;
	if (messageId !== undefined && dataOf(event).quotedMessageId === messageId) return 'after';
	if (time < askedAt) return 'before';
	const since = type === 'approval' ? (leftAt ?? takenBy) : Math.min(leftAt ?? takenBy, takenBy);
	if (time >= since) return 'after';
	if (leftAt !== undefined) return 'before';
	const isToldSoon = sentAt !== undefined && Date.now() < sentAt + TOLD_WITHIN_MS;
	return isToldSoon ? 'maybe' : unlessApproval;
}

/** Whether an event belongs to the chat in which the question was asked. */
function compareChat(
	{ to, messageId }: Question,
	{ chatId }: Place,
	event: GatewayEvent,
): 'asked' | 'maybe' | 'unnamed' | 'other' {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	if (chat === undefined || chat.type === 'STATUS') return 'other';
	if (isSame(to, chat) || (chatId !== undefined && chat.id === chatId)) return 'asked';
	if (!isUnnamedChat({ to, chatId }, event)) return 'other';
	// In whose chat that is nobody says, but the question that is quoted there.
	if (messageId !== undefined && data.quotedMessageId === messageId) return 'asked';
	return chatId === undefined ? 'maybe' : 'unnamed';
}

/** Whether a message's chat may be that of the person asked, though neither is called as the other. */
export function isUnnamedChat(
	{ to, chatId }: Pick<Question, 'to'> & Place,
	event: GatewayEvent,
): boolean {
	const chat = recordIn(dataOf(event), 'chat');
	if (isGroup(event) || /@(?:g\.us|newsletter)$/.test(to) || !mayBeSame(to, chat)) return false;
	return chatId === undefined || endingOf(chatId) !== endingOf(textIn(chat, 'id'));
}

/** Whether a phone or an ID names a chat or a person of an event; both spellings of a Brazilian mobile number are one. */
export function isSame(name: string, record: IDataObject | undefined): boolean {
	const phone = textIn(record, 'phone');
	return textIn(record, 'id') === name || (phone !== undefined && keyOf(phone) === keyOf(name));
}

/**
 * Whether a phone or an ID may name a person of an event, called otherwise there: by an ID of another kind, by none but an
 * ID, or with other digits behind the country code, as in Mexico and Argentina.
 */
function mayBeSame(name: string, record: IDataObject | undefined): boolean {
	const phone = textIn(record, 'phone');
	if (name.includes('@')) return endingOf(name) !== endingOf(textIn(record, 'id'));
	return phone === undefined || outline(phone) === outline(name);
}

/** What an ID ends in. It comes from the gateway: no expression is to go through it again and again. */
function endingOf(id = ''): string | undefined {
	return id.includes('@') ? id.slice(id.indexOf('@')) : undefined;
}

/** What stays of a phone number however a country writes what is behind its code. */
export function outline(phone: string): string {
	const digits = phone.slice(0, MAX_PHONE_LENGTH).replace(/\D/g, '');
	return `${digits.slice(0, 2)} ${digits.slice(-LAST_DIGITS)}`;
}
