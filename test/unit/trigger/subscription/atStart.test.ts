import { randomUUID } from 'node:crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { observeAtStart } from '../../../../nodes/MessagingGateway/trigger/subscription/atStart';
import { gatewayContext, type Answered } from '../../gatewayContext';

const list = () => ({ status: 200, body: { data: [] } });
const refuse = () => ({ status: 401 });
const keepSilent = (): never => {
	throw Object.assign(new Error('Refused'), { code: 'ECONNREFUSED' });
};

/** Triggers that n8n switches on, each of its own account of one gateway. */
function startN8n(): { asked: () => number; switchOn(answer: () => Answered): Promise<unknown> } {
	const baseUrl = `https://${randomUUID()}.example.com`;
	let asked = 0;
	return {
		asked: () => asked,
		async switchOn(answer) {
			const count = () => {
				asked += 1;
				return answer();
			};
			const context = {
				...gatewayContext({ baseUrl, answer: count }),
				getActivationMode: () => 'init',
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
		expect(n8n.asked()).toBe(1);
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
