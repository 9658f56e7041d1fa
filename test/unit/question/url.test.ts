import { readUrl } from '../../../nodes/MessagingGateway/question/url';

const OWN = 'https://example.com/n8n/webhook-waiting/12/node?signature=1';
const PARAMETERS = 'asked=5511900000001&until=1795390756101';
const QUESTION = `https://example.com/n8n/webhook-waiting/7/node-1?${PARAMETERS}&signature=abc`;

it('reads whom a question went to, and until when', () => {
	expect(readUrl(QUESTION, OWN)).toEqual({ to: '5511900000001', until: 1795390756101 });
});

it('reads what was learnt of the place', () => {
	expect(readUrl(`${QUESTION}&chat=a%40lid&instance=inst_1`, OWN)).toMatchObject({
		chatId: 'a@lid',
		instanceId: 'inst_1',
	});
});

it('reads how often the person was asked again', () => {
	expect(readUrl(`${QUESTION}&again=2`, OWN)).toMatchObject({ again: 2 });
	expect(readUrl(`${QUESTION}&again=often`, OWN)).toMatchObject({ again: 0 });
});

it('knows its own n8n by the address of a trigger as well', () => {
	expect(readUrl(QUESTION, 'https://example.com/n8n/webhook/abc/webhook')).toBeDefined();
	expect(readUrl(QUESTION, 'https://EXAMPLE.com:443/n8n/webhook/abc/webhook')).toBeDefined();
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
	expect(readUrl(url, OWN)).toBeUndefined();
});
