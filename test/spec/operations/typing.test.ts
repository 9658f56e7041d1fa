import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../support/engine';
import { gateway } from '../../support/engineAndGateway';
import { acceptedTexts, messages, send } from '../../support/sending';

const SHOW = '/v1/messages/presence';
const options = { typingSeconds: 0.05 };
const steps = () =>
	gateway.requests.map(({ body }) => (body as IDataObject).presence ?? (body as IDataObject).text);

describe('with Typing Seconds, a message', () => {
	it('goes out after typing was shown for so long', async () => {
		// If typing counted as a message, the message would wait for a minute.
		await send({ items: messages(1), options: { ...options, messagesPerMinute: 1 } });
		expect(steps()).toEqual(['COMPOSING', 'm0']);
		const [shown, sent] = gateway.requests;
		// A timer may be early by a millisecond.
		expect(sent.startedAt - shown.finishedAt).toBeGreaterThanOrEqual(50 - 2);
	}, 30_000);

	it.each([
		['refused', { status: 403 }],
		['never answered', 'hang'],
		['refused for too many requests', { status: 429, headers: { 'retry-after': '3600' } }],
	] as const)('goes out although typing is %s', async (_what, fault) => {
		gateway.faults.add({ match: { path: SHOW }, fault });
		const { run, node } = await send({ items: messages(1), options: { ...options, timeout: 1 } });
		expect(node.error).toBeUndefined();
		expect(outputOf(run, 'Send').map(({ json }) => json)).toEqual([
			{ messageId: expect.any(String) },
		]);
		expect(steps()).toEqual(['COMPOSING', 'm0']);
	});

	it('goes out also if the gateway takes one request a second', async () => {
		gateway.faults.add({ fault: 'oneASecond', times: 'always' });
		const { node } = await send({ items: messages(2), options });
		expect([node.error, acceptedTexts()]).toEqual([undefined, ['m0', 'm1']]);
	});
});
