import { $, formatTime, make } from './dom.js';
import { state } from './store.js';

const isAccepted = ({ status }) => status >= 200 && status < 300;

/** What the gateway delivered: one line per event and webhook, its attempts inside. */
export function drawDeliveries() {
	const jobs = Map.groupBy(state.deliveries, ({ eventId, webhookId }) => `${eventId} ${webhookId}`);
	drawLines(
		$('deliveries'),
		[...jobs].map(([key, attempts]) => ({ key, attempts })),
		describeJob,
		'Nothing delivered yet.',
	);
}

/** What the workflow asked the gateway for. */
export function drawRequests() {
	const lines = state.requests.map((request) => ({
		key: `${request.startedAt} ${request.path}`,
		request,
	}));
	drawLines($('requests'), lines, describeRequest, 'No request yet.');
}

function drawLines(list, lines, describe, none) {
	const open = new Set(
		[...list.querySelectorAll('details[open]')].map(({ dataset }) => dataset.key),
	);
	const focused = list.contains(document.activeElement)
		? document.activeElement.parentElement.dataset.key
		: undefined;
	const drawn = lines.reverse().map((line) => {
		const { title, about, verdict, kind, inside } = describe(line);
		const summary = make(
			'summary',
			{},
			make('span', { className: 'title' }, title),
			make('span', { className: `verdict ${kind}` }, verdict),
			make('span', { className: 'about' }, about),
		);
		return make(
			'li',
			{},
			make('details', { 'data-key': line.key, open: open.has(line.key) }, summary, ...inside),
		);
	});
	list.replaceChildren(...(drawn.length > 0 ? drawn : [make('li', { className: 'none' }, none)]));
	if (focused) list.querySelector(`[data-key="${CSS.escape(focused)}"] summary`)?.focus();
}

function describeJob({ attempts }) {
	const last = attempts[attempts.length - 1];
	const { data } = JSON.parse(last.body);
	const isDone = attempts.some(isAccepted);
	const verdict = isDone ? 'Accepted' : last.givenUp ? 'Given up' : 'Trying again';
	const count = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`;
	return {
		title: last.type,
		about: [
			formatTime(last.startedAt, true),
			data.status,
			count,
			`answered ${describeAnswer(last)}`,
		]
			.filter(Boolean)
			.join(' · '),
		verdict,
		kind: isDone ? 'good' : last.givenUp ? 'bad' : 'open',
		inside: [
			make('p', {}, 'Sent to ', make('code', {}, last.url)),
			drawText('What was sent', format(last.body)),
			make('p', {}, 'Signed in its headers'),
			drawText('The headers that were sent', describeHeaders(last.headers)),
			make('p', {}, 'Answered'),
			make('ol', {}, ...attempts.map(drawAttempt)),
		],
	};
}

function drawAttempt(delivery) {
	const { startedAt, finishedAt, answer, forged } = delivery;
	const took = `${Math.round(finishedAt - startedAt)} ms`;
	const how = `${describeAnswer(delivery)} after ${took}${forged ? ', forged' : ''}`;
	return make('li', {}, how, answer ? drawText('What was answered', format(answer)) : '');
}

const describeAnswer = ({ status, error }) =>
	status === null ? `nothing (${error})` : String(status);

function describeRequest({ request }) {
	const { method, path, query, token, status, answer, startedAt, finishedAt, body, fault } =
		request;
	const took = `${Math.round(finishedAt - startedAt)} ms`;
	const asked = new URLSearchParams(query).toString();
	const withWhat = token === 'none' ? 'without a known token' : `with the ${token} token`;
	return {
		title: `${method} ${path}`,
		about: [formatTime(startedAt, true), took, fault && 'made to fail'].filter(Boolean).join(' · '),
		verdict: status === 0 ? 'No answer' : String(status),
		kind: isAccepted(request) ? 'good' : 'bad',
		inside: [
			make('p', {}, `Sent ${withWhat}${body === undefined ? ', without a body' : ''}`),
			asked ? make('p', {}, 'Query ', make('code', {}, asked)) : '',
			body === undefined ? '' : drawText('What was sent', JSON.stringify(body, null, 2)),
			make('p', {}, `Answered ${status === 0 ? 'nothing' : status}`),
			answer ? drawText('What was answered', format(answer)) : '',
		],
	};
}

const describeHeaders = (headers) =>
	Object.entries(headers)
		.map(([name, value]) => `${name}: ${value}`)
		.join('\n');

/** Text that scrolls in a frame of its own. */
function drawText(label, text) {
	return make('pre', { tabIndex: 0, 'aria-label': label, role: 'group' }, text);
}

/** JSON as people read it; whatever else it is, as it is. */
function format(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
