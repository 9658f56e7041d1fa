import { freeClosedPort, startSimulator, type Fault } from '../../../simulator';
import { testCredential } from '../../support/asking';
import { credentialsOf, runOperation } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';
import { untrustedCertificate } from '../../support/untrustedCertificate';

type Changes = Record<string, string>;

const OK = { status: 'OK', message: 'The gateway accepts this token.' };
const both = () => ({ accountToken: gateway.accountToken });
const asked = () => gateway.requests.map(({ method, path, token }) => [`${method} ${path}`, token]);
const because = (message: RegExp | string) => ({
	status: 'Error',
	message: expect.stringMatching(message),
});

describe('the test of a credential', () => {
	it.each([
		['account', 'GET /v1/webhooks'],
		['instance', 'GET /v1/instance/settings'],
	] as const)('asks the gateway something harmless with the %s token', async (kind, request) => {
		await expect(testCredential(kind)).resolves.toEqual(OK);
		expect(asked()).toEqual([[request, kind]]);
	});

	it('tries both tokens where both are there', async () => {
		await expect(testCredential('instance', both())).resolves.toEqual({
			status: 'OK',
			message: 'The gateway accepts both tokens.',
		});
		expect(asked().sort()).toEqual([
			['GET /v1/instance/settings', 'instance'],
			['GET /v1/webhooks', 'account'],
		]);
	});

	it.each<[Changes, RegExp]>([
		[
			{ accountToken: 'svc_acct_nobody' },
			/^Account Token: The gateway does not accept this account token\.[^:]*$/,
		],
		[
			{ instanceToken: 'svc_inst_nobody' },
			/^Instance Token: The gateway does not accept this instance token\.[^:]*$/,
		],
		[
			{ accountToken: 'svc_acct_nobody', instanceToken: 'svc_inst_nobody' },
			/^Instance Token: .*instance token\..* Account Token: .*account token\./,
		],
		[{ webhooksPath: '/v1/hooks' }, /^Account Token: .*no webhooks under this path/],
	])('says which of both tokens fails: %j', async (changes, words) => {
		await expect(testCredential('instance', { ...both(), ...changes })).resolves.toEqual(
			because(words),
		);
		expect(gateway.requests).toHaveLength(2);
	});

	it('says once what is true of both tokens', async () => {
		gateway.faults.add({ fault: { status: 500 }, times: 'always' });
		await expect(testCredential('instance', both())).resolves.toEqual(
			because(/^The gateway could not process the request \(HTTP 500\)\. Try again later\.$/),
		);
	});

	it.each(['/', '/v1', '/v1/', ' '])(
		'takes the base URL with %j at its end, as the nodes do',
		async (end) => {
			await expect(testCredential('account', { baseUrl: gateway.url + end })).resolves.toEqual(OK);
			await expect(testCredential('instance', { baseUrl: gateway.url + end })).resolves.toEqual(OK);
		},
	);

	it.each(['', 'v1/webhooks', '/v1/webhooks/'])(
		'takes the webhooks path %j, as the nodes do',
		async (webhooksPath) => {
			await expect(testCredential('account', { webhooksPath })).resolves.toEqual(OK);
		},
	);

	it.each([{ data: [] }, { data: null }, { data: {} }, {}, { data: { webhooks: null } }])(
		'takes %j for an account without webhooks',
		async (body) => {
			gateway.faults.add({ fault: { status: 200, body } });
			await expect(testCredential('account')).resolves.toEqual(OK);
		},
	);

	it('is the same for the trigger', () => {
		const { description, methods } = engine.nodeType('messagingGatewayTrigger');
		const [{ testedBy }] = description.credentials!;
		expect(methods!.credentialTest![testedBy as string].toString()).toBe(
			engine.nodeType('messagingGateway').methods!.credentialTest![testedBy as string].toString(),
		);
	});

	it.each<['account' | 'instance', Changes, RegExp]>([
		['instance', { instanceToken: '' }, /^The instance token is empty/],
		['instance', { instanceToken: 'svc_acct_1' }, /^This is an account token/],
		['account', { accountToken: 'svc_inst_1' }, /^This is an instance token/],
		['account', { accountToken: 'abc' }, /^This is not an account token/],
		['instance', { accountToken: 'svc_inst_1' }, /^This is an instance token.*field Account Token/],
		['instance', { accountToken: 'abc' }, /^This is not an account token/],
		[
			'account',
			{ webhookSecret: 'whsec_YQ==' },
			/^The webhook secret cannot be right: its key is too short to be safe, 1 instead of at least 24/,
		],
		[
			'instance',
			{ instanceToken: `svc_inst_${'a'.repeat(504)}` },
			/^The instance token has 513 characters\. A token has at most 512/,
		],
		[
			'account',
			{ webhookSecret: `whsec_${'a'.repeat(508)}` },
			/^The webhook secret cannot be right: it has 514 characters, and at most 512 are taken/,
		],
		['account', { webhookSecret: '0123' }, /^The webhook secret.*does not begin with whsec_/],
		['instance', { baseUrl: '' }, /^The base URL is empty/],
		['instance', { baseUrl: 'gateway.example.com' }, /is not a web address/],
	])('says what is wrong without asking anybody: %s %j', async (kind, changes, words) => {
		await expect(testCredential(kind, changes)).resolves.toEqual(because(words));
		expect(gateway.requests).toEqual([]);
	});

	it.each<['account' | 'instance', Fault | undefined, Changes, RegExp]>([
		[
			'instance',
			undefined,
			{ instanceToken: 'svc_inst_nobody' },
			/does not accept this instance token/,
		],
		[
			'account',
			undefined,
			{ accountToken: 'svc_acct_nobody' },
			/does not accept this account token/,
		],
		['instance', { status: 403 }, {}, /does not let it act for a number/],
		['account', { status: 403 }, {}, /does not let it manage webhooks/],
		[
			'account',
			undefined,
			{ webhooksPath: '/v1/hooks' },
			/no webhooks under this path.*Webhooks Path/,
		],
		['instance', { status: 404 }, {}, /it is not the gateway/],
		['instance', { status: 308, headers: { location: '/' } }, {}, /points to another address/],
		['instance', { status: 429 }, {}, /Too many requests/],
		['instance', { status: 500 }, {}, /could not process the request \(HTTP 500\)/],
		['instance', { status: 502 }, {}, /messaging network/],
		['instance', { status: 418 }, {}, /HTTP 418/],
		['instance', { kind: 'html', status: 200 }, {}, /it is not the gateway/],
		['account', { kind: 'html', status: 200 }, {}, /it is not the gateway/],
		['account', { status: 200, body: { data: { success: true } } }, {}, /it is not the gateway/],
		['account', { status: 200, body: { status: 'ok' } }, {}, /it is not the gateway/],
		['account', { status: 200, body: { error: 'No' } }, {}, /it is not the gateway/],
		['instance', { kind: 'empty', status: 200 }, {}, /it is not the gateway/],
		['instance', 'cutBefore', {}, /broke off/],
	])('says what came back: %s %j %j', async (kind, fault, changes, words) => {
		if (fault !== undefined) gateway.faults.add({ fault });
		await expect(testCredential(kind, changes)).resolves.toEqual(because(words));
		expect(gateway.requests).toHaveLength(1);
	});

	it('says in words that nobody is there', async () => {
		const refused = `http://127.0.0.1:${await freeClosedPort()}`;
		await expect(testCredential('instance', { baseUrl: refused })).resolves.toEqual(
			because(`cannot be reached at ${refused} \\(ECONNREFUSED\\)`),
		);
		await expect(
			testCredential('instance', { baseUrl: 'https://gateway.invalid' }),
		).resolves.toEqual(because(/cannot be reached at https:\/\/gateway.invalid/));
		const secured = gateway.url.replace('http:', 'https:');
		await expect(testCredential('instance', { baseUrl: secured })).resolves.toEqual(
			because(/cannot be reached/),
		);
	});

	it('says in words that the certificate is not trusted', async () => {
		const secured = await startSimulator({ tls: untrustedCertificate });
		await expect(testCredential('account', {}, secured)).resolves.toEqual(
			because(/does not trust the certificate/),
		);
		expect(secured.requests).toEqual([]);
		await secured.stop();
	});
});

it('a token that is too long is refused before anything is sent, and so is the trigger that has it', async () => {
	const { error } = await runOperation(engine, gateway, {
		resource: 'group',
		operation: 'getAll',
		credential: { instanceToken: `svc_inst_${'a'.repeat(504)}` },
	});
	expect(error?.message).toMatch(/^The instance token has 513 characters/);
	const built = engine.build({
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook' }],
		credentials: credentialsOf(gateway, { accountToken: `svc_acct_${'a'.repeat(504)}` }),
	});
	await expect(engine.hook('create', built)).rejects.toThrow(
		'The account token has 513 characters',
	);
	expect(gateway.requests).toEqual([]);
});
