import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import type { Fault } from '../../../lab/simulator';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';

/** What n8n does when a person saves a credential or presses Retry. Each holds its own token alone, unless changed. */
async function testCredential(
	kind: 'account' | 'instance',
	changes: Record<string, string> = {},
	of = gateway,
): Promise<INodeCredentialTestResult> {
	const type = kind === 'account' ? 'messagingGatewayAccountApi' : 'messagingGatewayInstanceApi';
	const { description, methods } = engine.nodeType('messagingGateway');
	const { testedBy } = description.credentials!.find(({ name }) => name === type)!;
	const context = new CredentialTestContext({} as never) as unknown as ICredentialTestFunctions;
	const alone = kind === 'instance' && { accountToken: '' };
	const data = { ...credentialsOf(of)[type], ...alone, ...changes };
	return await methods!.credentialTest![testedBy as string].call(context, {
		id: '1',
		name: 'Gateway',
		type,
		data,
	});
}

type Changes = Record<string, string>;
type Kind = 'account' | 'instance';

const OK = { status: 'OK', message: 'The gateway accepts every token of this credential.' };
const failed = (message: RegExp) => ({ status: 'Error', message: expect.stringMatching(message) });
const test = async (kind: Kind, changes: Changes = {}) =>
	await testCredential(kind, { furtherNumbers: '', ...changes });

