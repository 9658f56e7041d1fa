import { deliversAll, isSameUrl } from '../../../nodes/MessagingGateway/webhooks/compare';

const OURS = 'https://n8n.example.com/webhook/Ab-1/webhook';

describe('the same URL', () => {
	it.each([
		OURS,
		`${OURS}/`,
		'HTTPS://N8N.Example.COM/webhook/Ab-1/webhook',
		'https://n8n.example.com:443/webhook/Ab-1/webhook/',
	])('is %s', (url) => {
		expect(isSameUrl(url, OURS)).toBe(true);
		expect(isSameUrl(OURS, url)).toBe(true);
	});

	it.each([
		['another path', 'https://n8n.example.com/webhook/ab-1/webhook'],
		['a longer path', `${OURS}/deeper`],
		['a shorter path', 'https://n8n.example.com/webhook/Ab-1'],
		['two slashes at the end', `${OURS}//`],
		['two slashes within', 'https://n8n.example.com/webhook//Ab-1/webhook'],
		['the test URL', 'https://n8n.example.com/webhook-test/Ab-1/webhook'],
		['another host', 'https://n8n.example.org/webhook/Ab-1/webhook'],
		['a host within', 'https://n8n.example.com.example.org/webhook/Ab-1/webhook'],
		['another port', 'https://n8n.example.com:8443/webhook/Ab-1/webhook'],
		['another scheme', 'http://n8n.example.com/webhook/Ab-1/webhook'],
		['a query', `${OURS}?tenant=2`],
		['a fragment', `${OURS}#2`],
		['a user', 'https://me@n8n.example.com/webhook/Ab-1/webhook'],
		['an escaped letter', 'https://n8n.example.com/webhook/%41b-1/webhook'],
		['nothing', ''],
		['no URL', 'n8n.example.com/webhook/Ab-1/webhook'],
	])('is not one with %s', (_what, url) => {
		expect(isSameUrl(url, OURS)).toBe(false);
		expect(isSameUrl(OURS, url)).toBe(false);
	});

	it('of what is no URL is the same text', () => {
		expect(isSameUrl('n8n/webhook', 'n8n/webhook')).toBe(true);
		expect(isSameUrl('n8n/webhook', 'n8n/webhook/')).toBe(false);
	});
});

describe('what is delivered', () => {
	const wanted = ['MESSAGE.RECEIVED', 'MESSAGE.SENT'];

	it.each([
		[['MESSAGE.SENT', 'MESSAGE.RECEIVED']],
		[['message.received', 'Message.Sent']],
		[['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'SYSTEM.PING']],
	])('by %j is all that is wanted', (events) => {
		expect(deliversAll(events, wanted)).toBe(true);
	});

	it.each([[[]], [['MESSAGE.SENT']], [['MESSAGE.SENT', 'MESSAGE.RECEIVED.X']]])(
		'by %j is not',
		(events) => {
			expect(deliversAll(events, wanted)).toBe(false);
		},
	);
});
