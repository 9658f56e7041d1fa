import { quote, writerOf } from './chat.js';
import { $, formatPhone, formatTime, make } from './dom.js';
import { call, openChat, state } from './store.js';

const SEND = { method: 'POST', path: '/v1/messages/send-text' };

/** The choices of the two lists, each with what it sets. */
const SENDS = [
	['work', undefined],
	['fail with 400', { status: 400 }],
	['fail with 429', { status: 429 }],
	['fail with 502', { status: 502 }],
	['break after acceptance', 'cutAfter'],
	['get no answer', 'hang'],
];
const DELIVERIES = [
	['arrive once', {}],
	['arrive twice', { duplicate: 2 }],
	['arrive 5 seconds late', { delayMs: 5000 }],
	['arrive out of order', { shuffle: true }],
	['are forged', { forge: true }],
	['are held', { pause: true }],
];
const USUAL_MODE = { duplicate: 1, delayMs: 0, shuffle: false, forge: false, pause: false };

const WAITS = 'Sends are refused, and messages of people wait in the network.';
const CONNECTIONS = {
	CONNECTED: ['Connected', ''],
	DISCONNECTED: ['Disconnected', `The link comes back without pairing. ${WAITS}`],
	LOGGED_OUT: ['Logged out', `The number has to be paired again. ${WAITS}`],
	BANNED: ['Banned', `The network has banned the number. ${WAITS}`],
};

/** Makes the controls work; the state draws what they show. */
export function wirePanel() {
	const fill = (id, choices) =>
		$(id).append(...choices.map(([label], at) => make('option', { value: String(at) }, label)));
	fill('sends', SENDS);
	fill('arrivals', DELIVERIES);
	$('sends').addEventListener('change', () => {
		const [, fault] = SENDS[$('sends').value];
		call('fault', fault ? { plan: { match: SEND, times: 'always', fault } } : {});
	});
	$('arrivals').addEventListener('change', () =>
		call('delivery', { ...USUAL_MODE, ...DELIVERIES[$('arrivals').value][1] }),
	);
	$('connection').append(
		...Object.entries(CONNECTIONS).map(([value, [label]]) => make('option', { value }, label)),
	);
	$('connection').addEventListener('change', () =>
		call('connection', { status: $('connection').value }),
	);
	$('pairing').addEventListener('click', () => call('pairing', { status: 'GENERATED' }));
	$('send-picture').addEventListener('click', () => {
		const chat = openChat();
		call('write', { chatId: chat.id, name: writerOf(chat).name, text: '', as: 'picture' });
	});
	$('ask').addEventListener('click', () => {
		const buttons = ['Yes, please', 'Not today'].map((text) => ({ id: text, text }));
		const text = 'Shall we keep two loaves for you?';
		call('write-as-owner', { chatId: openChat().id, text, buttons });
		quote(undefined);
	});
	$('reset').addEventListener('click', () => {
		if (confirm('Go back to the sample chats? The webhooks stay.')) call('reset', {});
	});
}

export function drawInstance() {
	const { name, phone, profileStatus, connection, pairingCode } = state.instance;
	const [label, about] = CONNECTIONS[connection];
	$('number-name').textContent = name;
	$('number-about').textContent = [formatPhone(phone), profileStatus].filter(Boolean).join(' · ');
	$('pill').textContent = label;
	$('pill').dataset.connection = connection;
	$('connection').value = connection;
	$('notice').hidden = about === '';
	$('notice').textContent = about;
	$('pairing').hidden = connection !== 'LOGGED_OUT';
	$('pairing').textContent = pairingCode
		? `Code ${pairingCode}: make a new one`
		: 'Make a pairing code';
}

export function drawTrouble() {
	const [planned] = state.faults;
	const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
	$('sends').value = String(
		Math.max(
			0,
			SENDS.findIndex(([, fault]) => isSame(fault, planned?.fault)),
		),
	);
	const position = DELIVERIES.findLastIndex(([, mode]) =>
		Object.entries(mode).every(([name, value]) => state.mode[name] === value),
	);
	$('arrivals').value = String(position);
}

export function drawWebhooks() {
	const lines = state.webhooks.map(({ url, events }) =>
		make('li', {}, make('code', {}, url), make('span', {}, ` ${events.join(', ')}`)),
	);
	const none = make('li', {}, 'None. Publish a workflow with the trigger.');
	$('webhooks').replaceChildren(...(lines.length > 0 ? lines : [none]));
}

/** The attempts of the gateway to deliver events, the newest first. */
export const drawDeliveries = () =>
	drawLog('deliveries', state.deliveries, ({ type, body, ...attempt }) => [
		type,
		attempt.status ?? 'no answer',
		{ ...attempt, body: JSON.parse(body) },
	]);

/** The requests of workflows to the gateway, the newest first. */
export const drawRequests = () =>
	drawLog('requests', state.requests, (request) => [
		`${request.method} ${request.path}`,
		request.status || 'no answer',
		request,
	]);

function drawLog(id, lines, describe) {
	const open = new Set([...$(id).querySelectorAll('[open]')].map(({ dataset }) => dataset.key));
	const drawn = lines.toReversed().map((line) => {
		const [title, status, inside] = describe(line);
		const key = `${line.startedAt} ${title}`;
		const verdict = make(
			'span',
			{ className: status >= 200 && status < 300 ? 'good' : 'bad' },
			String(status),
		);
		const summary = make('summary', {}, `${formatTime(line.startedAt, true)} ${title} `, verdict);
		const text = make(
			'pre',
			{ tabIndex: 0, role: 'group', 'aria-label': title },
			JSON.stringify(inside, null, 2),
		);
		return make('li', {}, make('details', { 'data-key': key, open: open.has(key) }, summary, text));
	});
	$(id).replaceChildren(...(drawn.length > 0 ? drawn : [make('li', {}, 'None yet.')]));
}

export function drawCredentials() {
	const { accountToken, instanceToken, basePath } = state.info;
	const lines = {
		'Base URL': location.origin + basePath,
		'Account token': accountToken,
		'Instance token': instanceToken,
	};
	$('credentials').replaceChildren(
		...Object.entries(lines).flatMap(([name, value]) => {
			const button = make('button', { type: 'button', 'aria-label': `Copy ${name}` }, 'Copy');
			button.addEventListener('click', async () => {
				await navigator.clipboard.writeText(value);
				button.textContent = 'Copied';
			});
			return [make('dt', {}, name), make('dd', {}, make('code', {}, value), button)];
		}),
	);
}
