import type { IDataObject } from 'n8n-workflow';
import { groupIdAt, startSimulator } from '../../../simulator';
import { to } from '../../contract/document';
import { outputOf } from '../../support/engine';
import { credentialsOf, runOperation, type OperationRun } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';

const SEND: OperationRun = {
	resource: 'message',
	operation: 'sendText',
	parameters: { to: to('phone', '={{ $json.to }}'), text: '={{ $json.text }}' },
};
const PEOPLE: IDataObject[] = [
	{ name: 'Ana', to: '+55 11 90000-0001', text: 'one' },
	{ name: 'Bruno', to: '+55 21 90000-0002', text: 'two' },
	{ name: 'Carla', to: '+55 31 9000-0003', text: 'three' },
];
const FAILED = {
	error: {
		message: 'The baker is asleep. The message was not sent.',
		description: expect.stringContaining('HTTP 400'),
		outcome: 'rejected',
		status: '400',
		itemIndex: 1,
	},
};
const sentTexts = () => gateway.acceptedSends().map(({ text }) => text);
const askedTexts = () => gateway.requests.map(({ body }) => (body as { text: string }).text);

/** The node with three items, what follows it reading the item that each came of. */
async function runThree(onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput') {
	gateway.faults.add({
		match: { text: 'two' },
		fault: { status: 400, body: { error: 'The baker is asleep' } },
	});
	const read = {
		type: 'test.evaluate',
		parameters: { value: '={{ $("People").item.json.name }}' },
	};
	const { resource, operation, parameters } = SEND;
	return await engine.run({
		nodes: [
			{ type: 'test.pass', name: 'People' },
			{
				type: 'messagingGateway',
				name: 'Gateway',
				onError,
				parameters: { resource, operation, ...parameters },
			},
			{ ...read, name: 'Sent' },
			{ ...read, name: 'Not sent' },
		],
		connections: {
			People: { main: [[{ node: 'Gateway', type: 'main', index: 0 }]] },
			Gateway: {
				main: [
					[{ node: 'Sent', type: 'main', index: 0 }],
					[{ node: 'Not sent', type: 'main', index: 0 }],
				],
			},
		},
		credentials: credentialsOf(gateway),
		items: PEOPLE,
	});
}

describe('three items of which the second fails', () => {
	it('stop the node, which says what became of each', async () => {
		const run = await runThree('stopWorkflow');
		const [{ error }] = run.data.resultData.runData.Gateway;
		expect(error).toMatchObject({
			message: 'The baker is asleep. The message was not sent. 1 of 3 items succeeded.',
			context: { itemIndex: 1 },
		});
		expect(error).toMatchObject({
			description: expect.stringContaining(
				'Of 3 items, 1 succeeded, 1 did not (the first is item 2), and 1 were not tried.',
			),
		});
		expect(askedTexts()).toEqual(['one', 'two']);
	});

	it('go on, the failed one with its link', async () => {
		const run = await runThree('continueRegularOutput');
		expect(outputOf(run, 'Gateway')).toEqual([
			{ json: { messageId: expect.any(String) }, pairedItem: { item: 0 } },
			{ json: FAILED, pairedItem: { item: 1 } },
			{ json: { messageId: expect.any(String) }, pairedItem: { item: 2 } },
		]);
		expect(outputOf(run, 'Sent').map(({ json }) => json.value)).toEqual(['Ana', 'Bruno', 'Carla']);
		expect(sentTexts()).toEqual(['one', 'three']);
		expect(askedTexts()).toEqual(['one', 'two', 'three']);
	});

	it('part, the failed one going out of the error output with its link', async () => {
		const run = await runThree('continueErrorOutput');
		expect(outputOf(run, 'Gateway')).toHaveLength(2);
		expect(outputOf(run, 'Gateway', 1)).toEqual([
			expect.objectContaining({ json: expect.objectContaining(FAILED), pairedItem: { item: 1 } }),
		]);
		expect(outputOf(run, 'Sent').map(({ json }) => json.value)).toEqual(['Ana', 'Carla']);
		expect(outputOf(run, 'Not sent').map(({ json }) => json.value)).toEqual(['Bruno']);
	});
});

