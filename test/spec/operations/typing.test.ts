import type { IDataObject } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import type { TestNode } from '../../support/engine';
import {
	acceptedTexts,
	fail,
	messages,
	requestsOf,
	runNode,
	send,
	sendText,
} from '../../support/sending';
import { gateway } from '../../support/stage';

describe('typing, where the gateway takes one request a second', () => {
	const presenceOf = ({ body }: (typeof gateway.requests)[number]) =>
		(body as IDataObject).presence ?? 'message';

	/** After a refusal nothing may begin for the second that it asks for, but for what was under way. */
	function expectQuietHonoured(): void {
		const UNDER_WAY_MS = 300;
		for (const { finishedAt } of gateway.requests.filter(({ status }) => status === 429)) {
			const later = gateway.requests
				.map(({ startedAt }) => startedAt - finishedAt)
				.filter((after) => after > UNDER_WAY_MS);
			for (const after of later) expect(after).toBeGreaterThanOrEqual(1000 - 10);
		}
	}

	it.each([0.05, 1.2])('does not keep any message from going out (%d seconds)', async (seconds) => {
		gateway.faults.add({ fault: 'oneASecond', times: 'always' });
		const { node } = await send({ items: messages(3), options: { typingSeconds: seconds } });
		expect(node.error).toBeUndefined();
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm2']);
		expectQuietHonoured();
		// At most one that is refused beside each message and its typing.
		expect(gateway.requests.length).toBeLessThanOrEqual(9);
	});

	it('is left out while the gateway wants to be left alone', async () => {
		gateway.faults.add({
			match: { path: '/v1/messages/presence' },
			fault: { status: 429, headers: { 'retry-after': '1' } },
		});
		// A busy machine might send the other message before it has read the refusal.
		const isRefused = () => gateway.requests.some(({ status }) => status === 429);
		const until = async () => await waitFor('the refusal', isRefused);
		gateway.faults.add({
			match: { path: '/v1/messages/presence' },
			fault: { kind: 'slow', until },
		});
		const { node } = await send({
			items: messages(2),
			options: { typingSeconds: 0.05, concurrency: 2, timeout: 5 },
		});
		expect(node.error).toBeUndefined();
		expect(acceptedTexts()).toHaveLength(2);
		expectQuietHonoured();
		expect(node.hints?.[0].message).toMatch(/^Typing could not be shown: /);
	});

	it('is not ended by a request into the quiet', async () => {
		gateway.faults.add({
			match: { path: '/v1/messages/send-text' },
			times: 'always',
			fault: { status: 429, headers: { 'retry-after': '1' } },
		});
		const { node } = await send({ items: messages(1), options: { typingSeconds: 0.05 } });
		expect(node.error?.message).toContain('The message was not sent.');
		expect(gateway.requests.map(presenceOf)).toEqual(['COMPOSING', 'message', 'message']);
		expectQuietHonoured();
	});

	it('gives its turn back once, and only where the message was certainly not sent', async () => {
		gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: { status: 502 } });
		await send({ items: messages(1), options: { typingSeconds: 0.05 } });
		expect(gateway.requests.map(presenceOf)).toEqual(['COMPOSING', 'message', 'PAUSED']);
	});

	it('is waited for between the two requests of one item too', async () => {
		gateway.faults.add({ match: { method: 'GET' }, fault: { kind: 'slow', delayMs: 200 } });
		fail('m0', { status: 429, headers: { 'retry-after': '1' } });
		const update: TestNode = {
			...sendText(),
			parameters: {
				resource: 'instance',
				operation: 'updateSettings',
				settings: { readMessages: true },
			},
		};
		await Promise.all([runNode(update, [{}]), send({ items: messages(1) })]);
		expect(gateway.requests).toHaveLength(3);
		const [refused] = requestsOf('m0');
		const written = gateway.requests.find(
			({ method, path }) => method === 'POST' && path.includes('settings'),
		);
		expect((written?.startedAt ?? 0) - refused.startedAt).toBeGreaterThanOrEqual(1000 - 10);
	});
});
