import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { to } from '../../oracle/document';
import { execute } from '../engine';
import { engine, gateway } from '../stage';

// Who asks in the chat has chosen one credential, that of the number: it holds the account token as well.

const ASK = {
	resource: 'message',
	operation: 'sendAndWait',
	to: to('phone', '5511900000001'),
	message: 'Shall we?',
};

/** Asks with the instance credential and no other. Answers in which words it failed. */
async function askWith(
	changes: ICredentialDataDecryptedObject = {},
): Promise<{ message: string; description?: string | null } | undefined> {
	const { url: baseUrl, instanceToken, accountToken } = gateway;
	const built = engine.build({
		nodes: [{ type: 'messagingGateway', name: 'Ask', parameters: ASK }],
		credentials: {
			messagingGatewayInstanceApi: { baseUrl, instanceToken, accountToken, ...changes },
		},
	});
	const run = await execute(built, built.node(), [{ json: {} }], 'manual');
	return run.data.resultData.error;
}

it('makes the webhook with one of its tokens, and sends with the other', async () => {
	expect(await askWith()).toBeUndefined();
	expect(gateway.requests.map(({ method, path, token }) => [method, path, token])).toEqual([
		['GET', '/v1/webhooks', 'account'],
		['POST', '/v1/webhooks', 'account'],
		['POST', '/v1/messages/send-text', 'instance'],
	]);
});

it('takes Webhooks Path from it', async () => {
	const error = await askWith({ webhooksPath: '/v1/hooks' });
	expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/hooks']);
	expect(error?.description).toContain('set Webhooks Path in the credential');
});

it.each(['', '  '])(
	'says where the account token is to be entered, and sends nothing: %j',
	async (accountToken) => {
		const error = await askWith({ accountToken });
		expect(error?.message).toBe('The credential of this node has no ‘Account Token’');
		expect(error?.description).toMatch(/^Nothing was sent\. .*Open the credential.*svc_acct_/);
		expect(gateway.requests).toEqual([]);
	},
);

it.each([
	['svc_inst_0123456789', /^This is an instance token .*The field Account Token needs/],
	['0123456789', /^This is not an account token/],
])('names the account token %j before any request', async (accountToken, words) => {
	const error = await askWith({ accountToken });
	expect(error?.message).toMatch(words);
	expect(error?.description).toMatch(/^Nothing was sent\. Open the credential/);
	expect(gateway.requests).toEqual([]);
});

it('is told where the token stands that the gateway does not accept', async () => {
	const error = await askWith({ accountToken: 'svc_acct_nobody' });
	expect(error?.description).toContain('Account Token in the credential of this node');
});

it('keeps what the gateway echoes of either token out of what is said', async () => {
	const { accountToken, instanceToken } = gateway;
	gateway.faults.add({
		match: { path: '/v1/messages/send-text' },
		fault: { status: 400, body: { error: `No: ${accountToken} ${instanceToken}` } },
	});
	const error = await askWith();
	expect(error?.message).toContain('No: svc_acct_');
	for (const token of [accountToken, instanceToken])
		expect(JSON.stringify(error)).not.toContain(token.slice('svc_acct_'.length));
});

it.each([
	['webhook', 'getAll', {}],
	['webhook', 'create', { url: 'https://example.com/x', events: ['MESSAGE.RECEIVED'] }],
	['instance', 'getAll', {}],
])(
	'lends its account token to nothing else, whatever is written into a workflow: %s %s',
	async (resource, operation, fields) => {
		const { url: baseUrl, instanceToken, accountToken } = gateway;
		const parameters = { resource, operation, token: 'instance', ...fields };
		const built = engine.build({
			nodes: [{ type: 'messagingGateway', name: 'Call', parameters }],
			credentials: { messagingGatewayInstanceApi: { baseUrl, instanceToken, accountToken } },
		});
		const run = await execute(built, built.node(), [{ json: {} }], 'manual');
		expect(run.data.resultData.error?.message).toBeDefined();
		expect(gateway.requests).toEqual([]);
	},
);
