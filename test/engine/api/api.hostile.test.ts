import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, type INodePropertyOptions } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { MARKUP, type HostileMode } from '../../../simulator';
import { to } from '../../oracle/document';
import { askForLists, liveTrigger, testCredentials } from '../asking';
import { everyCall } from '../everyCall';
import { credentialsOf, runOperation, type OperationRun } from '../runOperation';
import { engine, gateway } from '../stage';

/** What a browser takes for a tag or a character reference. */
const MARKED = /<[a-z!/?]|&#?\w+;/i;

const LONGEST_QUOTATION = 500;
const PHONE = to('phone', '5511987654321');
const SEND: OperationRun = {
	resource: 'message',
	operation: 'sendText',
	parameters: { to: PHONE, text: 'Hello', options: { timeout: 1 } },
};
const GROUPS: OperationRun = { resource: 'group', operation: 'getAll' };

const be = (as: HostileMode, status?: number) =>
	gateway.faults.add({ times: 'always', fault: { kind: 'hostile', as, status } });

/** Nothing of the gateway's is read any more, whether or not it has come to an end. */
const expectConnectionsToEnd = async (): Promise<void> =>
	void (await waitFor('all connections to end', () =>
		gateway.requests.every(({ finishedAt }) => finishedAt > 0),
	));

const wordsOf = (said: unknown[]): string[] =>
	said.flatMap((one) => {
		const { message, description } = (one ?? {}) as { message?: string; description?: string };
		return [message, description].filter((words) => words !== undefined && words !== null);
	});

describe('HTML of a gateway is text', () => {
	const expectText = (words: string[]): void => {
		expect(words.length).toBeGreaterThan(0);
		for (const text of words) expect(text).not.toMatch(MARKED);
	};

	it.each([...everyCall])('in what %s says', async (_name, call) => {
		for (const status of [400, 502]) {
			gateway.reset();
			be('markup', status);
			const { error } = await runOperation(engine, gateway, call);
			expectText([error?.message ?? '<b>', error?.description ?? '']);
			expect(error?.message).toContain('Sign in again');
		}
	});

	it('in a hint', async () => {
		gateway.faults.add({
			match: { path: '/v1/messages/presence' },
			fault: { kind: 'hostile', as: 'markup', status: 400 },
		});
		const { hints } = await runOperation(engine, gateway, {
			...SEND,
			parameters: { to: PHONE, text: 'Hello', options: { typingSeconds: 1 } },
		});
		expectText(hints.map(({ message }) => message));
		expect(hints[0].message).toContain('Sign in again');
	});

	it('in the names of lists, and in what is said where there is none', async () => {
		for (const status of [200, 400]) {
			be('markup', status);
			for (const list of await askForLists()) {
				if (list instanceof Error) expectText(wordsOf([list]));
				else expectText(('results' in list ? list.results : list).map(({ name }) => name));
			}
			gateway.reset();
			gateway.replaceTokens();
		}
	});

	it('in what the trigger and the test of a credential say', async () => {
		be('markup', 400);
		const { said } = await liveTrigger();
		expectText(wordsOf(said));
		expect(wordsOf(said)[0]).toContain('Sign in again');
		expectText(wordsOf(await testCredentials()));
	});

	it('where it comes by a value that is quoted', async () => {
		const values: OperationRun[] = [
			{ ...SEND, parameters: { to: to('phone', MARKUP), text: 'Hello' } },
			{
				resource: 'message',
				operation: 'sendPresence',
				parameters: { to: PHONE, presence: MARKUP },
			},
			{ ...GROUPS, parameters: { limit: MARKUP } },
			{ ...GROUPS, parameters: { returnAll: MARKUP } },
			{ ...GROUPS, parameters: { options: { timeout: MARKUP } } },
			{ resource: 'webhook', operation: 'create', parameters: { url: MARKUP } },
			{ resource: 'api', operation: 'request', parameters: { path: `/v1/${MARKUP}` } },
			{ resource: 'api', operation: 'request', parameters: { path: '/v1/x', method: MARKUP } },
			{ resource: MARKUP, operation: MARKUP },
			{ resource: 'phone', operation: 'normalize', parameters: { phone: MARKUP } },
		];
		for (const value of values) {
			const { error } = await runOperation(engine, gateway, value);
			expectText([error?.message ?? '<b>', error?.description ?? '']);
		}
		expect(gateway.requests).toEqual([]);
	});

	it('and no more of it than a person reads', async () => {
		const long = 'very '.repeat(1_000);
		gateway.faults.add({ fault: { status: 400, body: { error: long } }, times: 'always' });
		const { error } = await runOperation(engine, gateway, GROUPS);
		expect(error?.message.length).toBeLessThan(LONGEST_QUOTATION + 50);
		expect(error?.description).toContain('check the values');
	});

	it('cannot feign lines of a log, or turn the direction of a text', async () => {
		const error = 'one\r\n[error] two\u202eevil\u0007';
		gateway.faults.add({ fault: { status: 400, body: { error } } });
		const result = await runOperation(engine, gateway, GROUPS);
		expect(result.error?.message).toBe('one [error] two evil ');
	});
});

