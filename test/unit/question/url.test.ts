import { createHash } from 'node:crypto';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import { detailsOf, readUrl } from '../../../nodes/MessagingGateway/question/url';

const n8n = { getInstanceId: () => 'n8n-1' } as unknown as GatewayContext;
const mark = createHash('sha256').update('n8n-1').digest('base64url').slice(0, 10);

const OWN = 'https://example.com/n8n/webhook-waiting/12/node?signature=1';
const PARAMETERS = 'asked=5511900000001&until=1795390756101';
const QUESTION = `https://example.com/n8n/webhook-waiting/7/node-1?${PARAMETERS}&signature=abc`;

it('reads whom a question went to, and until when', () => {
	expect(readUrl(n8n, QUESTION, OWN)).toEqual({ to: '5511900000001', until: 1795390756101 });
});

it('reads what was learnt of the place', () => {
	expect(readUrl(n8n, `${QUESTION}&chat=a%40lid&instance=inst_1`, OWN)).toMatchObject({
		chatId: 'a@lid',
		instanceId: 'inst_1',
	});
});

it('reads how often the person was asked again', () => {
	expect(readUrl(n8n, `${QUESTION}&again=2`, OWN)).toMatchObject({ again: 2 });
	expect(readUrl(n8n, `${QUESTION}&again=often`, OWN)).not.toHaveProperty('again');
});

it('knows its own n8n by the address of a trigger as well', () => {
	expect(readUrl(n8n, QUESTION, 'https://example.com/n8n/webhook/abc/webhook')).toBeDefined();
	expect(readUrl(n8n, QUESTION, 'https://EXAMPLE.com:443/n8n/webhook/abc/webhook')).toBeDefined();
});

it.each([
	['another n8n at the same host', QUESTION.replace('/n8n/', '/other/')],
	['another host', QUESTION.replace('example.com', 'example.org')],
	['another port', QUESTION.replace('example.com', 'example.com:8443')],
	['plain http', QUESTION.replace('https', 'http')],
	['a trigger', 'https://example.com/n8n/webhook/abc/webhook'],
	['another waiting execution', 'https://example.com/n8n/webhook-waiting/7/node-1?signature=abc'],
	['nobody n8n knows', QUESTION.replace('&signature=abc', '')],
	['no time', QUESTION.replace('1795390756101', 'soon')],
	[
		'one that would start a workflow',
		`https://example.com/n8n/webhook/abc/pay?${PARAMETERS}&signature=abc`,
	],
	['more than n8n writes', `${QUESTION}&chat=${'a'.repeat(2_000)}`],
	['no URL', 'n8n/webhook-waiting'],
	['nothing', ''],
])('takes no webhook of %s for a question of its own', (_whose, url) => {
	expect(readUrl(n8n, url, OWN)).toBeUndefined();
});

describe('with the mark of its n8n', () => {
	const BEYOND = 'https://example.com/n8n/hooks/n8n/abc/webhook';

	it.each([
		['under a path for triggers of two parts', QUESTION, BEYOND],
		['under its usual path', QUESTION, OWN],
	])('is known %s', (_where, question, own) => {
		expect(readUrl(n8n, `${question}&by=${mark}`, own)).toBeDefined();
	});

	it.each([
		['one without a mark', QUESTION, BEYOND],
		['another n8n further up', `${QUESTION}&by=another`, BEYOND],
		['another n8n', `${QUESTION}&by=another`, OWN],
		['one that is no part of the path', `${QUESTION.replace('/n8n/', '/n8/')}&by=${mark}`, BEYOND],
		[
			'one that would start a workflow',
			`https://example.com/n8n/hooks/n8n/abc/7/pay?${PARAMETERS}&signature=abc&by=${mark}`,
			BEYOND,
		],
	])('is not %s', (_whose, question, own) => {
		expect(readUrl(n8n, question, own)).toBeUndefined();
	});
});

it('keeps no ID of a chat that is longer than any', () => {
	const [longest, longer] = [500, 501].map((length) => 'x'.repeat(length));
	expect(detailsOf({ chat: longest, instance: longest })).toEqual({
		chatId: longest,
		instanceId: longest,
	});
	expect(detailsOf({ chat: longer, instance: longer })).toEqual({});
});
