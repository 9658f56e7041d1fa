import { Refusal, type Gateway } from '../gateway';
import type { Chat } from '../state/chats';

const PHONE_CHARACTERS = /^\+?[\d\s().-]+$/;
const E164_DIGITS = /^[1-9]\d{6,14}$/;

/**
 * Conversation of `to`: a phone, with or without `+`, spaces and formatting, or an id exactly as the API gave
 * it (API document, Identifiers). What is neither is refused.
 */
export function openRecipient({ chats, directory }: Gateway, to: string): Chat {
	const known = chats.find(to);
	if (known) return known;
	const group = directory.findGroup(to);
	if (group) return chats.add({ ...group, kind: 'GROUP' });
	const isPhone = PHONE_CHARACTERS.test(to) && E164_DIGITS.test(to.replace(/\D/g, ''));
	const isId = /^[^\s@]+@[^\s@]+$/.test(to);
	if (!isPhone && !isId) throw new Refusal(400, `"${to}" is neither a phone nor an id`);
	return chats.openFor(to);
}