describe('a credential', () => {
	it.each(['svc_inst_0123456789abcdef', 'svc_acct_x1y2', 'not an address at all'])(
		'of which the base URL is %s is never quoted, nor is anybody asked',
		async (pasted) => {
			for (const baseUrl of [pasted, `https://${pasted}`, `https://gateway.example/${pasted}`]) {
				for (const call of [SEND, { resource: 'webhook', operation: 'getAll' }]) {
					const { error } = await runOperation(engine, gateway, {
						...call,
						credential: { baseUrl: baseUrl.includes('not an') ? pasted : baseUrl },
					});
					expect(`${error?.message} ${error?.description}`).not.toContain(pasted.slice(9));
					expect(error?.message).toMatch(/base URL (holds a token|is not a web address)/);
				}
			}
		},
	);

	it.each(['webhooksPath', 'instancesPath'])(
		'of which the %s is a token is never quoted',
		async (field) => {
			for (const [resource, operation] of [
				['webhook', 'getAll'],
				['instance', 'getAll'],
			]) {
				const { error } = await runOperation(engine, gateway, {
					resource,
					operation,
					credential: { [field]: '/v1/svc_acct_0123456789' },
				});
				expect(`${error?.message} ${error?.description}`).not.toContain('0123');
				expect(error?.message).toMatch(/path in the credential holds a token/);
			}
			expect(gateway.requests).toEqual([]);
		},
	);

	it('is named by its host alone', async () => {
		gateway.faults.add({ fault: 'cutBefore', times: 'always' });
		const { error } = await runOperation(engine, gateway, {
			...SEND,
			credential: { baseUrl: `${gateway.url}/private-path` },
		});
		expect(error?.description).toContain(gateway.url);
		expect(error?.description).not.toContain('private-path');
	});
});

describe('webhook secrets', () => {
	const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
	const listed = { data: [{ id: 'wh_1', secret: SECRET, url: 'https://example.com' }] };

	it.each<[string, OperationRun]>([
		['a list', { resource: 'webhook', operation: 'getAll' }],
		[
			'a change',
			{
				resource: 'webhook',
				operation: 'update',
				parameters: { webhookId: 'wh_1', options: { url: 'https://a.example' } },
			},
		],
		[
			'a request that reads',
			{ resource: 'api', operation: 'request', parameters: { path: '/v1/webhooks' } },
		],
	])('that nobody asked for are not in the output of %s', async (_what, call) => {
		const body = call.operation === 'update' ? { data: listed.data[0] } : listed;
		gateway.faults.add({ fault: { status: 200, body } });
		const { items } = await runOperation(engine, gateway, call);
		expect(items[0].json).toMatchObject({ id: 'wh_1', secret: 'whsec_[hidden]' });
	});

	it.each<[string, OperationRun]>([
		[
			'a creation',
			{ resource: 'webhook', operation: 'create', parameters: { url: 'https://a.example' } },
		],
		[
			'a request that creates',
			{
				resource: 'api',
				operation: 'request',
				parameters: {
					path: '/v1/hooks',
					method: 'POST',
					options: { body: '{}' },
					token: 'account',
				},
			},
		],
	])('that are needed are in the output of %s', async (_what, call) => {
		gateway.faults.add({ fault: { status: 201, body: { data: listed.data[0] } } });
		const { items } = await runOperation(engine, gateway, call);
		expect(items[0].json).toMatchObject({ secret: SECRET });
	});
});

