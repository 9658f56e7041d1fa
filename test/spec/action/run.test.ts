import type { IDataObject } from 'n8n-workflow';
import { waitFor } from '../../../lab/host/waiting';
import { groupIdAt, startSimulator, type Fault } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { outputOf, start } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf, runOperation, type OperationRun } from '../../support/runOperation';
import {
	acceptedTexts,
	askedTexts,
	fail,
	message,
	messages,
	requestsOf,
	runNode,
	send,
	sendByRequest,
	sendText,
} from '../../support/sending';

const run = async (what: OperationRun) => await runOperation(engine, gateway, what);

describe('the output', () => {
	it('links many items to the one that they came from, each read by its own parameters', async () => {
		const { items } = await run({
			resource: 'group',
			operation: 'getAll',
			parameters: { returnAll: '={{ $json.all }}', limit: '={{ $json.limit }}' },
			items: [{ all: false, limit: 2 }, { all: true }, { all: 'false', limit: 1 }],
		});
		const sources = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(sources).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 2]);
	});

	it('of each item comes from the credential of this item', async () => {
		const other = await startSimulator({ instanceToken: gateway.instanceToken });
		const { error } = await run({
			resource: 'chat',
			operation: 'mute',
			parameters: { to: to('id', '={{ $json.chat }}') },
			items: [
				{ chat: groupIdAt(0), gateway: gateway.url },
				{ chat: groupIdAt(1), gateway: other.url },
			],
			credential: { baseUrl: '={{ $json.gateway }}' },
		});
		const bodies = [gateway, other].map(({ requests }) => requests.map(({ body }) => body));
		expect([error, ...bodies]).toEqual([undefined, [{ to: groupIdAt(0) }], [{ to: groupIdAt(1) }]]);
		await other.stop();
	});

	it('of an operation that does not exist is advice', async () => {
		const { error } = await run({ resource: 'message', operation: 'sendVideo' });
		expect(error?.message).toMatch(/There is no operation "sendVideo" of "message"/);
		expect(error?.description).toMatch(/resource API with the operation Request/);
	});
});

const SLOW: Fault = { kind: 'slow', delayMs: 30 };

const requestByHand: typeof sendText = (sending) => {
	const node = sendByRequest(sending);
	return { ...node, parameters: { ...node.parameters, sendsMessage: false } };
};

