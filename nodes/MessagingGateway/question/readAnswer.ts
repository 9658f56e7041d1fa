import type { GatewayEvent } from '../incoming/event';
import { fold, toPlainForm, withoutSigns } from '../values/fold';
import { fingerprint, isInChat, type KnownQuestion, type Listing, type Question } from './question';

export interface Answer {
	text?: string;
	choice?: string;
	approved?: boolean;
	/** A reviewer's instruction for the agent, instead of a yes or a no. */
	chatInput?: string;
}

/** `unclear` if a message says something else, in a chat of one person. */
export type Reading = Answer | 'unclear';

/** `271!`, `271. Yes`, `b) 3–4` */
const NUMBERED = /^[^\p{L}\p{N}]*(?<number>\d{1,4}|[a-i](?![\p{L}\p{M}]))(?!\p{N})(?<words>.*)$/su;

const APPROVAL_NUMBER = /^[1-9]\d[12]$/;

/** A longer text answers with no label: comparing it takes too long. */
export const MAX_LENGTH = 500;

const MEDIA = /^(?:IMAGE|PICTURE|PHOTO|VIDEO|GIF|AUDIO|VOICE|PTT|DOCUMENT|FILE|MEDIA)/;

/** How texts are compared: apart from case, then apart from signs, then as people write in a hurry. */
const READINGS = [
	(text: string) => text.trim().toLowerCase(),
	(text: string) => withoutSigns(text.normalize('NFKC').toLowerCase()),
	fold,
];

