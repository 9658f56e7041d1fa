import { fingerprint, readAccess } from '../../../nodes/MessagingGateway/api/access';

// What is kept of an account is kept by its fingerprint: the trigger and the question, each with a credential of its
// own kind, must mean the same one.

const accountToken = 'svc_acct_abcdefgh';
const baseUrl = 'https://gateway.example.com';
const ofTrigger = (changes: object = {}) =>
	fingerprint(
		readAccess({ baseUrl, accountToken, webhookSecret: 'whsec_x', ...changes }, 'account'),
	);
const ofQuestion = (changes: object = {}) =>
	fingerprint(
		readAccess(
			{ baseUrl, instanceToken: 'svc_inst_abcdefgh', country: 'BR', accountToken, ...changes },
			'account',
		),
	);

it.each([
	{},
	{ baseUrl: `${baseUrl}/` },
	{ baseUrl: ` ${baseUrl}/v1/ ` },
	{ baseUrl: 'HTTPS://Gateway.Example.com:443' },
	{ accountToken: ` ${accountToken}\n` },
])(
	'an account has one fingerprint, whichever credential holds its token, and however it was typed: %j',
	(typed) => {
		expect(ofQuestion(typed)).toBe(ofTrigger());
		expect(ofTrigger(typed)).toBe(ofQuestion());
	},
);

it.each([
	{ baseUrl: 'https://other.example.com' },
	{ baseUrl: `${baseUrl}/other` },
	{ baseUrl: 'http://gateway.example.com' },
	{ accountToken: 'svc_acct_bbcdefgh' },
])('another account or another gateway has another fingerprint: %j', (typed) => {
	expect(ofQuestion(typed)).not.toBe(ofTrigger());
});
