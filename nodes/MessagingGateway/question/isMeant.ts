import type { GatewayEvent } from '../incoming/event';
import type { Known } from './known';
import { readCode } from './labels';
import { isInChat } from './listing';
import { readAnswer, type Reading } from './readAnswer';

/** Networks name the types of their messages in several ways: `IMAGE`, `imageMessage`, `VIEW_ONCE`. */
const CONTENT =
	/^(?:IMAGE|PICTURE|PHOTO|VIDEO|PTV|GIF|AUDIO|VOICE|PTT|DOCUMENT|FILE|MEDIA|ALBUM|(?:LIVE_?)?LOCATION|CONTACT|VCARD|ORDER|PRODUCT|VIEW_?ONCE)/;

/** A reaction says something about another message, and a sticker says nothing clear. */
const NO_ANSWER = /^(?:REACTION|STICKER)/;

/** Whether a message is written in the time of a question, or would be the answer but for its time. */
export type Time = 'in time' | 'at any time';

/**
 * Which of these questions is a message for? The rules of docs/asking.md, for a question and for a trigger
 * alike: a question looks at itself alone, a trigger at those that its process knows.
 *
 * An approval whose number the message does not hold may be found too: the lines are listed again, if
 * no other question can be meant.
 */
export function findMeant(
	event: GatewayEvent,
	questions: Known[],
	time: Time = 'in time',
): Known | undefined {
	// Rule 4: nothing else counts, by what it is, where, and when it was written.
	if (!isSpoken(event)) return undefined;
	const near = questions.filter(
		(known) => isWhere(known, event) && (time === 'at any time' || isWhen(known, event)),
	);

	// Rule 1: a quote says which question is meant.
	if (event.quotedMessageId !== undefined) return near.find((known) => isQuoting(known, event));

	// Rule 2: the number says which approval is meant.
	const loose = near.filter(({ listing }) => !listing.needsQuote);
	const code = readCode(event.text);
	const approvals = newestFirst(loose.filter(({ listing }) => listing.kind === 'approval'));
	const numbered = approvals.find(({ listing }) => listing.code === code);
	if (numbered !== undefined) return numbered;

	// Rule 3: everything else is for the Reply or Choice of the chat.
	const [other] = newestFirst(loose.filter(({ listing }) => listing.kind === 'other'));
	if (other !== undefined) return other;

	// Rule 5: only approvals are open. The number of another one, which is over, is for none of them.
	const isForAny = event.chat?.type === 'person' && code === undefined;
	return isForAny ? approvals[0] : undefined;
}

/** Reads what a message answers that is meant for a question; undefined if that stays open. */
export function readMeant(known: Known, event: GatewayEvent): Reading | undefined {
	const { question, listing } = known;
	const asked = { ...question, code: listing.code };
	return readAnswer(asked, textOf(event), isQuoting(known, event));
}

/**
 * Whether the lines may be listed again for a message that is unclear: in a group only if it begins with
 * the number of the question. People talk to each other there.
 */
export function isListable({ listing }: Known, { chat, text }: GatewayEvent): boolean {
	if (chat?.type === 'person') return true;
	return listing.kind === 'approval' && readCode(text) === listing.code;
}

/** Whether a message quotes the question, or the lines that were listed again. */
export function isQuoting({ question, lists }: Known, { quotedMessageId }: GatewayEvent): boolean {
	if (quotedMessageId === undefined) return false;
	const quotable = [question.messageId, ...lists.map(({ messageId }) => messageId)];
	return quotable.includes(quotedMessageId);
}

/** Whether somebody has written something: no reaction, no sticker, no blank text. */
function isSpoken(event: GatewayEvent): boolean {
	if (event.type !== 'MESSAGE.RECEIVED' || event.fromMe) return false;
	const type = event.messageType?.toUpperCase() ?? '';
	if (NO_ANSWER.test(type)) return false;
	return textOf(event) !== '' || CONTENT.test(type);
}

function textOf({ text = '' }: GatewayEvent): string {
	return text.trim() === '' ? '' : text;
}

/** Whether a message is written where the question was asked. */
function isWhere(known: Known, event: GatewayEvent): boolean {
	const { question, listing } = known;
	if (isInChat(listing, event)) return true;

	// If the network hides the phone, a quote tells the chat until MESSAGE.SENT comes.
	const { chat } = event;
	const isHidden = chat?.phone === undefined && chat?.type !== 'group';
	const isChatUnknown = listing.chatId === undefined && !question.to.endsWith('@g.us');
	if (!isHidden || !isChatUnknown || !isQuoting(known, event)) return false;
	return isInChat({ ...listing, chatId: chat?.id }, event);
}

/** Whether a message is written after the question, and before its time is over. */
function isWhen(known: Known, event: GatewayEvent): boolean {
	const { at = Date.now() } = event;
	if (at > known.listing.until) return false;
	// A quote is written after its question, whatever the clocks say.
	return at >= known.question.askedAt || isQuoting(known, event);
}

function newestFirst(questions: Known[]): Known[] {
	return [...questions].sort((one, other) => other.listing.openedAt - one.listing.openedAt);
}
