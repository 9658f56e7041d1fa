import { fingerprint, hideAll, readAccess } from '../../../nodes/MessagingGateway/api/access';

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

describe('the paths of a credential', () => {
	const pathsOf = (typed: object) =>
		readAccess({ baseUrl, accountToken, ...typed }, 'account').paths;

	it.each([undefined, null, 7, '', ' ', '/', ' // '])('are the usual ones with %j', (path) => {
		expect(pathsOf({ webhooksPath: path, instancesPath: path })).toEqual({
			webhooksPath: '/v1/webhooks',
			instancesPath: '/v1/instances',
		});
	});

	it.each(['/v2/hooks', 'v2/hooks', '/v2/hooks/', ' v2/hooks// '])(
		'are read however they are typed: %j',
		(path) => {
			expect(pathsOf({ webhooksPath: path })).toEqual({
				webhooksPath: '/v2/hooks',
				instancesPath: '/v1/instances',
			});
			expect(pathsOf({ instancesPath: path })).toEqual({
				webhooksPath: '/v1/webhooks',
				instancesPath: '/v2/hooks',
			});
		},
	);

	it.each(['webhooksPath', 'instancesPath'])('hold no token in %s', (field) => {
		expect(() => pathsOf({ [field]: '/v1/svc_acct_abcd' })).toThrow('path in the credential');
	});
});

it.each([
	['account token', 'accountToken', 'svc_acct_account0123456789'],
	['instance token', 'instanceToken', 'svc_inst_instance0123456789'],
	['webhook secret', 'webhookSecret', 'whsec_secret0123456789abcd'],
	['further number', 'furtherNumbers', 'svc_inst_further0123456789'],
])('hides the %s of a credential, whichever token a request goes by', (_what, field, secret) => {
	const core = secret.slice(secret.lastIndexOf('_') + 1);
	const typed = {
		baseUrl,
		accountToken,
		instanceToken: 'svc_inst_abcdefgh',
		[field]: field === 'furtherNumbers' ? `inst_1, ${secret}` : ` ${secret} `,
	};
	for (const kind of ['account', 'instance'] as const)
		expect(hideAll(readAccess(typed, kind))(`It was ${core}.`)).toBe('It was [hidden].');
});
