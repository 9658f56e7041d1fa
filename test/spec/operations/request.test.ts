import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IBinaryKeyData, INodeParameters } from 'n8n-workflow';
import { startSimulator, type Fault } from '../../../lab/simulator';
import { engine, gateway } from '../../support/engineAndGateway';
import { expectRefusal } from '../../support/refusal';
import { runOperation, type OperationRun } from '../../support/runOperation';

const PICTURE_PATH = '/v1/simulator-invention/send-picture';
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const held = (bytes: Buffer, others: Partial<IBinaryData> = {}): IBinaryData => ({
	data: bytes.toString('base64'),
	mimeType: 'image/png',
	fileName: 'picture.png',
	...others,
});

const request = async (
	parameters: INodeParameters,
	others: Partial<OperationRun> = {},
	simulator = gateway,
) =>
	await runOperation(engine, simulator, {
		resource: 'api',
		operation: 'request',
		parameters: parameters as OperationRun['parameters'],
		...others,
	});
const post = (parameters: INodeParameters) => ({ method: 'POST', path: '/v1/any', ...parameters });

describe('the path of an API request', () => {
	it.each([
		'/v2/groups',
		'/v1',
		'groups',
		'//',
		'@evil.example.com/v1/groups',
		'https://evil.example.com/v1/groups',
		'//evil.example.com/v1/groups',
		'/v1/../admin',
		'/v1/..',
		'/v1/./groups',
		'/v1/groups/../webhooks',
		'/v1/%2e%2e/admin',
		'/v1/%2e%2e%2fadmin',
		'/v1/.%2E/admin',
		'/v1/x/..;/..;/admin',
		'/v1/\\evil.example.com',
		'/v1/two words',
		'/v1/line\nbreak',
		'/v1/groups#top',
	])('is refused if it is not a plain path under /v1: %j', async (path) => {
		expectRefusal(await request({ path }), /^'Path' must be a plain path under \/v1/);
	});

	it.each([
		['/v1/messages/send-media', {}],
		['/v1/chats/120363@g.us/messages', {}],
		['/v1/files/a%20b', {}],
		['/v1/files/%C3%A3o..final.pdf', {}],
		['/v1/groups?type=image&type=a%26b&empty=', { type: ['image', 'a&b'], empty: '' }],
		['/v1/groups?next=https://example.com/../', { next: 'https://example.com/../' }],
	])('goes out as it is written: %s', async (path, query) => {
		await request({ path });
		expect(gateway.requests.map((each) => [each.path, each.query])).toEqual([
			[path.split('?')[0], query],
		]);
	});

	it('is behind the path of the base URL', async () => {
		const behindProxy = await startSimulator({ basePath: '/gateway' });
		await request({ path: '/v1/groups' }, {}, behindProxy);
		expect(behindProxy.requests).toHaveLength(1);
		await behindProxy.stop();
	});
});

describe('the body of an API request', () => {
	it.each([
		['an object', '={{ { to: "5511987654321", text: $json.text } }}'],
		['text', '={ "to": "5511987654321", "text": "{{ $json.text }}" }'],
	])('can be %s', async (_form, body) => {
		const path = '/v1/messages/send-text';
		await request(post({ path, options: { body } }), { items: [{ text: 'Hello' }] });
		expect(gateway.acceptedSends()).toMatchObject([{ to: '5511987654321', text: 'Hello' }]);
	});

	it('is sent if it is an empty object, and is no body at all if it is not added', async () => {
		for (const method of ['DELETE', 'PATCH', 'POST', 'PUT'])
			await request({ method, path: '/v1/any', options: { body: '{}' } });
		await request(post({}));
		await request({ path: '/v1/any', options: { body: '{ "left": "of a POST" }' } });
		expect(gateway.requests.map(({ rawBody }) => rawBody)).toEqual([
			...Array<string>(4).fill('{}'),
			'',
			'',
		]);
	});

	it.each([
		['no JSON', '{ "a": }', /^'Body' must be a JSON object.*JSON\.stringify\(\$json\.text\)/],
		['a list', '[1]', /^'Body' must be a JSON object/],
	])('is refused if it is %s', async (_form, body, words) => {
		expectRefusal(await request(post({ options: { body } })), words);
	});
});

describe('the output of an API request', () => {
	it.each<[string, Fault, object[]]>([
		['the status, if the answer is empty', { status: 204, kind: 'empty' }, [{ status: 204 }]],
		['the status, if data is null', { status: 207, body: { data: null } }, [{ status: 207 }]],
		[
			'one item for each element of a list',
			{ status: 200, body: { data: [{ id: 1 }, 'two', null] } },
			[{ id: 1 }, { value: 'two' }, { value: null }],
		],
		['no item for an empty list', { status: 200, body: { data: [] } }, []],
		['a value that is no object', { status: 200, body: { data: false } }, [{ value: false }]],
		['an object without a wrapper', { status: 201, body: { id: 'x' } }, [{ id: 'x' }]],
	])('is %s', async (_output, fault, output) => {
		gateway.faults.add({ fault });
		const { items } = await request({ path: '/v1/any' });
		expect(items.map(({ json }) => json)).toEqual(output);
	});
});