describe('an answer without end in time', () => {
	/** Longer than anybody waits, in milliseconds. */
	const LONG = 60_000;
	/** What it may really take, less than jest gives a test. */
	const LIMIT = 50_000;

	/** Ends the patience of whoever waits, once its time has come. */
	let runOut: Array<() => void>;
	/** So much later it is by the clock than it really is. */
	let passed: number;

	beforeEach(() => {
		runOut = [];
		passed = 0;
		const clock = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
			const controller = new AbortController();
			runOut.push(() => controller.abort());
			return controller.signal;
		});
	});

	afterEach(() => jest.restoreAllMocks());

	/** What comes of it when every request is given up. */
	async function giveUp<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		const over = work.finally(() => (isOver = true));
		const until = Date.now() + LIMIT;
		while (!isOver) {
			if (Date.now() > until) throw new Error('Waited in vain for the work to be given up.');
			if (gateway.requests.some(({ finishedAt }) => finishedAt === 0)) {
				passed += LONG;
				for (const end of runOut.splice(0)) end();
			}
			await new Promise(setImmediate);
		}
		return await over;
	}

	describe.each(['drip', 'dripHeaders'] as const)('(%s)', (as) => {
		beforeEach(() => void be(as));

		it.each([...everyCall])('is given up by %s', async (_name, call) => {
			const { error } = await giveUp(runOperation(engine, gateway, call));
			expect(error?.message).toMatch(/^The gateway did not answer in time/);
			if (call.requests[0].method !== 'GET')
				expect(error?.message).toMatch(/may have been (sent|made)/);
			await expectConnectionsToEnd();
		});

		it('is given up by lists', async () => {
			const lists = await giveUp(askForLists());
			for (const { message } of lists as Error[]) expect(message).toMatch(/did not answer in time/);
			await expectConnectionsToEnd();
		});

		it('is given up by the test of a credential', async () => {
			for (const { message } of await giveUp(testCredentials()))
				expect(message).toMatch(/did not answer within 10 seconds/);
			if (as === 'drip') await expectConnectionsToEnd();
		});

		it('is given up by the trigger', async () => {
			const words = wordsOf((await giveUp(liveTrigger())).said);
			expect(words[0]).toMatch(/did not answer in time/);
			await expectConnectionsToEnd();
		});
	});
});

it('keeps to the Timeout of a person, however the answer drips', async () => {
	be('drip');
	const { error } = await runOperation(engine, gateway, SEND);
	expect(error?.message).toBe(
		'The gateway did not answer in time. The message may have been sent. Check the chat before you send it again.',
	);
	await expectConnectionsToEnd();
});

it('a file without end ends with the execution', async () => {
	be('dripFile');
	const { workflow, additionalData, node } = engine.build({
		nodes: [
			{
				type: 'messagingGateway',
				parameters: { resource: 'api', operation: 'request', path: '/v1/media' },
			},
		],
		credentials: credentialsOf(gateway),
	});
	additionalData.hooks = new ExecutionLifecycleHooks('manual', '1', {
		nodes: [],
		connections: {},
	} as never);
	const data = { main: [[{ json: {} }]] };
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node: node(), data, source: null }] },
	});
	const execute = new WorkflowExecute(additionalData, 'manual', runData);
	const running = execute.processRunExecutionData(workflow);
	await waitFor('the request', () => gateway.requests.length === 1);
	running.cancel();
	await running;
	await expectConnectionsToEnd();
});

