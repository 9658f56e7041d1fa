import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/api/exchange';
import { callGateway, openAccess } from '../../../nodes/MessagingGateway/api/request';
import { gatewayContext } from '../../support/gatewayContext';

const TOKEN = 'svc_acct_0123456789abcdefghij';
const READ: GatewayRequest = {
	method: 'GET',
	path: '/v1/things',
	token: 'account',
	effect: 'read',
};

interface Came {
	status?: number;
	headers?: Record<string, string>;
	text?: string;
}

/** A gateway that answers so, and what n8n's helper was asked for. */
function stand({ status = 200, headers = {}, text = '{}' }: Came = {}) {
	const asked: IHttpRequestOptions[] = [];
	const keep = async (_stream: unknown, fileName: string, mimeType: string) =>
		await Promise.resolve({ fileName, mimeType, data: '' });
	const context = gatewayContext({
		baseUrl: 'https://gateway.example.com/tools',
		accountToken: TOKEN,
		answer: () => ({ status }),
	});
	return {
		asked,
		context: {
			...context,
			helpers: {
				...context.helpers,
				prepareBinaryData: keep,
				httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
					asked.push(request);
					if (status === 0) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
					return await Promise.resolve({
						statusCode: status,
						headers,
						body: Readable.from([Buffer.from(text)]),
					});
				},
			},
		} as unknown as IExecuteFunctions,
	};
}

const call = async (request: Partial<GatewayRequest>, came?: Came) => {
	const { context, asked } = stand(came);
	return { answer: await callGateway(context, { ...READ, ...request }), asked: asked[0] };
};

it('asks once, waits for half a minute, and leaves each answer to be judged here', async () => {
	const { asked } = await call({ query: { type: ['a', 'b'] } });
	expect(asked).toMatchObject({
		method: 'GET',
		url: 'https://gateway.example.com/tools/v1/things',
		qs: { type: ['a', 'b'] },
		arrayFormat: 'repeat',
		encoding: 'stream',
		timeout: 30_000,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	});
	expect(asked.body).toBeUndefined();
	expect(asked.headers).toEqual({ Accept: 'application/json' });
});

it('sends a body as JSON, and waits as long as a person wants', async () => {
	const { asked } = await call({ method: 'POST', body: [], timeoutMs: 7_000 });
	expect(asked).toMatchObject({ body: '[]', timeout: 7_000 });
	expect(asked.headers).toEqual({ Accept: 'application/json', 'Content-Type': 'application/json' });
});

it('fills in the paths of the credential, and no other name', async () => {
	const { asked, answer } = await call({ path: '{webhooksPath}/a{instancesPath}/{id}' });
	expect(answer.path).toBe('/v1/webhooks/a/v1/instances/{id}');
	expect(asked.url).toBe(`https://gateway.example.com/tools${answer.path}`);
});

it('takes a file only where one is wanted, and says so to the gateway', async () => {
	const png = { headers: { 'content-type': 'image/png' }, text: 'PNG' };
	const wanted = await call({ takesFile: true }, png);
	expect(wanted.answer.file).toMatchObject({ fileName: 'things', mimeType: 'image/png' });
	expect(wanted.asked.headers?.Accept).toMatch(/^application\/json, \*\/\*;q=0\.\d$/);
	const unwanted = await call({}, png);
	expect(unwanted.answer.file).toBeUndefined();
	expect(unwanted.answer.flaw).toContain('JSON');
});

it.each([
	['what is read', 'read', 200, 10],
	['a refusal to read', 'read', 400, 1],
	['what is sent', 'send', 200, 1],
	['what is changed', 'change', 200, 1],
] as const)('takes of %s no more than it may be', async (_what, effect, status, megabytes) => {
	const text = `"${'a'.repeat(megabytes * 1024 * 1024 - 2)}"`;
	expect((await call({ effect }, { status, text })).answer.flaw).toBeUndefined();
	expect((await call({ effect }, { status, text: `${text} ` })).answer.flaw).toContain(
		`larger than ${megabytes} MB`,
	);
});

it('hides the token wherever it comes back, and a webhook’s secret unless it is wanted', async () => {
	const secret = `whsec_${'k'.repeat(32)}`;
	const came = {
		headers: { 'x-request': TOKEN },
		text: JSON.stringify({ [TOKEN]: secret, list: [TOKEN] }),
	};
	const { answer } = await call({ path: `/v1/${TOKEN}` }, came);
	expect(answer).toMatchObject({
		path: '/v1/svc_acct_[hidden]',
		headers: { 'x-request': 'svc_acct_[hidden]' },
		body: { 'svc_acct_[hidden]': 'whsec_[hidden]', list: ['svc_acct_[hidden]'] },
	});
	const wanted = await call({ givesSecret: true }, came);
	expect(wanted.answer.body).toMatchObject({ 'svc_acct_[hidden]': secret });
});

it('says of a lost answer for which item it was, and never the token', async () => {
	const { context } = stand({ status: 0 });
	const access = await openAccess(context, 'account');
	await expect(
		callGateway(context, { ...READ, path: `/v1/${TOKEN}` }, { itemIndex: 3, access }),
	).rejects.toMatchObject({
		context: { itemIndex: 3, outcome: 'rejected', passing: true },
		description: expect.stringContaining('GET /v1/svc_acct_[hidden]:'),
	});
});

it('reads the credential of each item, and says for which one it cannot be used', async () => {
	const { context } = stand();
	const tokens: IDataObject[] = [{ accountToken: TOKEN }, { accountToken: '' }];
	const own = {
		...context,
		getCredentials: async (_type: string, itemIndex: number) =>
			await Promise.resolve({ baseUrl: 'https://gateway.example.com', ...tokens[itemIndex] }),
	} as unknown as IExecuteFunctions;
	expect((await openAccess(own, 'account', 0)).token).toBe(TOKEN);
	await expect(openAccess(own, 'account', 1)).rejects.toMatchObject({
		message: expect.stringContaining('account token is empty'),
		context: { itemIndex: 1 },
	});
});
