import type { INodeParameters } from 'n8n-workflow';
import { groupIdAt } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { expectRefusal } from '../../support/refusal';
import { runOperation, type OperationResult, type OperationRun } from '../../support/runOperation';

const run = async (
	name: string,
	parameters: INodeParameters,
	others: Partial<OperationRun> = {},
): Promise<OperationResult> => {
	const [resource, operation] = name.split('.');
	const fields = parameters as OperationRun['parameters'];
	return await runOperation(engine, gateway, {
		resource,
		operation,
		parameters: fields,
		...others,
	});
};
const ANA = to('phone', '5511987654321') as INodeParameters;
const send = (parameters: INodeParameters) => ({ to: ANA, text: 'Hello', ...parameters });
const sentBodies = () => gateway.requests.map(({ body }) => body);

describe('a value that cannot be used', () => {
	it.each([
		{
			value: 'a phone number with + by ID',
			operation: 'message.sendText',
			parameters: send({ to: to('id', '+55 11 98765-4321') }),
			words: /^'To' holds a phone number\. Choose 'Phone' instead of 'By ID'/,
		},
		{
			value: 'a phone number by ID',
			operation: 'message.sendText',
			parameters: send({ to: to('id', '55 11 98765-4321') }),
			words: /^'To' holds a phone number\. Choose 'Phone' instead of 'By ID'/,
		},
		{
			value: 'no setting',
			operation: 'instance.updateSettings',
			parameters: { settings: {} },
			words: /nothing to change/,
		},
		{
			value: 'no event',
			operation: 'webhook.create',
			parameters: { url: 'https://example.com', events: '={{ [] }}' },
			words: /No event is chosen/,
		},
		{
			value: 'nothing to update',
			operation: 'webhook.update',
			parameters: { webhookId: 'wh_1' },
			words: /nothing to change/,
		},
	])('is refused before any request: $value', async ({ operation, parameters, words }) => {
		expectRefusal(await run(operation, parameters), words);
	});

	it('of an empty required field stops the execution before the node runs', async () => {
		const clearing = run('profile.updateStatus', { status: '' });
		await expect(clearing).rejects.toThrow('Parameter "Status" is required');
	});

	it('costs its own item only, and is linked to it', async () => {
		const { items, failedItems } = await run(
			'message.sendText',
			{ to: to('phone', '={{ $json.to.trim() }}'), text: '={{ $json.text }}' } as INodeParameters,
			{
				items: [{ to: '5511987654321', text: 'one' }, { to: 7 }, { to: 'nobody', text: 'three' }],
				onError: 'continueErrorOutput',
			},
		);
		expect(items).toEqual([expect.objectContaining({ pairedItem: { item: 0 } })]);
		const message = expect.stringMatching(/The message was not sent\.$/) as string;
		const description = expect.stringMatching(/Outcome: rejected\.$/) as string;
		expect(failedItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[{ message, description, outcome: 'rejected', status: '', itemIndex: 1 }, { item: 1 }],
			[expect.objectContaining({ message, outcome: 'rejected', itemIndex: 2 }), { item: 2 }],
		]);
		expect(gateway.requests).toHaveLength(1);
	});

	it.each([
		['Concurrency', 'concurrency'],
		['Timeout', 'timeout'],
	])('of an expression of %s that fails costs all items', async (_name, option) => {
		const options = { [option]: '={{ $("Nowhere").item.json.value }}' };
		const { items, failedItems } = await run('message.sendText', send({ options }), {
			items: [{}, {}],
			onError: 'continueErrorOutput',
		});
		expect([items.length, failedItems.length, gateway.requests.length]).toEqual([0, 2, 0]);
	});
});