describe('with Sends a Message', () => {
	it('an answer is its messageId, also if Response Format is File', async () => {
		const options = { body: '{ "to": "5511987654321", "text": "Hello" }', responseFormat: 'file' };
		const path = '/v1/messages/send-text';
		const { items } = await request(post({ path, sendsMessage: true, options }));
		expect(items.map(({ json }) => json)).toEqual([{ messageId: expect.any(String) }]);
	});

	it.each<[string, unknown]>([
		['two messages', { data: [{ messageId: 'x' }, { messageId: 'y' }] }],
		['a number as messageId', { messageId: 7 }],
	])('an answer with %s may mean a sent message, and is not repeated', async (_answer, body) => {
		gateway.faults.add({ times: 'always', fault: { status: 200, body } });
		const { error } = await request(post({ sendsMessage: true }));
		expect(error?.message).toMatch(/lacks the result.*The message may have been sent/);
		expect(error?.description).toContain('Outcome: unknown');
		expect(gateway.requests).toHaveLength(1);
	});

	it.each([
		[true, 'The message was not sent.'],
		['={{ "true" }}', 'The message was not sent.'],
		['={{ "false" }}', 'The change was not made.'],
		[false, 'The change was not made.'],
	])('%s, a rejected request says: %s', async (sendsMessage, words) => {
		gateway.faults.add({ fault: { status: 400, body: { error: 'No.' } } });
		const { error } = await request(post({ sendsMessage }));
		expect(error?.message).toBe(`No. ${words}`);
	});
});

describe('a file', () => {
	const sendPicture = (parameters: INodeParameters = {}, files?: IBinaryKeyData[]) =>
		request(
			post({
				path: PICTURE_PATH,
				sendsMessage: true,
				sendFile: true,
				requestFieldName: 'picture',
				...parameters,
				options: { body: '={{ { to: "5511900000001", caption: $json.caption ?? "Look" } }}' },
			}),
			{ items: files?.map((_file, index) => ({ caption: `picture ${index}` })), files },
		);
	const pictures = () =>
		gateway
			.chats()
			.flatMap(({ messages }) => messages)
			.flatMap(({ text, picture }) => (picture ? [{ text, ...picture }] : []));

	it('of each item goes out in a form with the properties of Body', async () => {
		const { items, error } = await sendPicture({}, [
			{ data: held(PNG) },
			{ data: held(Buffer.from('second'), { fileName: 'ação "2".webp', mimeType: 'image/webp' }) },
		]);
		expect([error, items.length]).toEqual([undefined, 2]);
		expect(pictures()).toEqual([
			expect.objectContaining({
				text: 'picture 0',
				fileName: 'picture.png',
				mediaType: 'image/png',
				base64: PNG.toString('base64'),
			}),
			expect.objectContaining({
				text: 'picture 1',
				mediaType: 'image/webp',
				base64: Buffer.from('second').toString('base64'),
			}),
		]);
	});

	it.each(['POST', 'PUT', 'PATCH'])('goes out with %s', async (method) => {
		await sendPicture({ method }, [{ data: held(PNG) }]);
		expect(gateway.requests[0].headers['content-type']).toContain('multipart/form-data');
	});

	it('that the item does not have is refused', async () => {
		expectRefusal(
			await sendPicture({ inputDataFieldName: 'photo' }, [{ data: held(PNG) }]),
			/photo/,
		);
	});

	it('comes out in the binary field data, linked to its item', async () => {
		await sendPicture({}, [{ data: held(PNG) }]);
		const [{ messageId }] = gateway.acceptedSends();
		const path = `/v1/simulator-invention/files/${messageId}`;
		const { items } = await request({ path, options: { responseFormat: 'file' } });
		expect(items).toMatchObject([
			{
				json: { fileName: expect.any(String), mimeType: 'image/png', fileSize: expect.any(String) },
				binary: { data: { data: PNG.toString('base64'), mimeType: 'image/png' } },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('that n8n cannot keep has been asked for all the same', async () => {
		const disk = jest.spyOn(BinaryDataService.prototype, 'store');
		disk.mockRejectedValueOnce(new Error('The disk is full'));
		gateway.faults.add({ fault: { status: 200, body: {} } });
		const { error } = await request(post({ options: { responseFormat: 'file' } }));
		disk.mockRestore();
		expect(error?.message).toMatch(/^The disk is full\. The change may have been made\./);
	});

	it.each<[string, Fault | undefined, string]>([
		['that tells why', undefined, 'There is no such file'],
		['that is a page', { kind: 'html', status: 404 }, 'A web page came in place of the gateway'],
	])('is not what comes out of an answer without success %s', async (_answer, fault, words) => {
		if (fault) gateway.faults.add({ fault });
		const path = '/v1/simulator-invention/files/none';
		const { error, items } = await request({ path, options: { responseFormat: 'file' } });
		expect([error?.message.startsWith(words), items]).toEqual([true, []]);
		expect(error?.description).toContain('HTTP 404');
	});
});
