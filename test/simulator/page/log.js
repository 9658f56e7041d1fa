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
	drawLines($('requests'), lines, describeRequest, 'Nothing asked yet.');
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
			make('p', {}, 'Event id ', make('code', {}, last.eventId)),
			make('ul', {}, ...attempts.map(drawAttempt)),
			make(
				'pre',
				{ tabIndex: 0, 'aria-label': 'Body of the delivery', role: 'region' },
				format(last.body),
			),
		],
	};
}

function drawAttempt(delivery) {
	const { attempt, startedAt, finishedAt, answer, forged } = delivery;
	const took = `${Math.round(finishedAt - startedAt)} ms`;
	const said = answer ? `: ${answer.slice(0, 120)}` : '';
	return make(
		'li',
		{},
		`${attempt}. ${describeAnswer(delivery)} after ${took}${forged ? ', forged' : ''}${said}`,
	);
}

const describeAnswer = ({ status, error }) =>
	status === null ? `nothing (${error})` : String(status);

function describeRequest({ request }) {
	const { method, path, status, startedAt, finishedAt, body, fault } = request;
	const took = `${Math.round(finishedAt - startedAt)} ms`;
	return {
		title: `${method} ${path}`,
		about: [formatTime(startedAt, true), took, fault && 'made to fail'].filter(Boolean).join(' · '),
		verdict: status === 0 ? 'No answer' : String(status),
		kind: isAccepted(request) ? 'good' : 'bad',
		inside:
			body === undefined
				? [make('p', {}, 'Without a body')]
				: [
						make(
							'pre',
							{ tabIndex: 0, 'aria-label': 'Body of the request', role: 'region' },
							JSON.stringify(body, null, 2),
						),
					],
	};
}

function format(body) {
	return JSON.stringify(JSON.parse(body), null, 2);
}