describe('a recipient', () => {
	it.each<[unknown, string]>([
		[to('phone', '+55 (11) 98765-4321'), '5511987654321'],
		// The ninth digit is neither added nor removed.
		[to('phone', '+55 11 8765-4321'), '551187654321'],
		[to('phone', '={{ 5511987654321 }}'), '5511987654321'],
		[to('id', '201894637712045@lid'), '201894637712045@lid'],
		[to('id', '  ÄÖ"\\ü@g.us \n'), 'ÄÖ"\\ü@g.us'],
		[to('list', groupIdAt(2)), groupIdAt(2)],
		['={{ "+55 11 98765-4321" }}', '5511987654321'],
		['={{ 5511987654321 }}', '5511987654321'],
		[{ __rl: true, mode: 'list', value: '={{ "55 11 98765-4321" }}' }, '5511987654321'],
		[{ __rl: true, mode: 'url', value: '={{ "55 11 98765-4321" }}' }, '5511987654321'],
		[{ __rl: true, value: '={{ "55 11 98765-4321" }}' }, '5511987654321'],
		[{ mode: 'phone', value: '+55 11 98765-4321' }, '5511987654321'],
		[{ value: '201894637712045@lid' }, '201894637712045@lid'],
		['={{ "201894637712045@lid" }}', '201894637712045@lid'],
	])('%j goes out as %s', async (recipient, sent) => {
		await run('message.sendText', send({ to: recipient as INodeParameters, text: ' Hello\n' }));
		expect(sentBodies()).toEqual([{ to: sent, text: ' Hello\n' }]);
	});

	it('gets its message from the number of its own item', async () => {
		await run('message.sendText', send({ options: { instanceId: '={{ $json.number }}' } }), {
			items: [{ number: 'inst_1' }, { number: 'inst_2' }],
			credential: { furtherNumbers: 'inst_1 svc_inst_1\ninst_2 svc_inst_2' },
			onError: 'continueRegularOutput',
		});
		const tokens = gateway.requests.map(({ headers }) => headers.authorization);
		expect(tokens).toEqual(['Bearer svc_inst_1', 'Bearer svc_inst_2']);
	});

	it('takes the country of the credential of its own item', async () => {
		const { items } = await run('message.sendText', send({ to: to('phone', '={{ $json.to }}') }), {
			items: [
				{ to: '51 98765-4321', country: 'BR' },
				{ to: '21 98765 4321', country: 'XX' },
				{ to: '5511987654321', country: '' },
			],
			credential: { defaultCountry: '={{ $json.country }}' },
			onError: 'continueRegularOutput',
		});
		expect(sentBodies()).toEqual([{ to: '5551987654321', text: 'Hello' }]);
		expect(items[1].json.error).toMatchObject({
			message: expect.stringContaining('"XX" is no country'),
		});
		expect(items[2].json.error).toMatchObject({
			message: expect.stringContaining("or choose 'Default Country' in the credential"),
		});
	});
});

describe('a field', () => {
	it('takes IDs without blanks around them, and lists written as JSON', async () => {
		const ids = { messageId: ' m1\n', labelId: '\t3' };
		await run('label.assign', { to: to('id', `${groupIdAt(0)}\n`), ...ids } as INodeParameters);
		const groups = { communityId: to('id', ' c@g.us'), groupIds: '={{ \'["a@g.us","b@g.us"]\' }}' };
		await run('community.addGroups', groups as INodeParameters);
		expect(sentBodies()).toEqual([
			{ to: groupIdAt(0), messageId: 'm1', labelId: '3' },
			{ id: 'c@g.us', groups: ['a@g.us', 'b@g.us'] },
		]);
	});

	it('that is hidden for an item is left out of its request', async () => {
		const parameters = {
			method: '={{ $json.method }}',
			path: '/v1/any',
			options: { body: '{ "name": "value" }' },
		};
		const items = [{ method: 'GET' }, { method: 'POST' }];
		await run('api.request', parameters, { items, onError: 'continueRegularOutput' });
		expect(sentBodies()).toEqual([undefined, { name: 'value' }]);
	});

	it('that clears the profile status does so by its own item, and by no empty expression', async () => {
		const { items } = await run(
			'profile.updateStatus',
			{ clearStatus: '={{ $json.clear }}', status: '={{ $json.status }}' },
			{
				items: [{ clear: true }, { clear: 'false', status: 'Open' }, { clear: false }, {}],
				onError: 'continueRegularOutput',
			},
		);
		expect(sentBodies()).toEqual([{ status: '' }, { status: 'Open' }]);
		expect(items.map(({ json }) => json.error !== undefined)).toEqual([false, false, true, true]);
	});
});