/** Stops, quotes, brackets, bold and italics, pictures that agree. */
const ALLOWED =
	/^(?:\p{L}\p{M}*|[\p{Nd}\s.,;:!¡…。、،؛۔।*_`❗#\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Pd}✅✔☑👍👌🙏👏🙌🤝❤💚💙🎉😀😃😄😊🙂🆗])*$/u;
/** Marks that strike out, a minus, and a bracket or # at the end: `:(`, `C#`. */
const DOUBTFUL =
	/[\u0334-\u0338\u20D0-\u20FF\p{Me}]|^[^\p{L}\p{N}]*\p{Pd}\s*\p{Nd}|[\p{Ps}#][^\p{L}\p{N}]*$/u;
const SUPERSCRIPT = /[²³¹\u2070-\u209F]/u;
const HARMLESS =
	/[\p{Variation_Selector}\p{Emoji_Modifier}]|(?<=\p{Nd}\uFE0F?)\u20E3|(?![\u202D\u202E])\p{Cf}/gu;

type Labelled = { question: Pick<Question, 'type' | 'labels'>; listing: Pick<Listing, 'code'> };

/** The numbered labels below a question, one a line; empty for a reply. */
export function listLabels(asked: Labelled): string {
	const { labels } = asked.question;
	return labels.map((label, index) => `${numberOf(asked, index)}. ${label}`).join('\n');
}

/** 271, 272 of an approval; 1, 2, 3 of a choice, or a, b, c if its labels have digits. */
function numberOf({ question, listing }: Labelled, index: number): string {
	const { type, labels } = question;
	if (type === 'approval') return `${listing.code}${index + 1}`;
	return labels.some((label) => /\p{N}/u.test(label)) ? 'abcdefghi'[index] : String(index + 1);
}

/** Reads whether a message answers a question. */
export function readAnswer(known: KnownQuestion, event: GatewayEvent): Reading | undefined {
	return concerns(known, event) ? understand(known, event) : undefined;
}

function hasNumberOf({ code }: Listing, { text, buttonId }: GatewayEvent): boolean {
	const numbers = [text, buttonId].map((each) => readNumber(each).number ?? '');
	return numbers.some((number) => APPROVAL_NUMBER.test(number) && number.startsWith(code));
}

/** Finds questions that a message is rather for: approvals by number, or newer ones of the chat. */
export function findRivals<T extends Listing>(
	known: KnownQuestion,
	event: GatewayEvent,
	answer: Reading,
	others: T[],
): T[] {
	const { kind, openedAt } = known.listing;
	const { at = Date.now() } = event;
	const isDecided = answer !== 'unclear' && answer.approved !== undefined && !answer.chatInput;
	const isCertain = isDecided || isQuoting(known, event);
	return others.filter((other) => {
		if (other.answeredBy !== undefined) return other.answeredBy === fingerprint(event.id);
		if (at > other.until || !isInChat(other, event)) return false;
		if (other.kind === 'approval') return !isDecided && hasNumberOf(other, event);
		if (other.kind === 'quoted' || isCertain) return false;
		return kind === 'approval' || other.openedAt > openedAt;
	});
}

function concerns(known: KnownQuestion, event: GatewayEvent): boolean {
	const { question, listing } = known;
	const { chat, at = Date.now() } = event;
	if (event.type !== 'MESSAGE.RECEIVED' || event.fromMe || at > listing.until) return false;
	const isQuote = isQuoting(known, event);
	if (!isQuote && (question.requireQuotedReply || at < question.askedAt)) return false;
	// If the network hides the phone, a quote tells the chat until MESSAGE.SENT comes.
	const isHidden = chat?.phone === undefined && chat?.type !== 'group';
	const isUnknown = isQuote && isHidden && !question.to.endsWith('@g.us');
	if (!isInChat({ ...(isUnknown && { chatId: chat?.id }), ...listing }, event)) return false;
	const isByNumber = question.type === 'approval' && hasNumberOf(listing, event);
	return isQuote || isByNumber || event.quotedMessageId === undefined;
}

function understand(known: KnownQuestion, event: GatewayEvent): Reading | undefined {
	const { type, labels, requireText, isReview } = known.question;
	const { chat, buttonId, quotedMessageId } = event;
	const isQuote = isQuoting(known, event);
	const text = event.text?.trim() ? event.text : (buttonId ?? '');
	const messageType = event.messageType?.toUpperCase() ?? '';
	// An edit, a sticker or an empty text leaves the question open as if it had not come.
	if (messageType === 'REACTION' || (text === '' && !MEDIA.test(messageType))) return undefined;
	if (type === 'reply') return text !== '' ? { text } : requireText ? undefined : {};
	const pressed = findLabel(known, buttonId, isQuote);
	const said = findLabel(known, text, isQuote);
	const isLong = text.length > MAX_LENGTH;
	const mentions = (label: string) => isLong || ` ${fold(text)} `.includes(` ${fold(label)} `);
	const denies = (label: string, each: number): boolean =>
		each !== pressed && (each === said || mentions(label));
	const isContradicted = pressed !== undefined && labels.some(denies);
	const index = said ?? pressed;
	if (index !== undefined && !isContradicted)
		return type === 'choice' ? { text, choice: labels[index] } : { text, approved: index === 0 };
	if (isReview && isQuote && text.trim() !== '') return { text, approved: false, chatInput: text };
	const { number = '' } = readNumber(text);
	const isForOther = APPROVAL_NUMBER.test(number) && number.slice(0, -1) !== known.listing.code;
	const quotesOther = quotedMessageId !== undefined && !isQuote;
	return quotesOther || isForOther || chat?.type !== 'person' ? undefined : 'unclear';
}

/** Whether a message quotes the question, or the labels that were listed again. */
export function isQuoting({ question, listId }: KnownQuestion, { quotedMessageId }: GatewayEvent) {
	return quotedMessageId !== undefined && [question.messageId, listId].includes(quotedMessageId);
}

function readNumber(text = ''): { number?: string; words?: string } {
	if (text.length > MAX_LENGTH) return {};
	return NUMBERED.exec(toPlainForm(text).trim().toLowerCase())?.groups ?? {};
}

/** Words alone decide an approval only in a quote. */
function findLabel(asked: Labelled, text = '', isQuote: boolean): number | undefined {
	if (text.length > MAX_LENGTH) return undefined;
	const { type, labels } = asked.question;
	const { number, words = '' } = readNumber(text);
	const named = findHead(labels, words);
	const byNumber = labels.findIndex(
		(label, index) => number === numberOf(asked, index) && isClear(text, label),
	);
	const isNumbered = named === byNumber || (named === -1 && !/[\p{L}\p{N}]/u.test(words));
	const find = isQuote ? findHead : findWords;
	const byWords = type === 'choice' || isQuote ? find(labels, text) : -1;
	const found = [isNumbered ? byNumber : -1, byWords].filter((index) => index !== -1);
	return new Set(found).size === 1 ? found[0] : undefined;
}

/** Behind a number and in a quote the head of a label counts: `No` of `No: too late`, but not of `No objection`. */
function findHead(labels: string[], text: string): number {
	const heads = labels.map((label) => label.split(/[:,]\s|\(|\s[-–—]\s/)[0]);
	const index = findWords(heads, text);
	return index === -1 ? findWords(labels, text) : index;
}

function findWords(labels: string[], text: string): number {
	const short = labels.filter(({ length }) => length <= MAX_LENGTH);
	for (const read of READINGS) {
		const wanted = read(text);
		const alike = short.filter((label) => wanted !== '' && read(label) === wanted);
		if (alike.length === 1) return isClear(text, alike[0]) ? labels.indexOf(alike[0]) : -1;
	}
	return -1;
}

/** Whether a text has no sign that could take back what it says, but for those of the label. */
function isClear(text: string, label: string): boolean {
	const isForeign = (sign: string): boolean => /[\p{L}\p{Nd}]/u.test(sign) || !label.includes(sign);
	const foreign = [...text.replace(HARMLESS, '')].filter(isForeign).join('');
	const plain = foreign.normalize('NFKC');
	return ALLOWED.test(plain) && !DOUBTFUL.test(plain) && !SUPERSCRIPT.test(foreign);
}
