import { fold, toPlainForm, withoutSigns } from '../fold';
import type { GatewayEvent } from '../incoming/event';
import { phoneKeyOf } from '../phone';
import type { ChatLocation, KnownQuestion, Question } from './question';

export interface Answer {
	/** A picture or a voice message has none. */
	text?: string;
	choice?: string;
	approved?: boolean;
	/** A reviewer's instruction for the agent, instead of a yes or a no. */
	chatInput?: string;
}

/** A number, alone or with words behind it: `271!`, `271. Yes`. */
const NUMBERED = /^[^\p{L}\p{N}]*(?<number>\d{1,4})(?!\p{N})(?<words>.*)$/su;

const APPROVAL_NUMBER = /^[1-9]\d[12]$/;

/** A longer text answers with no label: Unicode's normal forms take a time that grows with the square of its marks. */
const MAX_LENGTH = 500;

/** Messages of these types say something only by their text. */
const TEXT_TYPES = ['', 'TEXT', 'STICKER'];

/** How texts are compared: as written apart from case, then apart from signs, then as people write in a hurry. */
const READINGS = [
	(text: string) => text.trim().toLowerCase(),
	(text: string) => withoutSigns(text.normalize('NFKC').toLowerCase()),
	fold,
];

/** The numbered labels below a question, one a line; empty for a reply. */
export function listLabels(question: Pick<Question, 'type' | 'labels' | 'code'>): string {
	return question.labels.map((label, index) => `${numberOf(question, index)}. ${label}`).join('\n');
}

/** An approval's numbers are its own: 271, 272. A choice is a menu: 1, 2, 3. */
function numberOf({ type, code }: Pick<Question, 'type' | 'code'>, index: number): string {
	return `${type === 'approval' ? code : ''}${index + 1}`;
}

/** Reads whether a message answers a question; `unclear` if it says something else, in a chat of one person. */
export function readAnswer(
	{ question, location, listId }: KnownQuestion,
	event: GatewayEvent,
): Answer | 'unclear' | undefined {
	const { type, labels, messageId, person, requireQuote, askedAt, isReview } = question;
	const { chat, sender, buttonId, messageType = '', quotedMessageId: quoted, at = askedAt } = event;
	const isQuoting = quoted !== undefined && [messageId, listId].includes(quoted);
	if (event.type !== 'MESSAGE.RECEIVED' || event.fromMe) return undefined;
	if (!isQuoting && (requireQuote || at < askedAt)) return undefined;
	if (!isInChat(question, location, event, isQuoting)) return undefined;
	const isGroup = chat?.type === 'group';
	if (isGroup && person !== undefined && !isSame(person, sender)) return undefined;

	const quotesOther = quoted !== undefined && !isQuoting;
	const text = event.text?.trim() ? event.text : (buttonId ?? '');
	if (quotesOther && type !== 'approval') return undefined;
	// An edit, a sticker or an empty text leaves the question open as if it had not come.
	if (messageType === 'REACTION' || (text === '' && TEXT_TYPES.includes(messageType)))
		return undefined;
	if (type === 'reply') return text === '' ? {} : { text };
	const index = findLabel(question, text, isQuoting) ?? findLabel(question, buttonId, isQuoting);
	if (index !== undefined)
		return type === 'choice' ? { text, choice: labels[index] } : { text, approved: index === 0 };
	if (isReview && isQuoting && text.trim() !== '')
		return { text, approved: false, chatInput: text };
	const { number = '' } = readNumber(text);
	const hasOtherCode = APPROVAL_NUMBER.test(number) && !number.startsWith(question.code);
	return quotesOther || hasOtherCode || isGroup ? undefined : 'unclear';
}

/** The number that a text begins with, in the digits of any script, and the words behind it. */
function readNumber(text: string): { number?: string; words?: string } {
	if (text.length > MAX_LENGTH) return {};
	return NUMBERED.exec(toPlainForm(text).trim())?.groups ?? {};
}

/** Finds the label that a text names. Words without number decide an approval only if the message quotes the question. */
function findLabel(question: Question, text = '', isQuoting: boolean): number | undefined {
	const { type, labels } = question;
	const { number, words = '' } = readNumber(text);
	const named = findWords(labels, words);
	const byNumber = labels.findIndex((_, index) => number === numberOf(question, index));
	const isNumbered = named === byNumber || (named === -1 && !/[\p{L}\p{N}]/u.test(words));
	const byWords = type === 'choice' || isQuoting ? findWords(labels, text) : -1;
	const found = [isNumbered ? byNumber : -1, byWords].filter((index) => index !== -1);
	return new Set(found).size === 1 ? found[0] : undefined;
}

/** The first reading that exactly one label fits decides: labels may differ in their signs or marks alone. */
function findWords(labels: string[], text: string): number {
	if (text.length > MAX_LENGTH) return -1;
	for (const read of READINGS) {
		const wanted = read(text);
		const alike = labels.filter((label) => wanted !== '' && read(label) === wanted);
		if (alike.length === 1) return labels.indexOf(alike[0]);
	}
	return -1;
}

function isInChat(
	{ to, instanceId }: Question,
	{ chatId, instanceId: sentFrom }: ChatLocation,
	{ chat, instanceId: number }: GatewayEvent,
	isQuoting: boolean,
): boolean {
	const asking = sentFrom ?? instanceId;
	if (chat === undefined || chat.type === 'status') return false;
	if (asking !== undefined && number !== asking) return false;
	if (isSame(to, chat) || (chatId !== undefined && chat.id === chatId)) return true;
	// The network may hide the phone (API document, "Event types"). Until MESSAGE.SENT comes, the quote tells the chat.
	const isHidden = chat.phone === undefined && chat.type !== 'group';
	return isQuoting && isHidden && chatId === undefined && !to.endsWith('@g.us');
}

/** Both spellings of a mobile number name the same chat or person. */
function isSame(name: string, { id, phone }: Partial<GatewayEvent['sender']> = {}): boolean {
	if (id === name) return true;
	return phone !== undefined && phoneKeyOf(phone) === phoneKeyOf(name);
}
