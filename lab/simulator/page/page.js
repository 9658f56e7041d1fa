import { drawChange, drawChat, drawHeader, drawTyping, quote } from './chat.js';
import { drawChats } from './chats.js';
import { $ } from './dom.js';
import { drawLaboratory, wireLaboratory } from './laboratory.js';
import {
	call,
	keepChat,
	keepLine,
	keepMessage,
	keepNumber,
	load,
	number,
	openChat,
	state,
	writer,
} from './store.js';

const TYPING_MS = 15_000;
const isPhone = () => matchMedia('(max-width: 799px)').matches;

/** The place in the page: `chatId` of the chat in view, and `lab` if the laboratory is open. */
const place = () => history.state ?? {};

/** Goes to another place. On a phone, the browser's Back leads from there to the last one. */
function go(next) {
	if (isPhone()) history.pushState({ ...next, isPushed: true }, '');
	else history.replaceState(next, '');
	arrive();
}

function goBack(next) {
	if (place().isPushed) return history.back();
	history.replaceState(next, '');
	arrive();
}

function arrive() {
	const { chatId, lab = false } = place();
	if (chatId !== undefined && chatId !== state.openChatId) state.writerId = undefined;
	if (state.chats.has(chatId)) state.openChatId = chatId;
	document.body.dataset.view = chatId === undefined ? 'chats' : 'chat';
	document.body.toggleAttribute('data-laboratory', lab);
	$('toggle').textContent = lab ? 'Close Laboratory' : 'Laboratory';
	$('toggle').setAttribute('aria-expanded', String(lab));
	drawChat();
	drawAround();
}

function open(chatId) {
	go({ chatId, lab: place().lab });
	// On a phone the keyboard would cover half of the chat.
	$(isPhone() ? 'back' : 'text').focus();
}

let isDue = false;

/** Everything but the messages, on the next frame: a burst of changes costs one drawing. */
function draw() {
	if (!isDue) requestAnimationFrame(drawAround);
	isDue = true;
}

function drawAround() {
	isDue = false;
	drawChats(open);
	drawTyping();
	if (place().lab) drawLaboratory();
}

function setTyping({ chatId, presence, isAudio }) {
	clearTimeout(setTyping[chatId]);
	state.typing.delete(chatId);
	if (presence === 'COMPOSING') {
		state.typing.set(chatId, isAudio ? 'recording audio…' : 'typing…');
		setTyping[chatId] = setTimeout(() => setTyping({ chatId }), TYPING_MS);
	}
	draw();
}

const HEARD = {
	chat: keepChat,
	message: (message) => {
		const isNew = keepMessage(message);
		if (isNew && message.fromMe) setTyping({ chatId: message.chatId });
		drawChange(message, isNew);
	},
	presence: setTyping,
	connection: (changed) => {
		keepNumber(changed);
		drawHeader();
	},
	webhooks: (webhooks) => (state.webhooks = webhooks),
	delivery: keepLine,
	request: keepLine,
	mode: (mode) => (state.mode = mode),
	faults: (faults) => (state.faults = faults),
	reset: () => {
		state.typing.clear();
		void start();
	},
};

async function start() {
	await load();
	arrive();
}

function listen() {
	const source = new EventSource('/simulator/live');
	for (const [kind, hear] of Object.entries(HEARD)) {
		source.addEventListener(kind, ({ data }) => {
			hear(JSON.parse(data));
			draw();
		});
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
	const quotedMessageId = $('compose').dataset.quoted || undefined;
	const to = { chatId: openChat().id, instanceId: number().id };
	$('text').value = '';
	$('messages').scrollTop = 0;
	quote(undefined);
	await call('write', { ...to, text, quotedMessageId, name: writer().name });
}

$('compose').addEventListener('submit', write);
$('writer').addEventListener('change', () => {
	state.writerId = $('writer').value;
	drawChat();
});
$('number').addEventListener('change', () => {
	state.numberId = $('number').value;
	drawChat();
});
$('quoting-cancel').addEventListener('click', () => {
	quote(undefined);
	$('text').focus();
});
$('text').addEventListener('keydown', (event) => {
	const isQuoting = !$('quoting').hidden;
	if (event.key === 'Escape' && isQuoting) {
		quote(undefined);
		event.preventDefault();
	}
	if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
	event.preventDefault();
	$('compose').requestSubmit();
});
$('back').addEventListener('click', () => goBack({ lab: place().lab }));
$('toggle').addEventListener('click', () => {
	const { chatId, lab } = place();
	if (lab) goBack({ chatId });
	else go({ chatId, lab: true });
});
addEventListener('keydown', (event) => {
	const { chatId, lab } = place();
	// If the box has quoted a message, Esc has taken the quote away, and nothing else.
	if (event.key !== 'Escape' || event.defaultPrevented || !lab) return;
	goBack({ chatId });
	$('toggle').focus();
});
addEventListener('popstate', () => {
	arrive();
	document.querySelector('[aria-current]')?.focus();
});
wireLaboratory();
listen();
