/** The state of the simulator, and below it the state of this page alone. */
export const state = {
	numbers: [],
	chats: new Map(),
	webhooks: [],
	mode: {},
	faults: [],
	log: [],
	credentials: {},
	openChatId: undefined,
	/** The writer chosen in the open chat; without one, its first person. */
	writerId: undefined,
	numberId: undefined,
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
	if (!state.chats.has(state.openChatId)) state.openChatId = chats[0].id;
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

export function keepNumber(number) {
	state.numbers = state.numbers.map((each) => (each.id === number.id ? number : each));
}

export function keepLine(line) {
	state.log.push(line);
	if (state.log.length > LINES_KEPT) state.log.shift();
}

export const openChat = () => state.chats.get(state.openChatId);

/** The people who can write in the open chat: the members of a group, else the person. */
export function peopleOfChat() {
	const chat = openChat();
	return chat.members.length > 0 ? chat.members : [chat];
}

/** The writer: one of the people of the chat. */
export function writer() {
	const people = peopleOfChat();
	return people.find(({ id }) => id === state.writerId) ?? people[0];
}

/** The number that is written to. */
export const number = () =>
	state.numbers.find(({ id }) => id === state.numberId) ?? state.numbers[0];

/** The number of a message. */
export const numberOf = ({ instanceId }) =>
	state.numbers.find(({ id }) => id === instanceId) ?? state.numbers[0];
