import { numberChosen, quote, writerOf } from './chat.js';
import { drawConnection } from './connection.js';
import { $, formatPhone, make, replaceChildren } from './dom.js';
import { call, openChat, state } from './store.js';

const SEND = { method: 'POST', path: '/v1/messages/send-text' };

/** Switches of the delivery mode: label, explanation, the mode when on, and when off. */
const SWITCHES = [
	['Deliver twice', 'Every event goes out two times at once', { duplicate: 2 }, { duplicate: 1 }],
	['Deliver late', 'Five seconds after it happened', { delayMs: 5000 }, { delayMs: 0 }],
	[
		'Out of order',
		'Events that happen close together arrive in reverse order',
		{ shuffle: true },
		{ shuffle: false },
	],
	[
		'Forge signatures',
		'Signed with a key that is not the webhook’s',
		{ forge: true },
		{ forge: false },
	],
	['Hold deliveries', 'Nothing goes out until this is off', { pause: true }, { pause: false }],
];

const FAILURES = [
	['work', undefined],
	['fail with 400', { status: 400 }],
	['fail with 401', { status: 401 }],
	['fail with 429', { status: 429 }],
	['fail with 502', { status: 502 }],
	['break before acceptance', 'cutBefore'],
	['break after acceptance', 'cutAfter'],
	['get no answer', 'hang'],
];

/** Makes the controls work; what they show is drawn from the state. */
export function wirePanel() {
	for (const button of $('connection').children) {
		button.addEventListener('click', () =>
			call('POST', 'connection', { status: button.dataset.status }),
		);
	}
	$('pairing-new').addEventListener('click', () =>
		call('POST', 'pairing', { status: 'GENERATED' }),
	);
	$('pairing-expire').addEventListener('click', () =>
		call('POST', 'pairing', { status: 'EXPIRED' }),
	);
	$('switches').append(...SWITCHES.map(makeSwitch));
	$('fail').append(
		...FAILURES.map(([label], position) => make('option', { value: String(position) }, label)),
	);
	$('fail').addEventListener('change', () => failSends(FAILURES[$('fail').value][1]));
	$('reset').addEventListener('click', () => {
		if (
			confirm(
				'Go back to the sample chats? This deletes new messages and recordings, and ends all trouble. The webhooks stay.',
			)
		)
			void call('POST', 'reset', {});
	});
	$('send-picture').addEventListener('click', () => sendMedia('picture', ''));
	$('send-voice').addEventListener('click', sayWhatIsTyped);
	$('ask').addEventListener('click', askWithButtons);
	$('post-status').addEventListener('click', postStatus);
}

export function drawInstance() {
	const { instance } = state;
	$('number-name').textContent = instance.name;
	$('number-about').textContent = [formatPhone(instance.phone), instance.profileStatus]
		.filter(Boolean)
		.join(' · ');
	drawConnection();
}

export function drawTrouble() {
	SWITCHES.forEach(([, , on], position) => {
		const [[name, value]] = Object.entries(on);
		$(`switch-${position}`).checked =
			typeof value === 'number' ? state.mode[name] >= value : state.mode[name] === value;
	});
	const failure = findFailure();
	const position = FAILURES.findIndex(
		([, fault]) => JSON.stringify(fault) === JSON.stringify(failure?.fault),
	);
	$('fail').value = String(Math.max(position, 0));
	document.body.classList.toggle(
		'troubled',
		failure !== undefined || $('switches').querySelector(':checked') !== null,
	);
}

export function drawWebhooks() {
	const hooks = state.webhooks.map(({ id, url, events, enabled }) => {
		const about = `${events.length} event ${events.length === 1 ? 'type' : 'types'}${enabled ? '' : ', switched off'}`;
		return make('li', { 'data-key': id }, make('code', {}, url), make('span', {}, about));
	});
	const none = make(
		'li',
		{ className: 'none' },
		'No webhook yet. It appears here when a workflow with the trigger is published.',
	);
	replaceChildren($('webhooks'), hooks.length > 0 ? hooks : [none]);
}

export function drawCredentials() {
	const { info } = state;
	const lines = [
		['Base URL', location.origin + info.basePath],
		['Account token', info.accountToken],
		['Instance token', info.instanceToken],
	];
	if (info.furtherNumbers.length > 0)
		lines.push([
			'Further numbers',
			[info, ...info.furtherNumbers]
				.map(({ instanceId, instanceToken }) => `${instanceId}, ${instanceToken}`)
				.join('\n'),
		]);
	const copy = (button, value) =>
		navigator.clipboard.writeText(value).then(() => (button.textContent = 'Copied'));
	$('credentials').replaceChildren(
		...lines.flatMap(([name, value]) => {
			const button = make('button', { type: 'button', 'aria-label': `Copy ${name}` }, 'Copy');
			button.addEventListener('click', () => copy(button, value));
			return [make('dt', {}, name), make('dd', {}, make('code', {}, value), button)];
		}),
	);
}

function makeSwitch([label, about, on, off], position) {
	const id = `switch-${position}`;
	const box = make('input', {
		type: 'checkbox',
		role: 'switch',
		id,
		'aria-describedby': `${id}-about`,
	});
	box.addEventListener('change', () => call('PUT', 'delivery', box.checked ? on : off));
	const text = make('label', { htmlFor: id }, label);
	return make('li', {}, make('div', {}, text, make('p', { id: `${id}-about` }, about)), box);
}

const findFailure = () =>
	state.faults.find(({ match, timesLeft }) => match.path === SEND.path && timesLeft === null);

async function failSends(fault) {
	const earlier = findFailure();
	if (earlier) await call('DELETE', `faults/${earlier.id}`);
	if (fault) await call('POST', 'faults', { match: SEND, times: 'always', fault });
}

/** The person of the open chat sends something that is no text. */
async function sendMedia(as, text) {
	const chat = openChat();
	const { name } = writerOf(chat);
	await call('POST', 'write', { chatId: chat.id, instanceId: numberChosen().id, name, text, as });
}

function sayWhatIsTyped() {
	const words = $('text').value.trim() || 'When do you open on Sunday?';
	$('text').value = '';
	quote(undefined);
	void sendMedia('voice', words);
}

function askWithButtons() {
	const buttons = [
		{ id: 'yes', text: 'Yes, please' },
		{ id: 'no', text: 'Not today' },
	];
	void call('POST', 'write-as-owner', {
		chatId: openChat().id,
		text: 'Shall we keep two loaves for you?',
		buttons,
	});
}

function postStatus() {
	const chat = openChat();
	const poster = chat.members[0] ?? chat;
	void call('POST', 'write', {
		chatId: poster.id,
		isStatus: true,
		text: `${poster.name.split(' ')[0]} is at the beach`,
	});
}
