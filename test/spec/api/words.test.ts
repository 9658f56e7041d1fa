import type { GatewayAnswer, GatewayRequest } from '../../../nodes/MessagingGateway/api/exchange';
import {
	adviseOnStatus,
	appendSentence,
	chooseMessage,
	putLossIntoWords,
} from '../../../nodes/MessagingGateway/api/words';

const request: GatewayRequest = {
	method: 'POST',
	path: '/v1/x',
	token: 'instance',
	effect: 'send',
};
const answer: GatewayAnswer = { status: 200, headers: {}, body: {}, path: '/v1/x' };
const said = (changes: Partial<GatewayAnswer>, of: Partial<GatewayRequest> = {}) =>
	chooseMessage({ ...request, ...of }, { ...answer, ...changes });
const advised = (changes: Partial<GatewayAnswer>, of: Partial<GatewayRequest> = {}) =>
	adviseOnStatus({ ...request, ...of }, { ...answer, ...changes });

describe('what an answer is said to be', () => {
	it.each<[string, Partial<GatewayAnswer>, string]>([
		['the gateway’s words, as text', { status: 400, body: { error: '<b>No' } }, '‹b>No'],
		['no words', { status: 400, body: { error: ' ' } }, 'did not accept the request (status 400)'],
		['unreadable', { status: 502, body: undefined, flaw: 'A web page' }, 'A web page (status 502)'],
		['nothing', { status: 502, body: undefined }, 'status 502 and nothing else'],
		[
			'a refusal without words',
			{ status: 304, body: {} },
			'did not accept the request (status 304)',
		],
		['a success without its ID', { status: 202 }, 'has no messageId (status 202)'],
	])('%s', (_what, changes, words) => {
		expect(said(changes)).toContain(words);
	});

	it('speaks of an ID only where a message was sent', () => {
		for (const effect of ['read', 'change'] as const)
			expect(said({}, { effect })).toContain('does not hold what was asked for (status 200)');
	});
});

describe('what an answer asks a person to do', () => {
	it.each([300, 301, 308, 399])('%i names the other address, as text', (status) => {
		expect(advised({ status })).toMatch(/^The gateway points to another address\. Put/);
		expect(advised({ status, headers: { location: '<b>' } })).toContain('another address (‹b>).');
	});

	it.each([500, 502, 503])('%i is waited for only where nothing is done twice', (status) => {
		const waits = (of: Partial<GatewayRequest>) => advised({ status }, of).includes('Try again');
		expect(waits({ isForItem: true, effect: 'send' })).toBe(false);
		expect(waits({ isForItem: true, effect: 'change' })).toBe(false);
		expect(waits({ isForItem: true, effect: 'read' })).toBe(true);
		expect(waits({ isForItem: true, effect: undefined })).toBe(true);
		expect(waits({ effect: 'send' })).toBe(true);
		expect(waits({ effect: 'change' })).toBe(true);
	});

	it('429 advises on the pace of messages, and of nothing else', () => {
		expect(advised({ status: 429 })).toContain('Messages Per Minute');
		for (const effect of ['read', 'change', undefined] as const)
			expect(advised({ status: 429 }, { effect })).toContain('a little later');
	});

	it.each([
		['{webhooksPath}', '/v1/hooks', 'webhooks at /v1/hooks. ', false],
		['{webhooksPath}/wh_1', '/v1/hooks/wh_1', 'webhooks at /v1/hooks. ', true],
		['{instancesPath}', '/v1/numbers', 'instances at /v1/numbers. ', false],
		['/v1/groups', '/v1/groups', 'nothing there', false],
	])('404 of %s names the place at which it looks', (wanted, path, words, mayLackId) => {
		const advice = advised({ status: 404, path }, { path: wanted });
		expect(advice).toContain(words);
		expect(advice.includes('no webhook with this ID')).toBe(mayLackId);
	});

	it.each([[405], [409], [410], [413], [422]])('%i is put down to the values', (status) => {
		expect(advised({ status })).toBe('Check the values of this node and the credential.');
	});
});

describe('what a lost answer asks a person to do', () => {
	const late = { reason: 'late', code: 'ETIMEDOUT', text: '', outcome: 'unknown' } as const;
	const adviceOn = (of: Partial<GatewayRequest>) =>
		putLossIntoWords({ ...request, ...of }, { ...late, passing: true }, 'https://a.example')[1];

	it('is to try again only where nothing is done twice', () => {
		expect(adviceOn({ isForItem: true })).not.toContain('Try again');
		expect(adviceOn({ isForItem: true, effect: 'read' })).toContain('Try again later');
		expect(adviceOn({})).toContain('Try again later');
	});

	it('names the option Timeout only where there is one', () => {
		for (const effect of ['read', 'send'] as const)
			expect(adviceOn({ isForItem: true, effect })).toContain('set a longer Timeout');
		expect(adviceOn({})).not.toContain('Timeout');
	});
});

it.each([
	['No', 'No. So.'],
	['No.', 'No. So.'],
	['No!', 'No! So.'],
	['No?', 'No? So.'],
	['No…', 'No… So.'],
	[' No. ', 'No. So.'],
	['No)', 'No). So.'],
])('puts a sentence behind %j', (text, both) => {
	expect(appendSentence(text, 'So.')).toBe(both);
	expect(appendSentence(text, undefined)).toBe(text);
});