it.each<[Kind, string]>([
	['account', 'GET /v1/webhooks'],
	['instance', 'GET /v1/instance/settings'],
])('reads with the %s token', async (kind, request) => {
	await expect(test(kind)).resolves.toEqual(OK);
	expect(gateway.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
});

it('tries each token of the instance credential', async () => {
	const { accountToken, instanceToken } = gateway;
	const furtherNumbers = `# Shop\ninst_2, ${instanceToken}`;
	await expect(test('instance', { accountToken, furtherNumbers })).resolves.toEqual(OK);
	expect(gateway.requests.map(({ token }) => token)).toEqual(['instance', 'account', 'instance']);
});

it.each([
	['svc_inst_x', /probably does not accept the token in line 2 of 'Further Numbers'\. Copy it/],
	['svc_acct_x', /^There is no instance ID with its token in line 2 of 'Further Numbers'/],
])('names the line of the further number with the token %s', async (token, message) => {
	const furtherNumbers = `inst_2, ${gateway.instanceToken}\ninst_2, ${token}`;
	await expect(test('instance', { furtherNumbers })).resolves.toEqual(failed(message));
});

it.each<[Kind, Changes, RegExp]>([
	[
		'instance',
		{ instanceToken: '' },
		/^'Instance Token' needs a whole token that begins with svc_inst_\./,
	],
	[
		'instance',
		{ instanceToken: 'svc_acct_1' },
		/^'Instance Token' needs .* svc_inst_.* This is the account token \(svc_acct_…\)\.$/,
	],
	['instance', { instanceToken: 'svc_inst_1 2' }, /^'Instance Token' needs .* svc_inst_/],
	['account', { accountToken: '' }, /^'Account Token' needs .* svc_acct_/],
	[
		'account',
		{ accountToken: 'svc_inst_1' },
		/^'Account Token' needs .* svc_acct_.* This is the instance token \(svc_inst_…\)\.$/,
	],
	['account', { baseUrl: 'gateway.example.com' }, /^'Base URL' must be the address/],
	['account', { webhookSecret: '0123' }, /^'Webhook Secret' .*does not begin with whsec_\. Copy/],
	['account', { webhookSecret: 'whsec_YQ==' }, /^'Webhook Secret' .*shorter than 24 bytes/],
])('refuses without a request: %s %j', async (kind, changes, message) => {
	await expect(test(kind, changes)).resolves.toEqual(failed(message));
	expect(gateway.requests).toEqual([]);
});

interface FailedTest {
	kind: Kind;
	fault?: Fault;
	changes?: Changes;
	message: RegExp;
}

it.each<FailedTest>([
	{
		kind: 'instance',
		changes: { instanceToken: 'svc_inst_x' },
		message: /not accept the token in 'Instance Token'/,
	},
	{
		kind: 'account',
		changes: { accountToken: 'svc_acct_x' },
		message: /not accept the token in 'Account Token'/,
	},
	{
		kind: 'instance',
		fault: { status: 403 },
		message: /probably does not allow.*'Instance Token'.*right number/,
	},
	{
		kind: 'account',
		fault: { status: 403 },
		message: /probably does not allow.*'Account Token'.*right account/,
	},
	{
		kind: 'account',
		changes: { webhooksPath: '/v1/hooks' },
		message: /nothing at \/v1\/hooks.*'Webhooks Path'/,
	},
	{
		kind: 'instance',
		fault: { status: 404 },
		message: /nothing at \/v1\/instance\/settings.*'Base URL'/,
	},
	{
		kind: 'account',
		fault: { status: 302, headers: { location: '/' } },
		message: /another address \(\/\).*login/,
	},
	{
		kind: 'account',
		fault: { status: 200, body: { data: { success: true } } },
		message: /not the response that .*'Base URL'/,
	},
	{
		kind: 'instance',
		fault: { kind: 'empty', status: 200 },
		message: /not the response that/,
	},
	{
		kind: 'instance',
		fault: 'cutBefore',
		message: /^The connection broke/,
	},
])('tells why the gateway does not accept the $kind token: $message', async (row) => {
	const { kind, fault, changes, message } = row;
	if (fault !== undefined) gateway.faults.add({ fault });
	await expect(test(kind, changes)).resolves.toEqual(failed(message));
	expect(gateway.requests).toHaveLength(1);
});

it('never shows a token that the gateway repeats', async () => {
	const location = `/login?token=${gateway.instanceToken}`;
	gateway.faults.add({ fault: { status: 302, headers: { location } } });
	const { message } = await test('instance');
	expect(message).toContain('svc_inst_…');
	expect(message).not.toContain(gateway.instanceToken.slice(9));
});

interface RefusedTest {
	kind: Kind;
	status: number;
	error: string;
	advice: RegExp;
}

it.each<RefusedTest>([
	{
		kind: 'account',
		status: 403,
		error: 'Subscription of this account has expired',
		advice: /probably does not allow.*right account/,
	},
	{
		kind: 'instance',
		status: 403,
		error: 'This number is paused',
		advice: /probably does not allow.*right number/,
	},
	{
		kind: 'account',
		status: 401,
		error: 'Token revoked on Monday',
		advice: /'Account Token' of the credential\. Copy it again/,
	},
	{
		kind: 'instance',
		status: 400,
		error: 'Unknown version',
		advice: /probably does not accept a value.*fields of this credential/,
	},
	{
		kind: 'account',
		status: 502,
		error: 'Upstream maintenance until noon',
		advice: /probably did not respond/,
	},
])('shows the gateway’s own words first: $kind $status $error', async (refused) => {
	const { kind, status, error, advice } = refused;
	gateway.faults.add({ fault: { status, body: { error } } });
	const { message } = await test(kind);
	expect(message.startsWith(`${error}. `)).toBe(true);
	expect(message).toMatch(advice);
	expect(message).not.toContain('node');
});

describe.each<Kind>(['account', 'instance'])('with the %s token, a web page', (kind) => {
	it.each([
		[200, /probably a login/],
		[403, /firewall or a login.*probably/],
		[404, /nothing at \/v1\//],
		[413, /probably refuses/],
		[429, /probably limits/],
		[503, /proxy.*probably/],
		[522, /proxy.*probably/],
	])('with status %i is told as one', async (status, advice) => {
		gateway.faults.add({ fault: { kind: 'html', status } });
		const { message } = await test(kind);
		const words = `A web page came in place of the gateway's response (status ${status}). `;
		expect([message.startsWith(words), message]).toEqual([true, expect.stringMatching(advice)]);
	});

	it('to log in, behind a redirect, is told as one', async () => {
		const headers = { location: 'https://team.cloudflareaccess.com/cdn-cgi/access/login' };
		gateway.faults.add({ fault: { status: 302, headers } });
		await expect(test(kind)).resolves.toEqual(failed(/probably a login, a web page/));
	});
});
