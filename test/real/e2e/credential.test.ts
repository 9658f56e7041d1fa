import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential } from '../../../host/api';
import { chain, makeEntrance, makeNode } from '../../../host/drafts/nodes';
import { runPublished } from '../../../host/drafts/workflows';
import type { Execution } from '../../../host/executions';
import { credentialData, startHost, type Host } from '../../../host/host';
import { ANA, publishAsk, untilNothingIsLeft } from '../drafts/asking';

// The instance credential may hold the account token as well: for questions, and for nothing else.

const TYPE = 'messagingGatewayInstanceApi';
const ACCOUNT_TYPE = 'messagingGatewayAccountApi';

let host: Host;
let echo: Server;
/** All that arrived at an address of somebody's own. */
let arrived: string[];

beforeAll(async () => {
	host = await startHost();
	echo = createServer((request, response) => {
		const { url = '', rawHeaders } = request;
		let text = `${url} ${rawHeaders.join(' ')}`;
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			arrived.push(text);
			response.setHeader('content-type', 'application/json').end('{"data":{}}');
		});
	}).listen(0, '127.0.0.1');
	await once(echo, 'listening');
});

beforeEach(() => {
	arrived = [];
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
	echo?.close();
	echo?.closeAllConnections();
});

const create = async (changes: { [field: string]: string }): Promise<StoredCredential> =>
	await host.api.createCredential(TYPE, 'Both tokens', {
		...credentialData(host.gateway).instance,
		...changes,
	});

/** What an expression of the node itself could read of its credential, if n8n let it. */
const READ =
	'{{ encodeURIComponent(JSON.stringify([$credentials, $self, $parameter].map((each) => each?.accountToken))) }}';

/** Nodes of n8n that send a request anywhere with any credential. */
const SENDERS: Array<[name: string, make: (url: string, type: string) => INode]> = [
	...[4.2, 2].map((typeVersion): (typeof SENDERS)[number] => [
		`HTTP Request ${typeVersion}`,
		(url, type) =>
			makeNode(
				'n8n-nodes-base.httpRequest',
				'Send Away',
				{ url, ...predefined(type), options: {} },
				{ typeVersion },
			),
	]),
	[
		'GraphQL 1.1',
		(url, type) =>
			makeNode(
				'n8n-nodes-base.graphql',
				'Send Away',
				{ endpoint: url, ...predefined(type), query: 'query { a }' },
				{ typeVersion: 1.1 },
			),
	],
];

const predefined = (type: string): INodeParameters => ({
	authentication: 'predefinedCredentialType',
	nodeCredentialType: type,
});

/** Lets such a node send to an address of one's own, its credential taken for one of a type. */
async function sendAway(
	make: (url: string, type: string) => INode,
	{ id, name }: StoredCredential,
	type = TYPE,
): Promise<Execution> {
	const path = randomUUID();
	const { port } = echo.address() as AddressInfo;
	const sender = make(`=http://127.0.0.1:${port}/?read=${READ}`, type);
	const nodes = [...makeEntrance(path), { ...sender, credentials: { [type]: { id, name } } }];
	const draft = { name: 'Send away', nodes, connections: chain(nodes) };
	return await runPublished(host, draft, path, { items: [{}] });
}

const secretOf = (token: string) => token.slice('svc_acct_'.length);

describe.each(SENDERS)('n8n’s %s', (_name, make) => {
	// GraphQL takes such credentials since n8n 2.
	it.each([
		['All', { allowedHttpRequestDomains: 'all' }],
		[
			'Specific Domains, and this is one',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' },
		],
	])(
		'sends the instance token alone where Allowed HTTP Request Domains is %s',
		async (_allowed, restriction) => {
			const { status } = await sendAway(make, await create(restriction));
			expect(status).toBe('success');
			expect(arrived).toEqual([expect.stringContaining(`Bearer ${host.gateway.instanceToken}`)]);
			expect(arrived[0]).not.toContain(secretOf(host.gateway.accountToken));
		},
	);

	it.each([
		['None', { allowedHttpRequestDomains: 'none' }],
		[
			'Specific Domains, and this is none of them',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'gateway.example.com' },
		],
	])('sends nothing where it is %s', async (_allowed, restriction) => {
		const { status, data } = await sendAway(make, await create(restriction));
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toMatch(/This credential is /);
		expect(arrived).toEqual([]);
	});

	it('sends nothing with it in the place of an account credential', async () => {
		const sent = sendAway(make, await create({}), ACCOUNT_TYPE);
		expect(await sent.then(({ status }) => status, String)).not.toBe('success');
		expect(arrived).toEqual([]);
	});

	it('sends nothing where the account token is put into the field of the other', async () => {
		const credential = await create({ instanceToken: '={{ $self.accountToken }}' });
		const { status, data } = await sendAway(make, credential);
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain('This is an account token');
		expect(arrived).toEqual([]);
	});
});

describe('a question', () => {
	const publishWith = async (changes: { [field: string]: string }) => {
		const { id, name } = await create(changes);
		return await publishAsk(host, {}, { credentials: { [TYPE]: { id, name } } });
	};

	it('is asked and answered with the instance credential alone, which lets n8n’s own nodes use nothing', async () => {
		const workflow = await publishWith({ allowedHttpRequestDomains: 'none' });
		const question = await workflow.ask();
		host.gateway.write('At eight', { phone: ANA });
		expect(await question.answer()).toMatchObject({ data: { text: 'At eight' } });
		await untilNothingIsLeft(host.gateway);
	});

	it('is not asked without the account token: the person reads where to enter it', async () => {
		const error = await (await publishWith({ accountToken: '' })).askInVain();
		expect(error.message).toBe('The credential of this node has no ‘Account Token’');
		expect(error.description).toMatch(/^Nothing was sent\. .*as Account Token\.$/);
		expect(host.gateway.requests).toEqual([]);
	});
});

describe('the instance credential', () => {
	const test = async (changes: { [field: string]: string }) =>
		await host.api.testCredential(host.credentials.instance, {
			...credentialData(host.gateway).instance,
			...changes,
		});

	it.each([
		[{}, 'OK', 'The gateway accepts both tokens.'],
		[{ accountToken: '' }, 'OK', 'The gateway accepts this token.'],
		[
			{ accountToken: 'svc_acct_unknown' },
			'Error',
			'Account Token: The gateway does not accept this account token.',
		],
		[{ accountToken: 'svc_inst_misplaced' }, 'Error', 'The field Account Token needs'],
	])('is tried with every token that it holds: %j', async (changes, status, words) => {
		expect(await test(changes)).toMatchObject({
			status,
			message: expect.stringContaining(words) as string,
		});
	});
});
