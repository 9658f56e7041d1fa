/** What the page knows, as the simulator told it. */
export const state = {
	instance: {},
	/** All numbers of the account, the first one first. */
	numbers: [],
	chats: new Map(),
	webhooks: [],
	mode: {},
	faults: [],
	deliveries: [],
	requests: [],
	info: {},
	/** What only this page knows. */
	openChatId: undefined,
	unread: new Map(),
	typing: new Map(),
};

const LINES_KEPT = 100;

/** Makes the simulator do something. */
export async function call(action, body) {
	const answer = await fetch(`/simulator/${action}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`${action}: ${answer.status}`);
}

export async function load() {
	const { chats, ...rest } = await (await fetch('/simulator/state')).json();
	Object.assign(state, rest);
	state.chats = new Map(chats.map((chat) => [chat.id, chat]));
	if (!state.chats.has(state.openChatId)) state.openChatId = chats[0]?.id;
}

/** The chat as it is now, with its messages kept. */
export function keepChat(chat) {
	state.chats.set(chat.id, { messages: [], ...state.chats.get(chat.id), ...chat });
}

/** True when the message is new, false when a known one changed. */
export function keepMessage(message) {
	const { messages } = state.chats.get(message.chatId);
	const position = messages.findIndex(({ id }) => id === message.id);
	if (position >= 0) messages[position] = message;
	else messages.push(message);
	return position < 0;
}

/** What stands for a message where there is room for words only. */
export const wordsOf = ({ text, picture, recording }) =>
	(recording ? 'Voice message: ' : '') + (text || (picture ? 'Picture' : ''));

export function keepLine(lines, line) {
	lines.push(line);
	if (lines.length > LINES_KEPT) lines.shift();
}

export const openChat = () => state.chats.get(state.openChatId);