describe('items', () => {
	it('go out one after the other, in their order', async () => {
		gateway.faults.add({ match: { text: 'm2' }, fault: SLOW });
		await send({ items: messages(5) });
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
		expectInTurn(gateway.requests);
	});

	it.each([
		['Send Text', sendText],
		['API Request', sendByRequest],
		['API Request that is not said to send', requestByHand],
	])('of %s with Concurrency keep the order of each recipient', async (_operation, draft) => {
		gateway.faults.add({ times: 'always', fault: SLOW });
		const spellings = ['+55 11 98765-4321', '551187654321', '5511987654321'];
		const items = [...Array(24).keys()].map((index) =>
			message(`m${index}`, index % 2 ? String(5521911110000 + index) : spellings[index % 3]),
		);
		await engine.run({
			nodes: [draft({ options: { concurrency: 6 } })],
			items,
			credentials: credentialsOf(gateway),
		});
		const toOne = gateway.requests.filter(({ body }) =>
			/11.?9?.?8765/.test(String((body as IDataObject).to)),
		);
		const textsOf = (requests: typeof toOne) =>
			requests.map(({ body }) => (body as IDataObject).text);
		expect(textsOf(toOne)).toEqual(
			items.filter((_item, index) => index % 2 === 0).map(({ text }) => text),
		);
		expectInTurn(toOne);
		expect(acceptedTexts()).toHaveLength(24);
	});

	it('of sends without a recipient go out one after the other, also with Concurrency', async () => {
		gateway.faults.add({ times: 'always', fault: SLOW });
		const options = { concurrency: 3, body: '={{ { chat: $json.to, text: $json.text } }}' };
		const settings = { onError: 'continueRegularOutput' } as const;
		await runNode(sendByRequest({ options, settings }), messages(3));
		expect(askedTexts()).toEqual(['m0', 'm1', 'm2']);
		expectInTurn(gateway.requests);
	});

	it('go out so many at once as Concurrency says, and no more', async () => {
		const isFull = () => gateway.requests.length >= 4;
		const until = async () => await waitFor('four requests at once', isFull);
		gateway.faults.add({ times: 4, fault: { kind: 'slow', until } });
		await send({ items: messages(10), options: { concurrency: 4 } });
		expect(gateway.requests).toHaveLength(10);
		const countAt = (time: number) =>
			gateway.requests.filter(({ startedAt, finishedAt }) => startedAt <= time && time < finishedAt)
				.length;
		expect(Math.max(...gateway.requests.map(({ startedAt }) => countAt(startedAt)))).toBe(4);
	});

	it('come out in their order, although the first is answered last', async () => {
		const until = async () =>
			await waitFor('the others to be accepted', () => acceptedTexts().length === 9);
		fail('m0', { kind: 'slow', until });
		const { run: made } = await send({ items: messages(10), options: { concurrency: 10 } });
		const idOf = new Map(gateway.acceptedSends().map(({ text, messageId }) => [text, messageId]));
		expect(
			outputOf(made, 'Send').map(({ json, pairedItem }) => [json.messageId, pairedItem]),
		).toEqual(messages(10).map(({ text }, item) => [idOf.get(text), { item }]));
	});

	it('do not begin after the first failure, and those under way are waited for', async () => {
		fail('m1', { status: 400 });
		const isAnswered = () => requestsOf('m1').some(({ status }) => status > 0);
		const until = async () => await waitFor('m1 to be answered', isAnswered);
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', until } });
		const items = [...messages(49), message('m49', 'Ana')];
		const { node } = await send({ items, options: { concurrency: 5 } });
		expect(acceptedTexts().sort()).toEqual(['m0', 'm2', 'm3', 'm4']);
		expect((node.error as { description?: string }).description).toContain(
			'Of 50 items, 4 succeeded, 1 did not (the first is item 2), and 45 were not tried.',
		);
	});

	it('do not go out after one whose recipient cannot be used', async () => {
		const { node } = await send({ items: [message('m0'), message('m1', 'Ana'), message('m2')] });
		expect(askedTexts()).toEqual(['m0']);
		expect(node.error?.message).toContain('"Ana" cannot be read as a phone number');
	});

	it('that fail together are counted from the first, and the one that may be sent is told', async () => {
		const until = async () => await waitFor('m1', () => requestsOf('m1').length === 1);
		fail('m0', { status: 400, until });
		fail('m1', { status: 502 });
		const { node } = await send({ items: messages(2), options: { concurrency: 2 } });
		expect(node.error).toMatchObject({
			message: expect.stringContaining('The message may have been sent.'),
			description: expect.stringContaining('2 did not (the first is item 1)'),
		});
	});

	it('that wait for the rate limit do not go out after a failure', async () => {
		fail('m0', { status: 401 });
		const options = { concurrency: 20, messagesPerMinute: 1 };
		const { node } = await send({ items: messages(20), options });
		expect(askedTexts()).toEqual(['m0']);
		expect((node.error as { description?: string }).description).toContain('19 were not tried.');
	});
});

/** Each request begins after the one before has ended. */
function expectInTurn(requests: typeof gateway.requests): void {
	for (const [index, { startedAt }] of requests.slice(1).entries())
		expect(startedAt).toBeGreaterThanOrEqual(requests[index].finishedAt);
}

// After each answer: in run.matrix.
describe('exactly one request reaches the gateway', () => {
	it.each([
		['during the request', {}],
		['while the rate limit delays the next', { messagesPerMinute: 1 }],
	])('after a cancel %s', async (_when, options) => {
		gateway.faults.add({ fault: 'messagesPerMinute' in options ? SLOW : 'hang' });
		const settings = { retryOnFail: true, onError: 'continueRegularOutput' } as const;
		const nodes = [sendText({ options, settings })];
		const built = engine.build({ nodes, credentials: credentialsOf(gateway) });
		const items = messages(3).map((json) => ({ json }));
		const execution = start(built, built.node(), items, 'manual');
		await waitFor('the first request', () => gateway.requests.length === 1);
		execution.cancel();
		// It ends when n8n makes no further try.
		await execution;
		expect(gateway.requests).toHaveLength(1);
	});
});
