import type { IDataObject, IRun } from 'n8n-workflow';
import { outputOf, type TestNode } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';
import {
	acceptedTexts,
	askedTexts,
	fail,
	message,
	messages,
	requestsOf,
	RETRY_AT_ONCE,
	send,
	sendText,
} from '../../support/sending';
import { engine, gateway } from '../../support/stage';

const memoryOf = (run: IRun) => run.data.executionData?.contextData['node:Send'] ?? {};

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

	describe.each([1, 5])('with concurrency %i', (concurrency) => {
		const items = ['a0', 'b0', 'a1', 'b1', 'a2'].map((text) =>
			message(text, text.startsWith('a') ? '5511900000001' : '5511900000002'),
		);
		const sendAll = async (onError: 'continueRegularOutput' | 'continueErrorOutput') =>
			await send({
				items,
				options: { concurrency },
				settings: { onError, retryOnFail: true, maxTries: 3 },
			});
		const askedOf = (recipient: string) =>
			askedTexts().filter((text) => (text as string).startsWith(recipient));

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'sends nothing to a recipient before what is to be sent first (%s)',
			async (onError) => {
				fail('a0', RETRY_AT_ONCE, 2);
				fail('b1', RETRY_AT_ONCE);
				const { run } = await sendAll(onError);
				expect(askedOf('a')).toEqual(['a0', 'a0', 'a0', 'a1', 'a2']);
				expect(askedOf('b')).toEqual(['b0', 'b1', 'b1']);
				expect(askedTexts().indexOf('b0')).toBeLessThan(2);
				expect(outputOf(run, 'Send').map(({ json }) => typeof json.messageId)).toEqual(
					Array(5).fill('string'),
				);
			},
		);

		it('sends what waited once there is no other try', async () => {
			fail('a0', RETRY_AT_ONCE, 3);
			const { run } = await sendAll('continueRegularOutput');
			expect(askedOf('a')).toEqual(['a0', 'a0', 'a0', 'a1', 'a2']);
			expect(outputOf(run, 'Send').map(({ json }) => typeof json.messageId)).toEqual([
				'undefined',
				...Array<string>(4).fill('string'),
			]);
		});
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
			credentials: credentialsOf(gateway),
		});
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm0', 'm1']);
	});

	it('protects changes too, and repeats what only reads', async () => {
		const run = async (parameters: TestNode['parameters']) =>
			await engine.run({
				nodes: [{ ...sendText({ settings: { retryOnFail: true } }), parameters }],
				items: [{ n: 1 }, { n: 2 }],
				credentials: credentialsOf(gateway),
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
						options: { body: '{}' },
					},
				},
			],
			items: messages(2),
			credentials: credentialsOf(gateway),
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
