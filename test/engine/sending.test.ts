import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type IRun,
	type ITaskData,
} from 'n8n-workflow';
import { waitFor } from '../host/waiting';
import type { Fault } from '../simulator';
import { execute, outputOf, type TestNode } from './engine';
import { engine, gateway } from './stage';

interface Sending {
	items: IDataObject[];
	options?: Record<string, string | number>;
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries'>>;
}

const sendText = ({ options = {}, settings = {} }: Partial<Sending> = {}): TestNode => ({
	type: 'messagingGateway',
	name: 'Send',
	waitBetweenTries: 1,
	...settings,
	parameters: {
		resource: 'message',
		operation: 'sendText',
		to: { __rl: true, mode: 'phone', value: '={{ $json.to }}' },
		text: '={{ $json.text }}',
		options,
	},
});

const credentials = () => ({
	messagingGatewayInstanceApi: { baseUrl: gateway.url, instanceToken: gateway.instanceToken },
});

async function send({ items, ...sending }: Sending): Promise<{ run: IRun; node: ITaskData }> {
	const run = await engine.run({ nodes: [sendText(sending)], items, credentials: credentials() });
	return { run, node: run.data.resultData.runData.Send[0] };
}

let numbers = 0;

/** A credential that no other test uses: what the gateway asks of a number outlasts a test. */
const newCredential = () => `credential ${numbers++}`;

/** Runs the node with credentials of this id, null for such as were never saved. */
async function runAs(
	id: string | null,
	node: TestNode,
	items: IDataObject[],
): Promise<{ run: IRun; node: ITaskData }> {
	const { url: baseUrl, accountToken } = gateway;
	const built = engine.build({
		nodes: [node],
		credentials: { ...credentials(), messagingGatewayAccountApi: { baseUrl, accountToken } },
	});
	for (const details of Object.values(built.node().credentials ?? {}))
		details.id = id && `${id} ${details.name}`;
	const run = await execute(
		built,
		built.node(),
		items.map((json) => ({ json })),
		'manual',
	);
	return { run, node: run.data.resultData.runData.Send[0] };
}

const message = (text: string, to = '5511987654321') => ({ to, text });
const messages = (count: number) =>
	[...Array(count).keys()].map((index) => message(`m${index}`, String(5511900000000 + index)));
const fail = (text: string, fault: Fault, times = 1) =>
	gateway.faults.add({ match: { text }, times, fault });
const acceptedTexts = () => gateway.acceptedSends().map(({ text }) => text);
const requestsOf = (text: string) =>
	gateway.requests.filter(({ body }) => (body as IDataObject).text === text);
const memoryOf = (run: IRun) => run.data.executionData?.contextData['node:Send'] ?? {};

const RETRY_AT_ONCE: Fault = { status: 429, headers: { 'retry-after': '0' } };

