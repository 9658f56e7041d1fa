import {
	drawChange,
	drawChat,
	drawCompose,
	drawTyping,
	drawWriter,
	isOwner,
	numberChosen,
	quote,
	stayAtEnd,
	writerOf,
} from './chat.js';
import { drawChats } from './chats.js';
import { $ } from './dom.js';
import {
	drawCredentials,
	drawDeliveries,
	drawInstance,
	drawRequests,
	drawTrouble,
	drawWebhooks,
	wirePanel,
} from './panel.js';
import { call, keepChat, keepLine, keepMessage, load, openChat, state } from './store.js';

const TYPING_MS = 15_000;

/** What is to be drawn on the next frame: a burst of changes costs one drawing. */
const due = new Set();
function draw(...parts) {
	if (due.size === 0)
		requestAnimationFrame(() => [...due].forEach((part) => due.delete(part) && part()));
	parts.forEach((part) => due.add(part));
}
const drawList = () => drawChats(open);

const show = (view) => (document.body.dataset.view = view);

function open(chatId) {
	state.openChatId = chatId;
	state.unread.delete(chatId);
	show('chat');
	drawChat();
	drawList();
	// On a phone the keyboard would cover half of the chat.
	if (matchMedia('(min-width: 800px)').matches) $('text').focus();
	else $('back').focus();
}

function setTyping({ chatId, presence, isAudio }) {
	clearTimeout(setTyping[chatId]);
	state.typing.delete(chatId);
	if (presence === 'COMPOSING') {
		state.typing.set(chatId, isAudio ? 'recording audio…' : 'typing…');
		setTyping[chatId] = setTimeout(() => setTyping({ chatId }), TYPING_MS);
	}
	draw(drawList, drawTyping);
}

const HEARD = {
	chat: (chat) => {
		keepChat(chat);
		draw(drawList);
	},
	message: (message) => {
		const isNew = keepMessage(message);
		if (isNew && message.fromMe) setTyping({ chatId: message.chatId });
		if (isNew && message.chatId !== state.openChatId) {
			state.unread.set(message.chatId, (state.unread.get(message.chatId) ?? 0) + 1);
		}
		drawChange(message, isNew);
		draw(drawList);
	},
	presence: setTyping,
	connection: (instance) => {
		if (instance.id !== state.instance.id) return;
		state.instance = instance;
		draw(drawInstance);
	},
	webhooks: (webhooks) => {
		state.webhooks = webhooks;
		draw(drawWebhooks);
	},
	delivery: (delivery) => {
		keepLine(state.deliveries, delivery);
		draw(drawDeliveries);
	},
	request: (request) => {
		keepLine(state.requests, request);
		draw(drawRequests);
	},
	mode: (mode) => {
		state.mode = mode;
		draw(drawTrouble);
	},
	faults: (faults) => {
		state.faults = faults;
		draw(drawTrouble);
	},
	reset: () => {
		state.unread.clear();
		state.typing.clear();
		void start();
	},
};

async function start() {
	await load();
	drawInstance();
	drawList();
	drawChat();
	drawTrouble();
	drawWebhooks();
	drawDeliveries();
	drawRequests();
	drawCredentials();
}

function listen() {
	const source = new EventSource('/simulator/live');
	for (const [kind, hear] of Object.entries(HEARD)) {
		source.addEventListener(kind, ({ data }) => hear(JSON.parse(data)));
	}
	// Fires at the beginning too, and again after every interruption: then everything may have changed.
	source.addEventListener('open', () => {
		$('offline').hidden = true;
		void start();
	});
	source.addEventListener('error', () => ($('offline').hidden = false));
}

async function write(event) {
	event.preventDefault();
	const text = $('text').value.trim();
	if (text === '') return;
	const chat = openChat();
	const quotedMessageId = $('compose').dataset.quoted || undefined;
	$('text').value = '';
	quote(undefined);
	const message = { chatId: chat.id, text, quotedMessageId, instanceId: numberChosen().id };
	if (isOwner()) await call('write-as-owner', message);
	else await call('write', { ...message, name: writerOf(chat).name });
}

$('compose').addEventListener('submit', write);
$('as').addEventListener('change', drawWriter);
$('number').addEventListener('change', drawCompose);
$('quoting-cancel').addEventListener('click', () => {
	quote(undefined);
	$('text').focus();
});
$('text').addEventListener('keydown', (event) => {
	if (event.key === 'Escape') quote(undefined);
	if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
	event.preventDefault();
	$('compose').requestSubmit();
});
$('back').addEventListener('click', () => {
	show('chats');
	document.querySelector('#chats [aria-current]')?.focus();
});
$('toggle').addEventListener('click', () => {
	const isOpen = document.body.toggleAttribute('data-panel');
	$('toggle').setAttribute('aria-expanded', String(isOpen));
});
wirePanel();
stayAtEnd();
show('chats');
listen();
