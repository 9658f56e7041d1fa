import { initialsOf } from './chats.js';
import { $, drawIcon, formatPhone, formatTime, make, setIcon } from './dom.js';
import { call, openChat, state, wordsOf } from './store.js';

const TICKS = { PENDING: 'Waiting to leave', SENT: 'Sent', DELIVERED: 'Delivered', READ: 'Read' };
const OWNER = 'owner';
const ABOUT = { GROUP: 'Group', STATUS: 'Status updates', CHANNEL: 'Channel' };

/** The open conversation from scratch. */
export function drawChat() {
	const chat = openChat();
	if (!chat) return;
	$('chat-name').textContent = chat.name;
	$('chat-about').textContent = describe(chat);
	$('chat-avatar').textContent = initialsOf(chat.name);
	$('chat-avatar').className = `avatar ${chat.kind.toLowerCase()}`;
	$('bubbles').replaceChildren(...chat.messages.map(drawMessage));
	drawCompose();
	drawTyping();
	scrollToEnd();
}

/** A message that is new, or that changed: then only what changed, so that it is not read out again. */
export function drawChange(message, isNew) {
	if (message.chatId !== state.openChatId) return;
	if (isNew) {
		$('bubbles').append(drawMessage(message));
		return scrollToEnd();
	}
	const bubble = $(`message-${message.id}`);
	const ticks = bubble?.querySelector('.ticks');
	if (ticks && message.status) showTicks(ticks, message.status);
	bubble?.querySelector('.labels')?.replaceChildren(...drawLabels(message));
}

export function drawTyping() {
	const typing = state.typing.get(state.openChatId);
	$('typing').textContent = typing ? `${state.instance.name} is ${typing}` : '';
}

/** Who of the others writes in the open chat: in a group the chosen member, else the person. */
export function writerOf(chat) {
	return chat.members.find(({ id }) => id === $('as').value) ?? chat.members[0] ?? chat;
}

/** The number that is written to. The page keeps to it from chat to chat. */
export const numberChosen = () =>
	state.numbers.find(({ id }) => id === $('number').value) ?? state.instance;

/** The number of a message, as people call it. */
const numberOf = ({ instanceId }) =>
	state.numbers.find(({ id }) => id === instanceId) ?? state.instance;

/** Whether the number's owner writes, on the phone itself. */
export const isOwner = () => $('as').value === OWNER;

/** Puts a message above the box, to be replied to; undefined takes it away. */
export function quote(message) {
	$('compose').dataset.quoted = message?.id ?? '';
	$('quoting').hidden = !message;
	$('quoting-text').textContent = message ? wordsOf(message) : '';
	if (message) $('text').focus();
}

function describe(chat) {
	if (chat.kind === 'PERSON') return formatPhone(chat.phone);
	const names = chat.members.map(({ name }) => name.split(' ')[0]).join(', ');
	return [ABOUT[chat.kind], names].filter(Boolean).join(': ');
}

/** The box below the chat: who writes, and to which number. */
export function drawCompose() {
	const chat = openChat();
	const chosen = numberChosen();
	$('to-number').hidden = state.numbers.length < 2;
	$('number').replaceChildren(
		...state.numbers.map(({ id, name, phone }) =>
			make('option', { value: id, selected: id === chosen.id }, `${name}, ${formatPhone(phone)}`),
		),
	);
	const canWrite = chat.kind === 'PERSON' || chat.kind === 'GROUP';
	$('compose').hidden = !canWrite;
	const others = chat.members.length > 0 ? chat.members : [chat];
	$('as').replaceChildren(
		...others.map(({ id, name }) => make('option', { value: id }, name)),
		make('option', { value: OWNER }, `${chosen.name}, on the phone itself`),
	);
	drawWriter();
	quote(undefined);
}

/** Who is chosen to write. */
export function drawWriter() {
	const chat = openChat();
	const who = isOwner() ? numberChosen().name : chat.name;
	$('text').placeholder = chat.kind === 'GROUP' ? `Write in ${chat.name}` : `Write as ${who}`;
	$('text-label').textContent = $('text').placeholder;
	$('assumed').hidden = !isOwner();
}

function drawMessage(message) {
	const chat = openChat();
	const quoted = chat.messages.find(({ id }) => id === message.quotedMessageId);
	const { name: number } = numberOf(message);
	const writer = message.fromMe ? number : message.sender.name;
	return make(
		'li',
		{ id: `message-${message.id}`, className: message.fromMe ? 'bubble mine' : 'bubble' },
		make('span', { className: chat.kind === 'PERSON' ? 'unseen' : 'writer' }, `${writer}: `),
		quoted ? make('blockquote', {}, wordsOf(quoted)) : '',
		message.picture ? drawPicture(message) : '',
		message.recording ? make('span', { className: 'label' }, 'Voice message') : '',
		make('p', { dir: 'auto' }, message.text),
		message.buttons ? drawButtons(message) : '',
		make('span', { className: 'labels' }, ...drawLabels(message)),
		make(
			'span',
			{ className: 'foot' },
			message.byHand ? make('span', {}, 'typed on the phone') : '',
			state.numbers.length > 1
				? make('span', { className: 'number' }, `${message.fromMe ? 'from' : 'to'} ${number}`)
				: '',
			make('time', { dateTime: message.at }, formatTime(message.at)),
			drawTicks(message),
		),
		make(
			'button',
			{
				type: 'button',
				className: 'icon reply',
				'aria-label': `Reply to ${writer}: ${wordsOf(message)}`,
				onclick: () => quote(message),
			},
			drawIcon('reply'),
		),
	);
}

function drawPicture({ text, picture: { fileName, mediaType, base64 } }) {
	const src = `data:${mediaType};base64,${base64}`;
	return make('img', { className: 'picture', src, alt: text || fileName, onload: scrollToEnd });
}

const drawLabels = ({ labels }) =>
	labels.map((label) => make('span', { className: 'label' }, `Label ${label}`));

function drawButtons(message) {
	const press = ({ id, text }) => {
		const chat = openChat();
		const { name } = writerOf(chat);
		void call('write', {
			chatId: chat.id,
			name,
			text,
			buttonReplyId: id,
			quotedMessageId: message.id,
			instanceId: message.instanceId,
		});
	};
	const buttons = message.buttons.map((button) =>
		make('button', { type: 'button', onclick: () => press(button) }, button.text),
	);
	return make('div', { className: 'buttons', role: 'group', 'aria-label': 'Answers' }, ...buttons);
}

function drawTicks({ status }) {
	if (!status) return '';
	const ticks = drawIcon(`tick-${status}`, TICKS[status]);
	showTicks(ticks, status);
	return ticks;
}

function showTicks(ticks, status) {
	setIcon(ticks, `tick-${status}`, TICKS[status]);
	ticks.setAttribute('class', `ticks ${status.toLowerCase()}`);
}

function scrollToEnd() {
	$('messages').scrollTop = $('messages').scrollHeight;
}

/** Whoever sees the newest message goes on seeing it when the box below grows, or the keyboard of a phone opens. */
export function stayAtEnd() {
	const messages = $('messages');
	let isAtEnd = true;
	messages.addEventListener('scroll', () => {
		isAtEnd = messages.scrollHeight - messages.scrollTop - messages.clientHeight < 8;
	});
	new ResizeObserver(() => {
		if (isAtEnd) scrollToEnd();
	}).observe(messages);
}