describe('a bulk', () => {
	it('goes one by one and in order unless asked otherwise', async () => {
		gateway.faults.add({ match: { text: 'm2' }, fault: { kind: 'slow', delayMs: 50 } });
		await send({ items: messages(6) });
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
		gateway.requests.reduce((one, next) => {
			expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
			return next;
		});
	});

	it('keeps the order of each recipient, however the number is written, while others go in parallel', async () => {
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 20 } });
		const spellings = ['+55 11 98765-4321', '551187654321', '5511987654321'];
		const items = [...Array(60).keys()].map((index) =>
			message(
				`m${index}`,
				index % 4 === 0 ? spellings[(index / 4) % 3] : String(5521911110000 + (index % 5)),
			),
		);
		await send({ items, options: { concurrency: 10 } });

		const lanes = new Map<string, typeof gateway.requests>();
		for (const request of gateway.requests) {
			const to = String((request.body as IDataObject).to);
			const lane = to.startsWith('5511') ? 'one phone in three spellings' : to;
			lanes.set(lane, [...(lanes.get(lane) ?? []), request]);
		}
		expect(lanes.size).toBe(6);
		const numberOf = ({ body }: (typeof gateway.requests)[number]) =>
			Number(String((body as IDataObject).text).slice(1));
		for (const requests of lanes.values()) {
			requests.reduce((one, next) => {
				expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
				expect(numberOf(next)).toBeGreaterThan(numberOf(one));
				return next;
			});
		}
		const overlapping = gateway.requests.filter(({ startedAt }, index) =>
			gateway.requests.some((other, place) => place < index && other.finishedAt > startedAt),
		);
		expect(overlapping.length).toBeGreaterThan(30);
	});

	it('puts out every result in the place of its item, whatever came back first', async () => {
		gateway.faults.add({ match: { text: 'm0' }, fault: { kind: 'slow', delayMs: 100 } });
		const { run } = await send({ items: messages(10), options: { concurrency: 10 } });
		const idOf = new Map(gateway.acceptedSends().map(({ text, messageId }) => [text, messageId]));
		expect(acceptedTexts().at(-1)).toBe('m0');
		expect(
			outputOf(run, 'Send').map(({ json, pairedItem }) => [json.messageId, pairedItem]),
		).toEqual([...Array(10).keys()].map((index) => [idOf.get(`m${index}`), { item: index }]));
	});

	it('names an item whose recipient cannot be read, and sends the others', async () => {
		const items = [message('m0'), { text: 'm1' }, message('m2', 'not a phone'), message('m3')];
		const { run } = await send({
			items,
			options: { concurrency: 4 },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(acceptedTexts()).toEqual(['m0', 'm3']);
		expect(outputOf(run, 'Send').map(({ json }) => 'error' in json)).toEqual([
			false,
			true,
			true,
			false,
		]);
	});

	it('says how many were sent, which failed and how many were not tried', async () => {
		fail('m2', { status: 400 });
		const { node } = await send({ items: messages(10) });
		expect(node.error?.description).toContain(
			'Of 10 items, 2 succeeded, 1 did not (the first is item 3), and 7 were not tried.',
		);
		expect(acceptedTexts()).toEqual(['m0', 'm1']);
	});

	it('begins nothing after the first failure, and waits for what is under way', async () => {
		fail('m1', { status: 400 });
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 100 } });
		const { node } = await send({ items: messages(50), options: { concurrency: 5 } });
		expect(new Set(acceptedTexts())).toEqual(new Set(['m0', 'm2', 'm3', 'm4']));
		expect(node.error?.description).toContain(
			'Of 50 items, 4 succeeded, 1 did not (the first is item 2), and 45 were not tried.',
		);
	});
});

describe('the first failure where the node is to stop', () => {
	const askedTexts = () => gateway.requests.map(({ body }) => (body as IDataObject).text);

	it.each<[string, Fault]>([
		['401', { status: 401 }],
		['429 and a time to wait', { status: 429, headers: { 'retry-after': '60' } }],
	])('keeps back those who wait for the pace when it is %s', async (_what, fault) => {
		fail('m0', fault);
		const { node } = await runAs(
			newCredential(),
			sendText({ options: { concurrency: 20, messagesPerMinute: 60 } }),
			messages(20),
		);
		expect(askedTexts()).toEqual(['m0']);
		expect(node.error?.description).toContain(
			'Of 20 items, 0 succeeded, 1 did not (the first is item 1), and 19 were not tried.',
		);
	});

	it('keeps back a message whose typing is shown, and ends the typing', async () => {
		fail('m0', { status: 400 });
		gateway.faults.add({ match: { to: '5511900000001' }, fault: { kind: 'slow', delayMs: 1000 } });
		const { node } = await send({
			items: messages(2),
			options: { concurrency: 2, typingSeconds: 0.05 },
		});
		const toOther = gateway.requests
			.map(({ body }) => body as IDataObject)
			.filter(({ to }) => to === '5511900000001');
		expect(toOther.map(({ presence, text }) => presence ?? text)).toEqual(['COMPOSING', 'PAUSED']);
		expect(node.error?.description).toContain(
			'1 did not (the first is item 1), and 1 were not tried.',
		);
	});

	it('leaves those kept back to the next try', async () => {
		fail('m0', RETRY_AT_ONCE);
		const options = { concurrency: 5, messagesPerMinute: 300 };
		await runAs(
			newCredential(),
			sendText({ options, settings: { retryOnFail: true } }),
			messages(5),
		);
		expect(askedTexts()).toEqual(['m0', 'm0', 'm1', 'm2', 'm3', 'm4']);
	});
});

