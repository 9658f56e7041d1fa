import type { INodeParameters } from 'n8n-workflow';
import { engine, gateway } from '../../support/engineAndGateway';
import { runOperation } from '../../support/runOperation';

const update = async (settings: INodeParameters, items = [{}]) =>
	await runOperation(engine, gateway, {
		resource: 'instance',
		operation: 'updateSettings',
		parameters: { settings },
		items,
	});
const OTHERS = { readMessages: false, ignoreGroups: false, ignoreStatus: false };

describe('Update Settings', () => {
	it('reads and writes the settings of each item, also to off and empty', async () => {
		const settings = { rejectCall: '={{ $json.reject }}', msgRejectCall: '={{ $json.words }}' };
		const { items } = await update(settings, [
			{ reject: true, words: 'Write to me' },
			{ reject: true, words: null },
			{ reject: 'false', words: '' },
		] as never);
		expect(items.map(({ json }) => json)).toEqual([
			...Array(2).fill({ rejectCall: true, msgRejectCall: 'Write to me', ...OTHERS }),
			{ rejectCall: false, msgRejectCall: '', ...OTHERS },
		]);
		expect(gateway.requests.map(({ method }) => method)).toEqual(
			Array(3).fill(['GET', 'POST']).flat(),
		);
	});

	it.each([5, 1.5, true, '2026-01-01T00:00:00.000Z'])(
		'writes the message %j of an expression as a text',
		async (words) => {
			const settings = { rejectCall: false, msgRejectCall: '={{ $json.words }}' };
			await update(settings, [{ words }] as never);
			expect(gateway.requests[1].body).toMatchObject({ msgRejectCall: String(words) });
		},
	);

	it('does not write back a setting that the gateway tells as null', async () => {
		const data = { ...OTHERS, rejectCall: true, msgRejectCall: null };
		gateway.faults.add({ match: { method: 'GET' }, fault: { status: 200, body: { data } } });
		const { error } = await update({ readMessages: true });
		expect(error?.message).toContain('does not tell the setting "msgRejectCall". Add it too.');
		expect(gateway.requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it.each([{ rejectCall: true }, null, []])(
		'writes nothing if the gateway tells of the settings only %j',
		async (data) => {
			gateway.faults.add({ match: { method: 'GET' }, fault: { status: 200, body: { data } } });
			const { error } = await update({ readMessages: true });
			expect(error?.message).toContain('The change was not made.');
			expect(gateway.requests.map(({ method }) => method)).toEqual(['GET']);
		},
	);
});