describe('an answer without bounds', () => {
	it.each([...everyCall])('is refused by %s', async (_name, call) => {
		be('endless');
		const { error } = await runOperation(engine, gateway, call);
		const most = call.requests[0].method === 'GET' ? '10 MB' : '1 MB';
		expect(error?.message).toContain(`The gateway’s answer is larger than ${most} (status 200)`);
		if (most === '1 MB') expect(error?.message).toMatch(/may have been (sent|made)/);
		await expectConnectionsToEnd();
	});

	describe.each(['gzipBomb', 'million'] as const)('(%s)', (as) => {
		it.each([
			['a read', GROUPS, '10 MB'],
			['a send', SEND, '1 MB'],
		])('is refused by %s', async (_what, call, most) => {
			be(as);
			const { error } = await runOperation(engine, gateway, call);
			expect(error?.message).toContain(`The gateway’s answer is larger than ${most} (status 200)`);
			await expectConnectionsToEnd();
		});

		it('is refused where it is no success', async () => {
			be(as, 400);
			const { error } = await runOperation(engine, gateway, GROUPS);
			expect(error?.message).toMatch(/larger than 1 MB \(status 400\)/);
			await expectConnectionsToEnd();
		});

		it('is refused by lists, the test of a credential and the trigger', async () => {
			be(as);
			const lists = await askForLists();
			for (const { message } of lists as Error[]) expect(message).toContain('larger than 10 MB');
			for (const { status } of await testCredentials()) expect(status).toBe('Error');
			expect(wordsOf((await liveTrigger()).said)[0]).toContain('larger than 10 MB');
			await expectConnectionsToEnd();
		});
	});

	it('in pieces of one byte is given up', async () => {
		be('crumbs');
		for (const call of [SEND, { ...GROUPS, parameters: { options: { timeout: 1 } } }]) {
			const { error } = await runOperation(engine, gateway, call);
			expect(error?.message).toMatch(/larger than|did not answer in time/);
		}
		await expectConnectionsToEnd();
	});

	it('of 20 MB of error text is not read to its end', async () => {
		be('longTexts', 400);
		const { error } = await runOperation(engine, gateway, SEND);
		expect(error?.message).toMatch(/^The gateway’s answer is larger than 1 MB \(status 400\)/);
	});

	it.each(['deep', 'deepObjects'] as const)(
		'in depth (%s) is refused by every operation',
		async (as) => {
			be(as);
			for (const call of everyCall.values()) {
				const { error } = await runOperation(engine, gateway, call);
				expect(error?.message).toMatch(/nested more than 100 levels deep/);
			}
			for (const { message } of (await askForLists()) as Error[])
				expect(message).toContain('nested more than 100 levels deep');
		},
	);

	it('of millions of values is refused', async () => {
		be('empties');
		const { error } = await runOperation(engine, gateway, GROUPS);
		expect(error?.message).toBe(
			'The gateway’s answer holds more than a million values (status 200)',
		);
	});

	it('of as many entries as fit is cut to the limit, and refused where all are wanted', async () => {
		be('crowd');
		const { items } = await runOperation(engine, gateway, GROUPS);
		expect(items).toHaveLength(50);
		for (const call of [
			{ ...GROUPS, parameters: { returnAll: true } },
			{ ...GROUPS, parameters: { limit: 200_000 } },
			{ resource: 'api', operation: 'request', parameters: { path: '/v1/groups' } },
		]) {
			const { error } = await runOperation(engine, gateway, call);
			expect(error?.message).toMatch(/entries, but the node returns at most 100000/);
		}
	});

	it('of names is cut before anybody searches in them', async () => {
		be('longTexts');
		for (const list of await askForLists('Group')) {
			expect(list).not.toBeInstanceOf(Error);
			const options = Array.isArray(list)
				? list
				: (list as { results: INodePropertyOptions[] }).results;
			for (const { name } of options) expect(name.length).toBeLessThan(110);
		}
	});
});

it('an answer of too many entries to a request that may have changed something says so', async () => {
	gateway.faults.add({ fault: { status: 200, body: { data: Array(150_000).fill(1) } } });
	const { error } = await runOperation(engine, gateway, {
		resource: 'api',
		operation: 'request',
		parameters: { path: '/v1/groups', method: 'POST', options: { body: '{}' } },
	});
	expect(error?.message).toMatch(/has 150000 entries.*may have been made/);
});

it('an entry of a list whose ID or name is an expression runs nothing in n8n', async () => {
	const body = {
		data: [
			{ id: '={{ $json }}', name: 'Expression' },
			{ id: '{{ $json }}', name: 'One as soon as somebody presses “Expression”' },
			{ id: '1@g.us', name: '={{ $json }}' },
		],
	};
	gateway.faults.add({ fault: { status: 200, body }, times: 'always' });
	for (const list of await askForLists()) {
		const options = Array.isArray(list)
			? list
			: (list as { results: INodePropertyOptions[] }).results;
		// To n8n a parameter that begins with an equals sign is an expression.
		expect(options).toEqual([{ name: '＝{{ $json }}', value: '1@g.us' }]);
	}
});

describe('an absurd Retry-After', () => {
	it.each([
		'99999999999999999999',
		'9'.repeat(5_000),
		'-1',
		'1e308',
		'Infinity',
		'NaN',
		'Fri, 31 Dec 9999 23:59:59 GMT',
		'Thu, 01 Jan 1970 00:00:00 GMT',
		'soon',
		', '.repeat(2_000),
		'"><img src=x>',
	])('%.40s keeps nobody waiting', async (header) => {
		gateway.faults.add({
			fault: { status: 429, headers: { 'retry-after': header } },
			times: 2,
		});
		const first = await runOperation(engine, gateway, SEND);
		expect(first.error?.message).toBe('Too many requests. The message was not sent.');
		const second = await runOperation(engine, gateway, SEND);
		expect(second.error?.message).toMatch(/^(Too many requests|The gateway asked for a pause of)/);
		expect(`${second.error?.message}${second.error?.description}`).not.toMatch(
			/NaN|Infinity|invalid/i,
		);
	});
});