describe('the pace', () => {
	const startsOf = () => gateway.requests.map(({ startedAt }) => startedAt);

	it('spreads messages over the minute, also from one run of the node to the next', async () => {
		await engine.run({
			nodes: [
				{ type: 'test.pass', name: 'A' },
				{ type: 'test.pass', name: 'B' },
				sendText({ options: { messagesPerMinute: 600, concurrency: 5 } }),
			],
			connections: {
				A: {
					main: [
						[
							{ node: 'Send', type: 'main', index: 0 },
							{ node: 'B', type: 'main', index: 0 },
						],
					],
				},
				B: { main: [[{ node: 'Send', type: 'main', index: 0 }]] },
			},
			items: messages(3),
			credentials: credentials(),
		});
		const starts = startsOf();
		expect(starts).toHaveLength(6);
		// A tenth of a second between any two; a timer may be early and a connection quick.
		for (let index = 1; index < 6; index++)
			expect(starts[index] - starts[index - 1]).toBeGreaterThanOrEqual(70);
	});

	it('refuses a pace that is no number instead of sending without one', async () => {
		const { node } = await send({
			items: messages(1),
			options: { messagesPerMinute: '={{ "many" }}' },
		});
		expect(node.error?.message).toContain('Messages Per Minute');
		expect(gateway.requests).toEqual([]);
	});

	it('is left alone for as long as the gateway asks, before the next item and before the next try', async () => {
		fail('m1', { status: 429, headers: { 'retry-after': '1' } });
		const { run } = await send({
			items: messages(3),
			settings: { onError: 'continueRegularOutput', retryOnFail: true },
		});
		const [, refused, ...later] = startsOf();
		expect(later).toHaveLength(2);
		for (const start of later) expect(start - refused).toBeGreaterThanOrEqual(1000 - 10);
		expect(outputOf(run, 'Send').every(({ json }) => typeof json.messageId === 'string')).toBe(
			true,
		);
	});

	it.each([undefined, true])(
		'does not wait an hour, nor ask again and again (Retry On Fail: %s)',
		async (retryOnFail) => {
			fail('m1', { status: 429, headers: { 'retry-after': '3600' } });
			const settings = { onError: 'continueRegularOutput', retryOnFail } as const;
			const { run } = await runAs(newCredential(), sendText({ settings }), messages(50));
			expect(gateway.requests).toHaveLength(2);
			expect(outputOf(run, 'Send')[49].json).toMatchObject({
				error: {
					message: expect.stringMatching(/longer pause .* UTC, which is another 60 minutes/),
					outcome: 'rejected',
					description: 'Nothing was sent for this item.',
				},
			});
		},
	);

	it('spares the gateway the next run too, for as long as it asked', async () => {
		const credential = newCredential();
		fail('m0', { status: 429, headers: { 'retry-after': '3600' } });
		await runAs(credential, sendText(), messages(1));
		const { node } = await runAs(credential, sendText(), messages(2));
		expect(node.error?.message).toContain('longer pause');
		expect(gateway.requests).toHaveLength(1);
	});

	it('is that of the token which an API request uses', async () => {
		gateway.faults.add({
			match: { path: '/v1/instances' },
			fault: { status: 429, headers: { 'retry-after': '3600' } },
		});
		const request: TestNode = {
			...sendText({ settings: { onError: 'continueRegularOutput' } }),
			parameters: {
				resource: 'api',
				operation: 'request',
				token: '={{ $json.token }}',
				path: '={{ $json.path }}',
			},
		};
		const account = { token: 'account', path: '/v1/instances' };
		const credential = newCredential();
		await runAs(credential, request, [
			account,
			{ token: 'instance', path: '/v1/communities' },
			account,
		]);
		await runAs(credential, sendText(), messages(1));
		await runAs(credential, request, [account]);
		expect(gateway.requests.map(({ path }) => path)).toEqual([
			'/v1/instances',
			'/v1/communities',
			'/v1/messages/send-text',
		]);
	});

	it('is shared by nobody where nobody can tell whose number it is', async () => {
		fail('m0', { status: 429, headers: { 'retry-after': '3600' } });
		const { run } = await runAs(
			null,
			sendText({ settings: { onError: 'continueRegularOutput' } }),
			messages(2),
		);
		await runAs(null, sendText(), [message('from another number')]);
		expect(outputOf(run, 'Send')[1].json).toMatchObject({
			error: { message: expect.stringContaining('longer pause') },
		});
		expect(acceptedTexts()).toEqual(['from another number']);
	});
});

