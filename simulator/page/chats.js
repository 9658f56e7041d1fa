import { $, formatWhen, make, replaceChildren } from './dom.js';
import { state, wordsOf } from './store.js';

const lastOf = (chat) => chat.messages[chat.messages.length - 1];

/** First letters of the name; a hash for what has no name but an id. */
export function initialsOf(name) {
	const letters = name
		.split(/\s+/)
		.map((word) => word[0])
		.filter((letter) => /\p{L}/u.test(letter ?? ''));
	return letters.slice(0, 2).join('').toUpperCase() || '#';
}

/** The list of conversations, the latest first. */
export function drawChats(open) {
	const chats = [...state.chats.values()].sort((one, other) =>
		(lastOf(other)?.at ?? '').localeCompare(lastOf(one)?.at ?? ''),
	);
	replaceChildren(
		$('chats'),
		chats.map((chat) => make('li', {}, drawEntry(chat, open))),
	);
}

function drawEntry(chat, open) {
	const last = lastOf(chat);
	const unread = state.unread.get(chat.id) ?? 0;
	const typing = state.typing.get(chat.id);
	const preview = typing ?? (last ? wordsOf(last) : 'No messages yet');
	return make(
		'button',
		{
			type: 'button',
			'data-key': chat.id,
			'aria-current': chat.id === state.openChatId ? 'true' : undefined,
			onclick: () => open(chat.id),
		},
		make(
			'span',
			{ className: `avatar ${chat.kind.toLowerCase()}`, 'aria-hidden': 'true' },
			initialsOf(chat.name),
		),
		make('span', { className: 'name' }, chat.name),
		make('span', { className: 'when' }, last ? formatWhen(last.at) : ''),
		make('span', { className: typing ? 'preview active' : 'preview' }, preview),
		unread > 0
			? make(
					'span',
					{ className: 'unread' },
					String(unread),
					make('span', { className: 'unseen' }, ' unread'),
				)
			: '',
		describeMarks(chat),
	);
}

function describeMarks({ archived, mutedUntil }) {
	const marks = [
		archived && 'archived',
		mutedUntil && new Date(mutedUntil) > new Date() && 'muted',
	].filter(Boolean);
	return marks.length > 0 ? make('span', { className: 'marks' }, marks.join(', ')) : '';
}
