import { textOf } from './chats.js';
import { $, drawText, fillSelect, formatPhone, formatTime, initialsOf, make } from './dom.js';
import { number, numberOf, openChat, peopleOfChat, state, writer } from './store.js';

const TICKS = {
	PENDING: ['…', 'Waiting to leave'],
	SENT: ['✓', 'Sent'],
	DELIVERED: ['✓✓', 'Delivered'],
	READ: ['✓✓', 'Read'],
};
const WAITS = 'Sends are answered with 502, and messages to it wait in the network.';
export const CONNECTIONS = {
	CONNECTED: ['Connected', ''],
	DISCONNECTED: ['Disconnected', `The number is disconnected. ${WAITS}`],
	LOGGED_OUT: ['Logged out', `The number is logged out and has to be paired again. ${WAITS}`],
	BANNED: ['Banned', `The network has banned the number. ${WAITS}`],
};

/** The open conversation from scratch. */
export function drawChat() {
	drawHeader();
	$('bubbles').replaceChildren(...openChat().messages.map(drawMessage));
	drawTyping();
	quote(undefined);
}

/** The other side on the left, the writer on the right, and what the number cannot do now. */
export function drawHeader() {
	const chat = openChat();
	const partner = chat.kind === 'PERSON' ? number() : chat;
	const { name: business, status } = number();
	const [connection, trouble] = CONNECTIONS[status];

	document.title = `${writer().name} · ${partner.name}`;
	$('chat-name').textContent = partner.name;
	$('chat-about').textContent = describe(partner, connection);
	$('chat-avatar').textContent = initialsOf(partner.name);
	$('chat-avatar').className = `avatar ${partner.kind ?? 'business'}`;
	fillSelect(
		'writer',
		peopleOfChat().map(({ id, name }) => [id, name]),
		writer().id,
	);
	const choices = state.numbers.map(({ id, name }) => [id, name]);
	fillSelect('number', choices, number().id);

	$('to').hidden = state.numbers.length < 2;
	$('you').hidden = chat.kind !== 'GROUP';
	$('compose').hidden = chat.kind !== 'PERSON' && chat.kind !== 'GROUP';
	$('notice').hidden = trouble === '';
	$('notice').textContent = trouble;
	$('text').placeholder = `Message to ${chat.kind === 'GROUP' ? chat.name : business}`;
	$('text').setAttribute('aria-label', $('text').placeholder);
}

function describe({ phone, kind, members = [] }, connection) {
	if (kind === undefined) return `${formatPhone(phone)} · ${connection}`;
	if (kind === 'PERSON') return formatPhone(phone);
	const names = [...members, number()].map(({ name }) => name);
	return kind === 'GROUP' ? names.join(', ') : '';
}

/** A message that is new, or that changed: then only its foot, so that it is not read out again. */
export function drawChange(message, isNew) {
	if (message.chatId !== state.openChatId) return;
	if (isNew) return $('bubbles').append(drawMessage(message));
	$(`message-${message.id}`)
		?.querySelector('.foot')
		.replaceChildren(...drawFoot(message));
}

export function drawTyping() {
	const typing = state.typing.get(state.openChatId);
	$('typing').textContent = typing ? `${number().name} is ${typing}` : '';
}

/** Puts a message above the box, to be replied to; undefined takes it away. */
export function quote(message) {
	$('compose').dataset.quoted = message?.id ?? '';
	$('quoting').hidden = !message;
	$('quoting-text').textContent = message ? textOf(message) : '';
	if (message) $('text').focus();
}

function drawMessage(message) {
	const chat = openChat();
	const quoted = chat.messages.find(({ id }) => id === message.quotedMessageId);
	const from = message.fromMe ? numberOf(message) : message.sender;
	const isMine = from.id === writer().id;
	const isObvious = isMine || from === number() || from.id === chat.id;
	const isNamed = !isObvious || (chat.kind === 'GROUP' && !isMine);

	return make(
		'li',
		{ id: `message-${message.id}`, className: isMine ? 'bubble mine' : 'bubble' },
		make(
			'span',
			{ className: isNamed ? 'from' : 'unseen' },
			isNamed ? from.name : `${from.name}: `,
		),
		quoted ? make('blockquote', {}, textOf(quoted)) : '',
		message.picture ? drawPicture(message) : '',
		make('p', { dir: 'auto' }, ...drawText(message.text)),
		make('span', { className: 'foot', 'aria-live': 'off' }, ...drawFoot(message)),
		make(
			'button',
			{
				type: 'button',
				className: 'icon reply',
				'aria-label': `Reply to ${from.name}: ${textOf(message)}`,
				onclick: () => quote(message),
			},
			'↩',
		),
	);
}

function drawFoot(message) {
	const [mark, words] = TICKS[message.status] ?? [];
	const isElsewhere = !message.fromMe && numberOf(message) !== number();
	const ticks = { className: `ticks ${message.status}`, role: 'img', 'aria-label': words };
	return [
		isElsewhere ? `to ${numberOf(message).name}` : '',
		make('time', { dateTime: message.at }, formatTime(message.at)),
		mark ? make('span', { ...ticks, title: words }, mark) : '',
	].filter((part) => part !== '');
}

function drawPicture({ text, picture: { fileName, mediaType, base64 } }) {
	const src = `data:${mediaType};base64,${base64}`;
	return make('img', { className: 'picture', src, alt: text || fileName });
}