describe('items', () => {
	it('become many, each linked to the one it came of', async () => {
		const { items } = await runOperation(engine, gateway, {
			resource: 'group',
			operation: 'getAll',
			parameters: { returnAll: '={{ $json.all }}', limit: '={{ $json.limit }}' },
			items: [{ all: false, limit: 2 }, { all: true }, { all: 'false', limit: 1 }],
		});
		expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
			0, 0, 1, 1, 1, 1, 1, 1, 2,
		]);
	});

	it('become none without taking the links of the others', async () => {
		const { items } = await runOperation(engine, gateway, {
			resource: 'webhook',
			operation: 'getAll',
			items: [{}, {}],
		});
		expect(items).toEqual([]);
	});

	it('each have their own fields, options and base URL', async () => {
		const other = await startSimulator({
			instanceToken: gateway.instanceToken,
			presenceField: 'state',
		});
		const { error } = await runOperation(engine, gateway, {
			resource: 'message',
			operation: 'sendPresence',
			parameters: {
				to: to('id', '={{ $json.chat }}'),
				presence: '={{ $json.presence }}',
				options: { presenceField: '={{ $json.field }}' },
			},
			items: [
				{ chat: groupIdAt(0), presence: 'COMPOSING', field: 'presence', gateway: gateway.url },
				{ chat: groupIdAt(1), presence: 'PAUSED', field: 'state', gateway: other.url },
			],
			credential: { baseUrl: '={{ $json.gateway }}' },
		});
		expect(error).toBeUndefined();
		expect(gateway.requests.map(({ body }) => body)).toEqual([
			{ to: groupIdAt(0), presence: 'COMPOSING', isAudio: false },
		]);
		expect(other.requests.map(({ body }) => body)).toEqual([{ to: groupIdAt(1), state: 'PAUSED' }]);
		await other.stop();
	});

	it.each([1, 3])('with an expression that fails fail alone, %i at a time', async (concurrency) => {
		const { items, error } = await runOperation(engine, gateway, {
			...SEND,
			parameters: {
				to: to('phone', '={{ $json.to.trim() }}'),
				text: '={{ $json.text }}',
				options: { concurrency },
			},
			items: [PEOPLE[0], { text: 'nobody', to: 7 }, PEOPLE[2]],
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => ('error' in json ? 'failed' : 'sent'))).toEqual([
			'sent',
			'failed',
			'sent',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(sentTexts().sort()).toEqual(['one', 'three']);
	});

	it('with an expression of Concurrency that fails fail, and do not pass for sent', async () => {
		const { items, failedItems } = await runOperation(engine, gateway, {
			...SEND,
			parameters: {
				to: to('phone', '={{ $json.to }}'),
				text: '={{ $json.text }}',
				options: { concurrency: '={{ $("Nowhere").item.json.atOnce }}' },
			},
			items: [PEOPLE[0], PEOPLE[2]],
			onError: 'continueErrorOutput',
		});
		expect(items).toEqual([]);
		expect(failedItems.map(({ json }) => json.error)).toMatchObject([
			{ outcome: 'rejected' },
			{ outcome: 'rejected' },
		]);
		expect(sentTexts()).toEqual([]);
	});

	it('that are refused before any request say so, linked to what they came of', async () => {
		const { failedItems } = await runOperation(engine, gateway, {
			...SEND,
			items: [{ to: 'nobody', text: 'two' }],
			onError: 'continueErrorOutput',
		});
		expect(failedItems).toEqual([
			expect.objectContaining({
				json: expect.objectContaining({
					error: {
						message: expect.stringContaining('cannot be read as a phone number'),
						description: 'Nothing was sent for this item.',
						outcome: 'rejected',
						status: '',
						itemIndex: 0,
					},
				}),
				pairedItem: { item: 0 },
			}),
		]);
	});
});

describe('operations that do not exist', () => {
	it.each([
		['message', '__CUSTOM_API_CALL__'],
		['__CUSTOM_API_CALL__', 'sendText'],
	])('%s → %s points to what makes custom calls', async (resource, operation) => {
		const { error } = await runOperation(engine, gateway, { resource, operation });
		expect(error?.message).toMatch(/custom API call/i);
		expect(error?.description).toMatch(
			/resource API with the operation Request.*HTTP Request node/,
		);
		expect(gateway.requests).toEqual([]);
	});

	it('are named', async () => {
		const { error } = await runOperation(engine, gateway, {
			resource: 'message',
			operation: 'sendVideo',
		});
		expect(error?.message).toBe('There is no operation "sendVideo" of "message"');
	});
});
