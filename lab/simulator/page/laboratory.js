import { CONNECTIONS } from './chat.js';
import { $, fillSelect, formatTime, make } from './dom.js';
import { call, number, state } from './store.js';

const SEND = { method: 'POST', path: '/v1/messages/send-text' };

/** The choices of the two lists, each with the trouble that it makes. */
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
	['are forged', { forge: true }],
	['are held', { pause: true }],
];
const ORDERLY = { duplicate: 1, forge: false, pause: false };

/** Makes the controls work; the state draws what they show. */
export function wireLaboratory() {
	$('sends').addEventListener('change', () => {
		const [, fault] = SENDS[$('sends').value];
		void call('fault', fault ? { plan: { match: SEND, times: 'always', fault } } : {});
	});
	$('arrivals').addEventListener('change', () =>
		call('delivery', { ...ORDERLY, ...DELIVERIES[$('arrivals').value][1] }),
	);
	$('connection').addEventListener('change', () =>
		call('connection', { status: $('connection').value, instanceId: number().id }),
	);
	$('reset').addEventListener('click', () => {
		if (confirm('Go back to the sample chats? The webhooks stay.')) void call('reset', {});
	});
}

/** The laboratory as it is now. */
export function drawLaboratory() {
	const labelsOf = (choices) => choices.map(([label], position) => [position, label]);
	const planned = JSON.stringify(state.faults[0]?.fault);
	const sends = SENDS.findIndex(([, fault]) => JSON.stringify(fault) === planned);
	fillSelect('sends', labelsOf(SENDS), sends);
	const arrivals = DELIVERIES.findLastIndex(([, mode]) =>
		Object.entries(mode).every(([name, value]) => state.mode[name] === value),
	);
	fillSelect('arrivals', labelsOf(DELIVERIES), arrivals);
	const connections = Object.entries(CONNECTIONS).map(([status, [label]]) => [status, label]);
	fillSelect('connection', connections, number().status);
	drawWebhooks();
	drawLog();
	drawCredentials();
}

function drawWebhooks() {
	const lines = state.webhooks.map(({ url, events }) =>
		make('li', {}, make('code', {}, url), ` ${events.join(', ')}`),
	);
	const none = make('li', {}, 'None. Publish a workflow with the trigger.');
	$('webhooks').replaceChildren(...(lines.length > 0 ? lines : [none]));
}

/** Requests of n8n to the gateway and deliveries of the gateway to n8n, the newest first. */
function drawLog() {
	const open = new Set([...$('log').querySelectorAll('[open]')].map(({ dataset }) => dataset.key));
	const lines = state.log.toReversed().map((line) => {
		const title = line.type ?? `${line.method} ${line.path}`;
		const key = `${line.startedAt} ${title}`;

		const className = line.status >= 200 && line.status < 300 ? 'good' : 'bad';
		const verdict = make('span', { className }, line.status || 'no answer');
		const summary = make(
			'summary',
			{},
			`${formatTime(line.startedAt, { second: '2-digit' })} ${title} `,
			verdict,
		);

		const inside = line.type ? { ...line, body: JSON.parse(line.body) } : line;
		const text = make('pre', { tabIndex: 0 }, JSON.stringify(inside, null, 2));
		return make('li', {}, make('details', { 'data-key': key, open: open.has(key) }, summary, text));
	});
	$('log').replaceChildren(...(lines.length > 0 ? lines : [make('li', {}, 'None yet.')]));
}

function drawCredentials() {
	const { basePath, ...tokens } = state.credentials;
	const lines = { 'Base URL': location.origin + basePath, ...tokens };
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