describe('Retry On Fail', () => {
	it.each([
		[2, 1, true],
		[2, 2, false],
		[5, 4, true],
		[99, 5, false],
		[0, 2, true],
	])('with %i tries set and %i failures: saved is %s', async (maxTries, failures, isSaved) => {
		fail('m1', RETRY_AT_ONCE, failures);
		await send({ items: messages(3), settings: { retryOnFail: true, maxTries } });
		expect(acceptedTexts()).toEqual(isSaved ? ['m0', 'm1', 'm2'] : ['m0']);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'treats each item of a mixed batch after its own outcome (%s)',
		async (onError) => {
			fail('m1', RETRY_AT_ONCE);
			fail('m2', 'cutAfter');
			fail('m3', { status: 502 });
			fail('m4', { status: 400 });
			fail('m5', RETRY_AT_ONCE, 2);
			await send({
				items: messages(7),
				options: { concurrency: 7 },
				settings: { onError, retryOnFail: true, maxTries: 3 },
			});
			expect(messages(7).map(({ text }) => requestsOf(text).length)).toEqual([1, 2, 1, 1, 1, 3, 1]);
			expect(acceptedTexts().sort()).toEqual(['m0', 'm1', 'm2', 'm5', 'm6']);
		},
	);

	it('begins nothing new once the node is to stop for good', async () => {
		fail('m1', { status: 502 });
		await send({
			items: messages(20),
			options: { concurrency: 2 },
			settings: { retryOnFail: true },
		});
		expect(gateway.requests.length).toBeLessThanOrEqual(3);
	});

	it('gives the stored answers of what was accepted', async () => {
		fail('m2', RETRY_AT_ONCE);
		const { run } = await send({ items: messages(3), settings: { retryOnFail: true } });
		const idOf = new Map(gateway.acceptedSends().map(({ text, messageId }) => [text, messageId]));
		expect(outputOf(run, 'Send').map(({ json }) => json.messageId)).toEqual(
			['m0', 'm1', 'm2'].map((text) => idOf.get(text)),
		);
	});

	it('sends the same again where the workflow means it', async () => {
		fail('m0', RETRY_AT_ONCE);
		await engine.run({
			nodes: [
				{ type: 'test.pass', name: 'A' },
				{ type: 'test.pass', name: 'B' },
				sendText({ settings: { retryOnFail: true } }),
			],
			connections: {
				A: {
					main: [
						[
							{ node: 'Send', type: 'main', index: 0 },
							{ node: 'B', type: 'main', index: 0 },
						],
					],
				},
				B: { main: [[{ node: 'Send', type: 'main', index: 0 }]] },
			},
			items: messages(2),
			credentials: credentials(),
		});
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm0', 'm1']);
	});

	it('protects changes too, and repeats what only reads', async () => {
		const run = async (parameters: TestNode['parameters']) =>
			await engine.run({
				nodes: [{ ...sendText({ settings: { retryOnFail: true } }), parameters }],
				items: [{ n: 1 }, { n: 2 }],
				credentials: credentials(),
			});
		gateway.faults.add({ match: { method: 'POST', nth: 2 }, fault: { status: 502 } });
		await run({
			resource: 'profile',
			operation: 'updateStatus',
			status: '={{ "busy " + $json.n }}',
		});
		expect(gateway.requests.map(({ body }) => (body as IDataObject).status)).toEqual([
			'busy 1',
			'busy 2',
		]);

		gateway.reset();
		gateway.faults.add({ match: { method: 'GET', nth: 2 }, fault: { status: 502 } });
		const listing = await run({ resource: 'group', operation: 'getAll', returnAll: true });
		expect(listing.data.resultData.error).toBeUndefined();
		expect(gateway.requests.length).toBeGreaterThan(2);
	});

	it('does not take an answer that speaks of an error for a failure of its own', async () => {
		const answer = { status: 200, body: { data: { messageId: 'x', error: '' } } };
		gateway.faults.add({ match: { method: 'POST' }, times: 'always', fault: answer });
		await engine.run({
			nodes: [
				{
					...sendText({ settings: { retryOnFail: true } }),
					parameters: {
						resource: 'api',
						operation: 'request',
						method: 'POST',
						path: '/v1/messages/send-media',
						body: '{}',
					},
				},
			],
			items: messages(2),
			credentials: credentials(),
		});
		expect(gateway.requests).toHaveLength(2);
	});

	it('calls an answer that nobody can read unknown, and asks no second time', async () => {
		gateway.faults.add({
			match: { method: 'POST' },
			times: 'always',
			fault: { status: 202, body: { data: { accepted: true } } },
		});
		const { node } = await send({ items: messages(1), settings: { retryOnFail: true } });
		expect(node.error?.description).toContain('Outcome: unknown');
		expect(gateway.requests).toHaveLength(1);
	});
});

describe('the memory', () => {
	it('is empty after a run that went on', async () => {
		fail('m1', RETRY_AT_ONCE);
		fail('m2', { status: 400 });
		const { run } = await send({
			items: messages(4),
			settings: { onError: 'continueRegularOutput', retryOnFail: true },
		});
		expect(memoryOf(run)).toEqual({});
	});

	it('is empty although the first item failed for good, for which n8n tries again', async () => {
		fail('m0', { status: 400 });
		const { run } = await send({
			items: messages(2),
			settings: { onError: 'continueErrorOutput', retryOnFail: true },
		});
		expect(memoryOf(run)).toEqual({});
	});

	it('is untouched without a failure', async () => {
		const { run } = await send({ items: messages(3), settings: { retryOnFail: true } });
		expect(memoryOf(run)).toEqual({});
	});

	it('holds what was accepted, and neither tokens nor nodes, when the node has stopped', async () => {
		fail('m2', { status: 400, body: { error: 'No, not with this token' } });
		const { run } = await send({ items: messages(3), settings: { retryOnFail: true } });
		const saved = JSON.stringify(memoryOf(run));
		for (const { messageId } of gateway.acceptedSends()) expect(saved).toContain(messageId);
		expect(saved).not.toContain(gateway.instanceToken);
		expect(saved).not.toContain('No, not with this token');
		expect(saved).not.toContain('sendText');
	});

	it('stays small however many items fail', async () => {
		fail('m1', { status: 400 });
		const { run } = await send({
			items: messages(1000),
			options: { concurrency: 50 },
			settings: { retryOnFail: true },
		});
		expect(JSON.stringify(memoryOf(run)).length).toBeLessThan(1000 * 100);
	});
});

describe('cancelling', () => {
	/** Starts n8n's engine, and hands out what cancels it. */
	function start(sending: Omit<Sending, 'items'> & { count: number }) {
		const { workflow, additionalData, node } = engine.build({
			nodes: [sendText(sending)],
			credentials: credentials(),
		});
		const data = { main: [messages(sending.count).map((json) => ({ json }))] };
		additionalData.hooks = new ExecutionLifecycleHooks('manual', '1', {
			nodes: [],
			connections: {},
		} as never);
		const runData = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: node('Send'), data, source: null }] },
		});
		return new WorkflowExecute(additionalData, 'manual', runData).processRunExecutionData(workflow);
	}

	it.each([
		['while requests are under way', { concurrency: 5 }],
		['while the pace makes it wait', { concurrency: 5, messagesPerMinute: 1200 }],
		['while it shows typing', { concurrency: 5, typingSeconds: 1 }],
	])('%s lets nothing more begin, not even for Retry On Fail', async (_when, options) => {
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 100 } });
		const running = start({
			count: 200,
			options,
			settings: { retryOnFail: true, onError: 'continueRegularOutput' },
		});
		await waitFor('the first requests', () => gateway.requests.length >= 5);
		const { length } = gateway.requests;
		running.cancel();
		await running;
		// Longer than the waits between tries, than the pace and than typing take.
		await new Promise((resolve) => setTimeout(resolve, 1500));
		expect(gateway.requests.length - length).toBeLessThanOrEqual(5);
	});
});
