import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { makeNumbers, startSimulator, type Simulator } from '../../../simulator';
import { testCredential as testCredentialOf } from '../../support/asking';
import { loadEngine, type Engine } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';

// What else goes by the numbers of a credential: its test, the lists of the editor.

let engine: Engine;
let gateway: Simulator;

beforeAll(async () => {
	engine = await loadEngine();
	gateway = await startSimulator({ furtherNumbers: makeNumbers(49) });
});

afterEach(() => {
	gateway.reset();
	gateway.replaceTokens();
});

afterAll(async () => {
	await gateway.stop();
});

describe('the test of a credential', () => {
	const test = async (changes: Record<string, string> = {}) =>
		await testCredentialOf('instance', changes, gateway);
	const withLines = (change: (lines: string[]) => string[]) => ({
		furtherNumbers: change(gateway.numberLines.split('\n')).join('\n'),
	});
	const spoil = (line: string) => `${line}0`;

	it('tries every token, a few at once', async () => {
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 20 } });
		await expect(test()).resolves.toEqual({
			status: 'OK',
			message: 'The gateway accepts all 51 tokens.',
		});
		expect(new Set(gateway.requests.map(({ instanceId }) => instanceId)).size).toBe(50);
		expect(new Set(gateway.requests.map(({ path }) => path))).toEqual(
			new Set(['/v1/instance/settings']),
		);
		const underWay = gateway.requests.map(
			({ startedAt }) =>
				gateway.requests.filter(
					(other) => other.startedAt <= startedAt && other.finishedAt > startedAt,
				).length,
		);
		expect(Math.max(...underWay)).toBeGreaterThan(3);
		expect(Math.max(...underWay)).toBeLessThanOrEqual(10);
	});

	it('says which lines fail, in their order', async () => {
		const changes = withLines((lines) =>
			lines.map((line, index) => ([3, 17].includes(index) ? spoil(line) : line)),
		);
		await expect(test(changes)).resolves.toEqual({
			status: 'Error',
			message:
				'Further Numbers, line 4, line 18: The gateway does not accept this instance token. Copy it again, or ask for a new one.',
		});
	});

	it('says of many that fail how many more there are', async () => {
		const { message } = await test(withLines((lines) => lines.map(spoil)));
		expect(message).toMatch(/^Further Numbers, line 1, line 2,.* line 10 and 40 more: The gateway/);
	});

	it('says what is wrong with the first number beside', async () => {
		const changes = withLines((lines) => lines.map((line, at) => (at === 1 ? spoil(line) : line)));
		const { message } = await test({ ...changes, instanceToken: 'svc_inst_nobody' });
		expect(message).toMatch(
			/^Instance Token: The gateway does not accept .* Further Numbers, line 2: The gateway does not/,
		);
	});

	it.each<[string, (lines: string[]) => string[], RegExp]>([
		[
			'cannot be read',
			(lines) => [...lines, '', 'inst_x'],
			/^In Further Numbers, line 52 cannot be/,
		],
		['are flattened', (lines) => [lines.join('')], /line 1 holds several numbers.*semicolon/],
	])('asks nobody where lines %s', async (_what, change, words) => {
		const { status, message } = await test(withLines(change));
		expect(status).toBe('Error');
		expect(message).toMatch(words);
		expect(gateway.requests).toEqual([]);
	});

	it('says once that nobody is there, and does not try fifty times', async () => {
		gateway.faults.add({ times: 'always', fault: 'cutBefore' });
		const { message } = await test();
		expect(message).toMatch(/^The connection to .* broke off/);
		expect(gateway.requests).toHaveLength(1);
	});

	it('says no token, whatever the gateway answers', async () => {
		const tokens = gateway.furtherNumbers.map(({ instanceToken }) => instanceToken);
		gateway.faults.add({
			times: 'always',
			fault: { status: 401, body: { error: tokens.join(' ') } },
		});
		const { message } = await test();
		for (const token of tokens) expect(message).not.toContain(token.slice(9));
	});
});

describe('the lists of the editor', () => {
	async function load(options: IDataObject): Promise<string[]> {
		const { workflow, additionalData, node } = engine.build({
			nodes: [{ type: 'messagingGateway' }],
			credentials: credentialsOf(gateway),
		});
		Object.assign(additionalData, {
			currentNodeParameters: { ...node().parameters, options },
		});
		const context = new LoadOptionsContext(workflow, node(), additionalData, 'parameters.list');
		const { loadOptions, listSearch } = engine.nodeType('messagingGateway').methods!;
		const all: Array<INodePropertyOptions[] | INodeListSearchResult> = [
			await loadOptions!.getGroups.call(context),
			await listSearch!.searchGroups.call(context),
			await listSearch!.searchCommunities.call(context),
		];
		expect(all).toHaveLength(3);
		return [...new Set(gateway.requests.map(({ instanceId }) => instanceId ?? ''))];
	}

	it('hold what the chosen number has', async () => {
		const [{ instanceId }] = gateway.furtherNumbers;
		await expect(load({ instanceId })).resolves.toEqual([instanceId]);
	});

	it.each([{}, { instanceId: '' }, { instanceId: '={{ $json.instanceId }}' }])(
		'hold what the first number has, with the option %j',
		async (options) => {
			await expect(load(options)).resolves.toEqual([gateway.instanceId]);
		},
	);

	it('say that the credential does not know a number', async () => {
		await expect(load({ instanceId: 'inst_nobody' })).rejects.toThrow(
			'The credential "messagingGatewayInstanceApi" does not know the number "inst_nobody"',
		);
	});
});
