import type { INodeParameters } from 'n8n-workflow';
import { groupIdAt } from '../../../simulator';
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
	it.each<[string, string, INodeParameters, RegExp]>([
		['an empty text', 'message.sendText', send({ text: '={{ "" }}' }), /^'Text' is empty/],
		['a text of blanks', 'message.sendText', send({ text: '={{ " \\n" }}' }), /^'Text' is empty/],
		['nothing', 'message.sendText', send({ text: '={{ $json.missing }}' }), /^'Text' is empty/],
		['a list for a text', 'message.sendText', send({ text: '={{ [1] }}' }), /^'Text' must be text/],
		['an object for a text', 'message.sendText', send({ text: '={{ { a: 1 } }}' }), /^'Text' must/],
		['no recipient', 'message.sendText', send({ to: to('phone', '={{ "" }}') }), /^'To' is empty/],
		[
			'an object for a recipient',
			'message.sendText',
			send({ to: to('id', '={{ ({ id: 1 }) }}') }),
			/^'To' must be a phone number or an ID/,
		],
		...['+55 11 98765-4321', '55 11 98765-4321'].map(
			(id): [string, string, INodeParameters, RegExp] => [
				`the phone number ${id} by ID`,
				'message.sendText',
				send({ to: to('id', id) }),
				/^'To' holds a phone number\. Choose 'Phone' instead of 'By ID'/,
			],
		),
		[
			'an ID as a phone number',
			'message.sendText',
			send({ to: to('phone', groupIdAt(0)) }),
			/Choose 'By ID'/,
		],
		[
			'two phone numbers',
			'chat.archive',
			{ to: to('phone', '+55 11 98765-4321; +55 11 98765-4322') },
			/cannot be read as a phone number/,
		],
		[
			'an added instance ID that is empty',
			'message.sendText',
			send({ options: { instanceId: '={{ $json.missing }}' } }),
			/^'Number \(Instance ID\)' is empty/,
		],
		[
			'an unknown instance ID',
			'message.sendText',
			send({ options: { instanceId: 'inst_unknown' } }),
			/does not know the number "inst_unknown"/,
		],
		[
			'a choice that does not exist',
			'message.sendPresence',
			{ to: ANA, presence: '={{ "typing" }}' },
			/^"typing" cannot be 'Presence'\. Use PAUSED, COMPOSING\./,
		],
		[
			'no choice',
			'message.sendPresence',
			{ to: ANA, presence: '={{ $json.missing }}' },
			/^'Presence' is empty/,
		],
		[
			'a method that does not exist',
			'api.request',
			{ method: '={{ "HEAD" }}', path: '/v1/groups' },
			/^"HEAD" cannot be 'Method'/,
		],
		[
			'a switch that is neither',
			'instance.updateSettings',
			{ settings: { readMessages: 'maybe' } },
			/^"maybe" is neither true nor false/,
		],
		[
			'a time limit without values',
			'message.sendAndWait',
			{ to: ANA, message: 'When?', options: { limitWaitTime: {} } },
			/^'Limit Wait Time' holds no values/,
		],
		[
			'seconds of typing above the bound',
			'message.sendText',
			send({ options: { typingSeconds: '={{ 61 }}' } }),
			/^"61" cannot be 'Typing Seconds'\. Enter a number from 0 to 60/,
		],
		[
			'a broken number of items at once',
			'message.sendText',
			send({ options: { concurrency: '={{ 1.5 }}' } }),
			/^"1.5" cannot be 'Concurrency'\. Enter a whole number from 1 to 50/,
		],
		[
			'a rate limit that is no number',
			'message.sendText',
			send({ options: { messagesPerMinute: '={{ "many" }}' } }),
			/^"many" cannot be 'Messages Per Minute'/,
		],
		[
			'a timeout that is a switch',
			'message.sendText',
			send({ options: { timeout: '={{ true }}' } }),
			/^"true" cannot be 'Timeout'/,
		],
		['a limit of nothing', 'group.getAll', { limit: '={{ 0 }}' }, /^"0" cannot be 'Limit'/],
		['no setting', 'instance.updateSettings', { settings: {} }, /nothing to change/],
		[
			'no event',
			'webhook.create',
			{ url: 'https://example.com', events: '={{ [] }}' },
			/No event is chosen/,
		],
		['nothing to update', 'webhook.update', { webhookId: 'wh_1' }, /nothing to change/],
		['an ID that leads elsewhere', 'webhook.delete', { webhookId: '..' }, /cannot be part of/],
	])('is refused before any request: %s', async (_value, name, parameters, words) => {
		expectRefusal(await run(name, parameters), words);
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
		expect(failedItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[
				expect.objectContaining({ message, outcome: 'rejected', status: '', itemIndex: 1 }),
				{ item: 1 },
			],
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
		[to('id', '  ÄÖ"\\ü@g.us '), '  ÄÖ"\\ü@g.us '],
		[to('list', groupIdAt(2)), groupIdAt(2)],
		['={{ "+55 11 98765-4321" }}', '5511987654321'],
		['={{ "201894637712045@lid" }}', '201894637712045@lid'],
	])('%j goes out as %s', async (recipient, sent) => {
		await run('message.sendText', send({ to: recipient as INodeParameters, text: ' Hello\n' }));
		expect(sentBodies()).toEqual([{ to: sent, text: ' Hello\n' }]);
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
	it('of text takes the number of an expression as text', async () => {
		await run('message.sendText', send({ text: '={{ 42 }}' }));
		expect(sentBodies()).toEqual([{ to: '5511987654321', text: '42' }]);
	});

	it('that is hidden for an item is left out of its request', async () => {
		const presence = { to: ANA, presence: '={{ $json.presence }}', isAudio: true };
		const items = [{ presence: 'PAUSED' }, { presence: 'COMPOSING' }];
		await run('message.sendPresence', presence, { items });
		expect(sentBodies()).toEqual([
			{ to: '5511987654321', presence: 'PAUSED' },
			{ to: '5511987654321', presence: 'COMPOSING', isAudio: true },
		]);
	});

	it('in the path is encoded', async () => {
		await run('webhook.delete', { webhookId: 'a/../b?c#d' });
		expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/webhooks/a%2F..%2Fb%3Fc%23d']);
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
