import { $, drawText, formatPhone, formatWhen, initialsOf, make, replaceChildren } from './dom.js';
import { state } from './store.js';

/** The people that one can be, and the groups, the latest first. */
export function drawChats(open) {
	const { name } = state.numbers[0];
	$('business').textContent = name;
	const timeOf = ({ messages }) => messages.at(-1)?.at ?? '';
	const chats = [...state.chats.values()].sort((one, other) =>
		timeOf(other).localeCompare(timeOf(one)),
	);

	const drawEntries = (shown) => shown.map((chat) => make('li', {}, drawEntry(chat, open)));
	const isPerson = ({ kind }) => kind === 'PERSON';
	replaceChildren($('people'), drawEntries(chats.filter(isPerson)));
	replaceChildren($('groups'), drawEntries(chats.filter((chat) => !isPerson(chat))));
}

function drawEntry(chat, open) {
	const last = chat.messages.at(-1);
	const preview = last === undefined ? 'No messages yet' : textOf(last);
	const typing = state.typing.get(chat.id);
	// A workflow asks for the number, e.g. in *To* and in *Only From*.
	const phone = chat.kind === 'PERSON' ? formatPhone(chat.phone) : undefined;

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
			{ className: `avatar ${chat.kind}`, 'aria-hidden': 'true' },
			initialsOf(chat.name),
		),
		make('span', { className: 'name' }, chat.name),
		make('span', { className: 'when' }, last ? formatWhen(last.at) : ''),
		phone && make('span', { className: 'phone' }, phone),
		make('span', { className: 'preview' }, typing ?? preview),
	);
}

/** The text that stands for a message in a list or a quote, without marks. */
export const textOf = ({ text, picture }) =>
	make('p', {}, ...drawText(text)).textContent || (picture ? 'Picture' : '');
