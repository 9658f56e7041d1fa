import type { IDataObject } from 'n8n-workflow';
import { readDatabase } from '../../host/database';
import { GATEWAY_NODE } from '../../host/drafts/nodes';
import { publish, publishSendWorkflow, startPublished } from '../../host/drafts/workflows';
import { credentialData, startHost, type Host } from '../../host/host';
import { makeNumbers, type Simulator } from '../../simulator';
import { documentedCalls } from '../contract/document';
import { findLeak } from '../contract/leaks';
import { ANA, publishAsk, untilNothingIsLeft } from '../support/drafts/asking';
import { fanOut } from '../support/drafts/everyOperation';

// The tokens of all numbers of a credential, while the gateway gives each of them back: wherever n8n keeps or says anything.

const TYPE = 'messagingGatewayInstanceApi';

let host: Host;
/** What n8n has answered the editor. */
const told: unknown[] = [];

beforeAll(async () => {
	host = await startHost({
		gateway: { furtherNumbers: makeNumbers(2) },
		n8n: { env: { N8N_LOG_LEVEL: 'debug' } },
	});
});

afterEach(() => host.gateway.reset({ webhooks: true }));

afterAll(async () => {
	await host?.stop();
});

const tokensOf = ({ accountToken, instanceToken, furtherNumbers }: Simulator) => [
	accountToken,
	instanceToken,
	...furtherNumbers.map((number) => number.instanceToken),
];

/** What a gateway answers that means harm: the tokens of all numbers, or that of a further one. */
function strike(status: number, which: 'own' | 'all'): void {
	const all = tokensOf(host.gateway);
	const tokens = which === 'own' ? all.slice(2, 3) : all;
	const harm = Object.fromEntries(tokens.map((token) => [token, { token, bare: token.slice(9) }]));
	const body = status < 400 ? { data: { messageId: 'm1', ...harm } } : { error: tokens.join(' ') };
	host.gateway.faults.clear();
	host.gateway.faults.add({
		fault: { status, body },
		times: 'always',
	});
}

const STRIKES = [
	[200, 'own'],
	[302, 'own'],
	[403, 'own'],
	[200, 'all'],
	[400, 'all'],
] as const;

it('every operation is done by a further number', async () => {
	const [{ instanceId }] = host.gateway.furtherNumbers;
	const calls = documentedCalls
		.filter(({ requests }) => requests.at(0)?.token === 'instance')
		.map((call) => {
			const options = { ...(call.parameters?.options as IDataObject | undefined), instanceId };
			return { ...call, parameters: { ...call.parameters, options } as typeof call.parameters };
		});
	const id = await publish(host.api, fanOut(host, 'numbers', calls, 'continueRegularOutput'));
	for (const [index, [status, which]] of STRIKES.entries()) {
		strike(status, which);
		await startPublished(host.n8n.url, 'numbers', {});
		await host.api.waitForExecutions(id, index + 1, 120_000);
	}
	const ids = new Set(host.gateway.requests.map((request) => request.instanceId));
	expect([...ids]).toEqual([instanceId]);
	expect(host.gateway.requests.length).toBeGreaterThan(calls.length * STRIKES.length * 0.9);
});

it('messages are sent and refused', async () => {
	const [one, other] = host.gateway.furtherNumbers;
	const lines = `${host.gateway.numberLines}\ninst_x ${other.instanceToken} written wrongly`;
	const unreadable = await host.api.createCredential(TYPE, 'Unreadable', {
		...credentialData(host.gateway).instance,
		furtherNumbers: lines,
	});
	const items = [one.instanceId, 'inst_nobody', undefined].map((instanceId) => ({
		...(instanceId && { instanceId }),
		text: 'Hello',
		to: ANA,
	}));
	for (const [credential, onError] of [
		[host.credentials.instance, 'continueRegularOutput'],
		[host.credentials.instance, 'stopWorkflow'],
		[unreadable, 'stopWorkflow'],
	] as const)
		for (const options of [{}, { instanceId: '={{ $json.instanceId }}', typingSeconds: 0.01 }]) {
			const { id, start } = await publishSendWorkflow(host, {
				credential,
				options,
				settings: { onError },
			});
			for (const [index, status] of [200, 400].entries()) {
				strike(status, 'all');
				await start(items);
				await host.api.waitForExecutions(id, index + 1);
			}
		}
});

