import { keyOf } from '../phone';
import { dataOf, isGroup, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { outline } from './question';
import type { Note } from './url';

/** A question that a message may mean, as far as anybody knows of it. */
export interface Rival {
	/** Of its webhook. */
	id: string;
	/** Undefined where nobody waits for it any more. */
	url?: string;
	note: Note;
}

/**
 * The questions that were asked in the chat of a message. One note may know a chat by its phone and another by its ID:
 * whoever shares a name with a note of that chat is of that chat too.
 *
 * @param own what is known of the question that the message came to
 */
export function findInChat(event: GatewayEvent, own: Note | undefined, rivals: Rival[]): Rival[] {
	const chat = recordIn(dataOf(event), 'chat');
	const names = new Set(
		[textIn(chat, 'id'), textIn(chat, 'phone'), own?.chatId, own?.to]
			.filter((name) => name !== undefined)
			.map(spellingOf),
	);
	// All numbers of an account that are in a group are in the same one.
	const isElsewhere = ({ instanceId }: Note): boolean =>
		!isGroup(event) &&
		instanceId !== undefined &&
		event.instanceId !== undefined &&
		instanceId !== event.instanceId;
	const named = new Map<string, Rival[]>();
	for (const rival of rivals.filter(({ note }) => !isElsewhere(note)))
		for (const name of namesOf(rival.note))
			named
				.set(name, named.get(name) ?? [])
				.get(name)
				?.push(rival);
	const found = new Set<Rival>();
	// A set hands out also what is added meanwhile: whatever a gateway lists, each name is looked at once.
	for (const name of names) {
		for (const rival of named.get(name) ?? []) {
			found.add(rival);
			for (const theirs of namesOf(rival.note)) names.add(theirs);
		}
	}
	// Of what has no kind of name in common with the chat, nobody can tell that it is another one, nor of a phone that
	// may be written otherwise.
	const kinds = new Set([...names].map(kindOf));
	const phones = new Set([...names].filter((name) => kindOf(name) === '').map(outline));
	const maybe = (name: string): boolean =>
		!kinds.has(kindOf(name)) || (kindOf(name) === '' && phones.has(outline(name)));
	const isUntold = ({ note }: Rival): boolean =>
		!isElsewhere(note) &&
		!isGroup(event) &&
		namesOf(note).every((name) => !name.endsWith('@g.us') && maybe(name));
	return rivals.filter((rival) => found.has(rival) || isUntold(rival));
}

/** By note, which is never changed: a message is compared with all questions for each of them. Nothing but time is lost with it. */
const cachedNames = new WeakMap<Note, string[]>();

function namesOf(note: Note): string[] {
	const { to, chatId } = note;
	const names =
		cachedNames.get(note) ?? [to, ...(chatId === undefined ? [] : [chatId])].map(spellingOf);
	cachedNames.set(note, names);
	return names;
}

/** Both spellings of a Brazilian mobile number are one name. */
function spellingOf(name: string): string {
	return name.includes('@') ? name : keyOf(name);
}

/** What a name can be compared with: a phone with phones, an ID with IDs of the same ending. */
function kindOf(name: string): string {
	return name.includes('@') ? name.slice(name.lastIndexOf('@')) : '';
}
