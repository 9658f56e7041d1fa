import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { keyOf } from '../phone/describe';
import { dataOf, isGroup, recordIn, textIn, timeOf, type GatewayEvent } from '../webhooks/event';
import type { Wanted } from './meaning';

/** What is kept of a question while somebody is asked: in the context of the node, which n8n saves with the execution. */
export interface Question extends Wanted {
	webhookId: string;
	/** Of the webhook; whoever has no other question's can answer no other question. */
	secret: string;
	/** As in its URL. */
	until: number;
	/** Phone or ID that the message went to. */
	to: string;
	/** Phone or ID of the only one who counts in a group. */
	person?: string;
	/** Of the message; unknown where its outcome is. */
	messageId?: string;
	/** By the clock of the gateway, in milliseconds; undefined where that is not known. */
	askedAt?: number;
	requireQuote: boolean;
	/** Whether an agent's call of a tool is reviewed: then every text is an answer. */
	isReview: boolean;
	askAgain?: { text: string; maxAttempts: number };
}

/** Where the question was really asked, as the gateway calls it in events. */
export interface Place {
	instanceId?: string;
	chatId?: string;
}

const SENT_WITHIN_MS = 60_000;

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

/** Whether an event is a message from the person asked, written where and after they were asked, whatever it says. */
export function isReply(question: Question, place: Place, event: GatewayEvent): boolean {
	const data = dataOf(event);
	if (event.type !== 'MESSAGE.RECEIVED' || data.fromMe === true) return false;
	if (place.instanceId !== undefined && event.instanceId !== place.instanceId) return false;
	if (question.requireQuote && !isQuoted(question, data)) return false;
	const { askedAt = -Infinity, person } = question;
	if ((timeOf(event) ?? Infinity) < askedAt || !isThere(question, place, event)) return false;
	return person === undefined || !isGroup(event) || isSame(person, recordIn(data, 'sender'));
}

/**
 * Whether nobody can tell yet if a message is a reply: the network hides whose chat it is, and `MESSAGE.SENT`, which
 * tells, is still on its way.
 */
export function isUntold(question: Question, place: Place, event: GatewayEvent): boolean {
	const { messageId, askedAt = -Infinity } = question;
	const chatId = textIn(recordIn(dataOf(event), 'chat'), 'id');
	const isSoon = (timeOf(event) ?? Infinity) < askedAt + SENT_WITHIN_MS;
	const isToCome = messageId !== undefined && place.chatId === undefined && isSoon;
	return isToCome && isHidden(question, event) && isReply(question, { ...place, chatId }, event);
}

/** Whether an event belongs to the chat in which the question was asked. */
function isThere(question: Question, { chatId }: Place, event: GatewayEvent): boolean {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	if (chat === undefined || chat.type === 'STATUS') return false;
	if (isSame(question.to, chat) || (chatId !== undefined && chat.id === chatId)) return true;
	// A network that hides numbers does not say whose chat it is; a quoted question does.
	return isHidden(question, event) && question.messageId !== undefined && isQuoted(question, data);
}

/** Whether the network hides the number of a person who may be the one asked. */
export function isHidden({ to }: Pick<Question, 'to'>, event: GatewayEvent): boolean {
	const chat = recordIn(dataOf(event), 'chat');
	return chat?.phone === undefined && !isGroup(event) && !to.includes('@');
}

function isQuoted({ messageId }: Question, { quotedMessageId }: IDataObject): boolean {
	return messageId === undefined ? quotedMessageId !== undefined : quotedMessageId === messageId;
}

/** Whether a phone or an ID names a chat or a person of an event; both spellings of a Brazilian mobile number are one. */
export function isSame(name: string, record: IDataObject | undefined): boolean {
	const phone = textIn(record, 'phone');
	return textIn(record, 'id') === name || (phone !== undefined && keyOf(phone) === keyOf(name));
}
