import { randomUUID } from 'node:crypto';
import type { IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { observeAtStart } from '../../../../nodes/MessagingGateway/trigger/subscription/atStart';
import { gatewayContext, type Answered } from '../../gatewayContext';

const list = () => ({ status: 200, body: { data: [] } });
const refuse = () => ({ status: 401 });
const keepSilent = (): never => {
	throw Object.assign(new Error('Refused'), { code: 'ECONNREFUSED' });
};

/** Triggers that n8n switches on, each of its own account of one gateway. */
function startN8n(mode = 'init') {
	const baseUrl = `https://${randomUUID()}.example.com`;
	const requests: IHttpRequestOptions[] = [];
	const warn = jest.fn();
	return {
		requests,
		warn,
		async switchOn(answer: () => Answered) {
			const noteAndAnswer = (request: IHttpRequestOptions) => {
				requests.push(request);
				return answer();
			};
			const made = gatewayContext({ baseUrl, answer: noteAndAnswer });
			const context = {
				...made,
				getActivationMode: () => mode,
				logger: { ...made.logger, warn },
			};
			const url = 'https://n8n.example.com/webhook/hook';
			return await observeAtStart(context as unknown as IHookFunctions, url);
		},
	};
}

describe('at a start of n8n', () => {
	it('the first trigger that a gateway does not answer waits for all others of that gateway', async () => {
		const n8n = startN8n();
		expect(await n8n.switchOn(keepSilent)).toBeUndefined();
		expect(await n8n.switchOn(list)).toBeUndefined();
		expect(n8n.requests).toHaveLength(1);
	});

	it.each([
		[59_000, undefined],
		[61_000, { isComplete: true }],
	])('%i ms later, that gateway has said %j', async (after, said) => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
		const n8n = startN8n();
		await n8n.switchOn(keepSilent);
		jest.setSystemTime(Date.now() + after);
		const listed = await n8n.switchOn(list);
		jest.useRealTimers();
		if (said) expect(listed).toMatchObject(said);
		else expect(listed).toBeUndefined();
	});

	it('nobody waits for long, and the log says for which workflow it was in vain', async () => {
		const n8n = startN8n();
		await n8n.switchOn(keepSilent);
		expect(n8n.requests).toMatchObject([{ timeout: 3_000 }]);
		expect(n8n.warn).toHaveBeenCalledTimes(1);
		expect(n8n.warn).toHaveBeenCalledWith(
			expect.stringContaining('could not check its webhook at the start of n8n'),
			{ workflowId: expect.any(String) },
		);
	});

	it('but one whose token is refused keeps no other from asking', async () => {
		const n8n = startN8n();
		expect(await n8n.switchOn(refuse)).toBeUndefined();
		expect(await n8n.switchOn(list)).toMatchObject({ webhooks: [], isComplete: true });
	});

	it('nor does one of another gateway', async () => {
		await startN8n().switchOn(keepSilent);
		expect(await startN8n().switchOn(list)).toMatchObject({ webhooks: [] });
	});
});

it('another main process that takes over is starting, too', async () => {
	expect(await startN8n('leadershipChange').switchOn(keepSilent)).toBeUndefined();
});

it('a person who publishes is told, each time', async () => {
	const n8n = startN8n('activate');
	for (let times = 0; times < 2; times++)
		await expect(n8n.switchOn(keepSilent)).rejects.toThrow('cannot be reached');
	expect(n8n.requests).toHaveLength(2);
	expect(n8n.warn).not.toHaveBeenCalled();
});
