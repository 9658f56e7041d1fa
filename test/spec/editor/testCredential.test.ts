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

it.each<[Kind, Fault | undefined, Changes, RegExp]>([
	[
		'instance',
		undefined,
		{ instanceToken: 'svc_inst_x' },
		/not accept the token in 'Instance Token'/,
	],
	['account', undefined, { accountToken: 'svc_acct_x' }, /not accept the token in 'Account Token'/],
	['instance', { status: 403 }, {}, /probably does not allow.*'Instance Token'.*right number/],
	['account', { status: 403 }, {}, /probably does not allow.*'Account Token'.*right account/],
	['account', undefined, { webhooksPath: '/v1/hooks' }, /nothing at \/v1\/hooks.*'Webhooks Path'/],
	['instance', { status: 404 }, {}, /nothing at \/v1\/instance\/settings.*'Base URL'/],
	['account', { status: 302, headers: { location: '/' } }, {}, /another address \(\/\).*login/],
	['account', { status: 200, body: { data: { success: true } } }, {}, /not the response that/],
	['instance', { kind: 'empty', status: 200 }, {}, /not the response that/],
	['instance', 'cutBefore', {}, /^The connection broke/],
])('tells why the gateway does not accept it: %s %j %j', async (kind, fault, changes, message) => {
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

it.each<[Kind, number, string, RegExp]>([
	['account', 403, 'Subscription of this account has expired', /right account/],
	['instance', 403, 'This number is paused', /right number/],
	['account', 401, 'Token revoked on Monday', /'Account Token' of the credential\. Copy it again/],
	[
		'instance',
		400,
		'Unknown version',
		/probably does not accept a value.*fields of this credential/,
	],
	['account', 502, 'Upstream maintenance until noon', /probably did not respond/],
])('shows, with the %s token, the gateway’s own words about %i first', async (kind, ...refusal) => {
	const [status, error, advice] = refusal;
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