it('a question is open, and is answered', async () => {
	const [, { instanceId }] = host.gateway.furtherNumbers;
	const question = await (
		await publishAsk(host, { responseType: 'approval', options: { instanceId } })
	).ask();
	expectNoToken('the database', readDatabase(host.n8n));
	const { messageId } = question.sent;
	host.gateway.write('Yes', { phone: ANA, instanceId, quotedMessageId: messageId });
	expect(await question.answer()).toMatchObject({ data: { approved: true } });
	await untilNothingIsLeft(host.gateway);
});

it('the editor tries the credential', async () => {
	const { instance } = host.credentials;
	for (const [status, which] of STRIKES) {
		strike(status, which);
		const stored = await host.api.readCredential(instance.id);
		told.push(stored, await host.api.testCredential(instance, stored));
	}
	expect(JSON.stringify(told)).toContain('Further Numbers, line 1, line 2, line 3: The gateway');
});

it('the editor searches the groups of a number', async () => {
	const [one, other] = host.gateway.furtherNumbers;
	const { instance } = host.credentials;
	const search = async (instanceId: string) =>
		await host.api.searchList({
			nodeType: { name: GATEWAY_NODE, version: 1 },
			path: 'parameters.to',
			methodName: 'searchGroups',
			parameters: {
				token: 'instance',
				resource: 'message',
				operation: 'sendText',
				options: { instanceId },
			},
			credentials: { [TYPE]: { id: instance.id, name: instance.name } },
		});
	for (const [status, which] of STRIKES) {
		strike(status, which);
		told.push(await search(one.instanceId).catch(String));
	}
	const tokens = tokensOf(host.gateway);
	const groups = tokens.map((token) => ({ id: `${token}@g.us`, name: `Family ${token}` }));
	host.gateway.faults.clear();
	host.gateway.faults.add({ fault: { status: 200, body: { data: groups } }, times: 'always' });
	// What it has given for one number is remembered.
	const found = await search(other.instanceId);
	expect(found.results).toHaveLength(tokens.length);
	expect(JSON.stringify(found)).toContain('Family');
	told.push(found);
	const asked = host.gateway.requests.filter(({ path }) => path === '/v1/groups');
	expect(asked.at(-1)?.instanceId).toBe(other.instanceId);
	expect(asked.slice(0, -1).every(({ instanceId }) => instanceId === one.instanceId)).toBe(true);
});

function expectNoToken(place: string, text: string): void {
	for (const [index, token] of tokensOf(host.gateway).entries())
		expect([place, index, findLeak(text, token)]).toEqual([place, index, undefined]);
}

describe('no token is', () => {
	it('in an execution, as the editor shows it', async () => {
		const workflows = await host.api.listWorkflows();
		const shown: unknown[] = [];
		for (const { id } of workflows)
			for (const execution of await host.api.listExecutions(id))
				shown.push(await host.api.getExecution(execution.id));
		const text = JSON.stringify(shown);
		// As often as there were requests: otherwise there was nothing to find.
		expect(text.split('[hidden]').length).toBeGreaterThan(documentedCalls.length * 2);
		expect(text).toContain('The node used the number of Instance Token');
		expect(text).toContain('does not know the number');
		expect(text).toContain('cannot be read');
		expectNoToken('executions', text);
	});

	it('in the database', () => expectNoToken('the database', readDatabase(host.n8n)));

	it('in the log', () => {
		expect(host.n8n.log()).toContain('debug');
		expectNoToken('the log', host.n8n.log());
	});

	it('in what the editor is told', () => expectNoToken('the editor', JSON.stringify(told)));

	it('in what export:credentials and export:workflow write, but for n8n’s own encryption', async () => {
		const open = await host.n8n.command('export:credentials', '--all', '--decrypted');
		for (const token of tokensOf(host.gateway)) expect(open).toContain(token);
		const exported = await host.n8n.command('export:credentials', '--all');
		expect(exported).toContain(host.credentials.instance.id);
		expectNoToken('export:credentials', exported);
		expectNoToken('export:workflow', await host.n8n.command('export:workflow', '--all'));
	});
});
