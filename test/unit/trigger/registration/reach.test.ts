import { whyUnreachable } from '../../../../nodes/MessagingGateway/trigger/registration/reach';

const DISTANT = 'https://gateway.example.com';

it.each([
	['http://localhost:5678/webhook/x', 'only this machine'],
	['https://localhost/webhook/x', 'only this machine'],
	['http://127.0.0.1/x', 'only this machine'],
	['http://127.9.9.9/x', 'only this machine'],
	['http://0.0.0.0:5678/x', 'only this machine'],
	['http://[::1]:5678/x', 'only this machine'],
	['http://n8n.localhost/x', 'only this machine'],
	['http://n8n.example.com/x', 'not an https address'],
	['http://192.168.0.10:5678/x', 'not an https address'],
	['not a URL', 'not an https address'],
])('%s cannot be reached from afar', (url, reason) => {
	expect(whyUnreachable(url, DISTANT)).toContain(reason);
});

it.each([
	'https://n8n.example.com/x',
	'HTTPS://N8N.EXAMPLE.COM/x',
	'https://localhost.example.com/x',
	'https://127.0.0.1.example.com/x',
])('%s can', (url) => {
	expect(whyUnreachable(url, DISTANT)).toBeUndefined();
});

it.each([
	'http://localhost:8080',
	'http://127.0.0.1:8080/api',
	'http://[::1]:80',
	'http://host.docker.internal',
])('a gateway at %s reaches every address', (gateway) => {
	expect(whyUnreachable('http://localhost:5678/x', gateway)).toBeUndefined();
	expect(whyUnreachable('http://192.168.0.10:5678/x', gateway)).toBeUndefined();
});
