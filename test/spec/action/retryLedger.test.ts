import type { IDataObject, IRun } from 'n8n-workflow';
import { execute, type TestNode } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';
import {
	acceptedTexts,
	fail,
	messages,
	requestsOf,
	runNode,
	send,
	sendText,
} from '../../support/sending';

const RETRIED = { retryOnFail: true, maxTries: 3 } as const;
/** n8n's next try can save it: a 429 asks for a longer pause than the node waits. */
const REJECTED_FOR_NOW = { status: 429, headers: { 'retry-after': '3600' } };
const countRequests = (count: number) => messages(count).map(({ text }) => requestsOf(text).length);
const memoryOf = (run: IRun) => run.data.executionData?.contextData['node:Send'] ?? {};

describe('with Retry On Fail, n8n’s next try', () => {
	it.each([408, 425])(
		'sends an item again that was answered %i, which asks for it',
		async (status) => {
			fail('m0', { status });
			await send({ items: messages(1), settings: RETRIED });
			expect(countRequests(1)).toEqual([2]);
		},
	);

	it('treats each item of a batch by its own outcome', async () => {
		fail('m0', REJECTED_FOR_NOW);
		fail('m1', 'cutAfter');
		fail('m2', { status: 502 });
		fail('m3', { status: 400 });
		await send({ items: messages(5), settings: { ...RETRIED, onError: 'continueRegularOutput' } });
		expect(countRequests(5)).toEqual([2, 1, 1, 1, 1]);
		expect(acceptedTexts().sort()).toEqual(['m0', 'm1', 'm4']);
	});

	it('does not repeat a change that may have been made, and repeats a read', async () => {
		const run = async (parameters: TestNode['parameters']) =>
			await runNode({ ...sendText({ settings: RETRIED }), parameters }, [{ n: 1 }, { n: 2 }]);
		gateway.faults.add({ match: { nth: 2 }, fault: { status: 502 } });
		const status = '={{ "busy " + $json.n }}';
		await run({ resource: 'profile', operation: 'updateStatus', status });
		expect(gateway.requests.map(({ body }) => (body as IDataObject).status)).toEqual([
			'busy 1',
			'busy 2',
		]);

		gateway.reset();
		gateway.faults.add({ match: { nth: 2 }, fault: { status: 502 } });
		const { node } = await run({ resource: 'group', operation: 'getAll', returnAll: true });
		expect([node.error, gateway.requests.length]).toEqual([undefined, 4]);
	});

	it('does not repeat what was accepted if Method is an expression', async () => {
		fail('m1', REJECTED_FOR_NOW);
		const method = '={{ "POST" }}';
		const options = { body: '={{ { to: "5511987654321", text: $json.text } }}' };
		const path = '/v1/messages/send-text';
		const parameters = { resource: 'api', operation: 'request', method, path, options };
		await runNode({ ...sendText({ settings: RETRIED }), parameters }, messages(2));
		expect(countRequests(2)).toEqual([1, 2]);
	});

	it('is not made for an answer that holds a field “error”', async () => {
		const answer = { status: 200, body: { data: { messageId: 'x', error: '' } } };
		gateway.faults.add({ times: 'always', fault: answer });
		const parameters = { resource: 'api', operation: 'request', method: 'POST', path: '/v1/any' };
		await runNode({ ...sendText({ settings: RETRIED }), parameters }, messages(2));
		expect(gateway.requests).toHaveLength(2);
	});
});

describe.each([RETRIED, {}])('the retry ledger of a node with %j', (settings) => {
	it.each([
		['may have been sent', 'cutBefore', 1, [1, 2, 1]],
		['was rejected for good', { status: 400 }, 1, [1, 2, 1]],
		['may have been sent, and n8n not after that', 'cutBefore', 9, [1, 2, 0]],
	] as const)(
		'lets a person who retries the execution send again what %s',
		async (_item, fault, times, counts) => {
			fail('m1', fault, times);
			const sending = { settings };
			const { run } = await send({ items: messages(3), ...sending });
			const built = engine.build({
				nodes: [sendText(sending)],
				credentials: credentialsOf(gateway),
			});
			built.additionalData.executionId = '2';
			const items = messages(3).map((json) => ({ json }));
			const { contextData } = run.data.executionData!;
			await execute(built, built.node(), items, 'retry', contextData);
			expect(countRequests(3)).toEqual(counts);
		},
	);
});

describe('the retry ledger', () => {
	it.each([
		[REJECTED_FOR_NOW, undefined, ['m0', 'm1', 'm0', 'm1']],
		[{ status: 400 }, 'continueRegularOutput', ['m1', 'm0', 'm1']],
	] as const)('begins anew in the next round of a loop after %j', async (fault, onError, sent) => {
		fail('m0', fault);
		const lead = (node: string) => ({ node, type: 'main' as const, index: 0 });
		await engine.run({
			nodes: [
				{ type: 'test.pass', name: 'A' },
				{ type: 'test.pass', name: 'B' },
				sendText({ settings: { ...RETRIED, onError } }),
			],
			connections: {
				A: { main: [[lead('Send'), lead('B')]] },
				B: { main: [[lead('Send')]] },
			},
			items: messages(2),
			credentials: credentialsOf(gateway),
		});
		expect(acceptedTexts()).toEqual(sent);
	});

	it('of a node that has stopped holds what was accepted, and no token', async () => {
		fail('m1', { status: 400 });
		const { run } = await send({ items: messages(2), settings: RETRIED });
		const saved = JSON.stringify(memoryOf(run));
		expect(saved).toContain(gateway.acceptedSends()[0].messageId);
		expect(saved).not.toContain(gateway.instanceToken);
	});
});
