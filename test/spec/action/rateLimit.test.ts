import { readClock } from '../../../simulator/recorder';
import { outputOf, type TestNode } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';
import {
	acceptedTexts,
	fail,
	message,
	messages,
	runNode,
	send,
	sendText,
} from '../../support/sending';
import { engine, gateway } from '../../support/stage';

describe('the pace', () => {
	const startsOf = () => gateway.requests.map(({ startedAt }) => startedAt);

	it('spreads messages over the minute, also from one run of the node to the next', async () => {
		const begun = readClock();
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
			credentials: credentialsOf(gateway),
		});
		const starts = startsOf();
		expect(starts).toHaveLength(6);
		// A tenth of a second between any two. Whatever is late makes the later ones later still; a timer may be early.
		for (let index = 1; index < 6; index++)
			expect(starts[index] - begun).toBeGreaterThanOrEqual(index * 100 - 10);
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
			const { run } = await runNode(sendText({ settings }), messages(50));
			expect(gateway.requests).toHaveLength(2);
			expect(outputOf(run, 'Send')[49].json).toMatchObject({
				error: {
					message: expect.stringMatching(
						/pause of 60 more minutes, until .* UTC\. .* 5 minutes at most/,
					),
					outcome: 'rejected',
					description: 'Nothing was sent for this item.',
				},
			});
		},
	);

	it('spares the gateway the next run too, for as long as it asked', async () => {
		fail('m0', { status: 429, headers: { 'retry-after': '3600' } });
		await runNode(sendText(), messages(1));
		const { node } = await runNode(sendText(), messages(2));
		expect(node.error?.message).toContain('asked for a pause of');
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
		await runNode(request, [account, { token: 'instance', path: '/v1/communities' }, account]);
		await runNode(sendText(), messages(1));
		await runNode(request, [account]);
		expect(gateway.requests.map(({ path }) => path)).toEqual([
			'/v1/instances',
			'/v1/communities',
			'/v1/messages/send-text',
		]);
	});

	it('is that of a token: one that takes its place in the same credential is not silenced', async () => {
		fail('m0', { status: 429, headers: { 'retry-after': '3600' } });
		await send({ items: messages(1) });
		const { node } = await send({ items: messages(1) });
		expect(node.error?.message).toContain('asked for a pause of');

		gateway.replaceTokens();
		await send({ items: [message('from the new token')] });
		expect(acceptedTexts()).toEqual(['from the new token']);
	});
});
