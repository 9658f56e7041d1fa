import { startSimulator } from '../../../simulator';
import { expectRefusal } from '../../support/refusal';
import { runOperation, type OperationRun } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';

const run = async (what: OperationRun) => await runOperation(engine, gateway, what);
const sentBodies = () => gateway.requests.map(({ body }) => body);

const request = (parameters: OperationRun['parameters']): OperationRun => ({
	resource: 'api',
	operation: 'request',
	parameters,
});

describe('api request', () => {
	it.each([
		['={{ " " }}', /path is empty/],
		['/v2/groups', /not a plain path under \/v1/],
		['/v1', /not a plain path under \/v1/],
		['/V1/groups', /not a plain path/],
		['v1/groups', /not a plain path/],
		['groups', /not a plain path/],
		['https://evil.example.com/v1/groups', /no full address/],
		['//evil.example.com/v1/groups', /no full address/],
		['javascript:alert(1)', /no full address/],
		['/v1/../admin', /not a plain path/],
		['/v1/..', /not a plain path/],
		['/v1/./groups', /not a plain path/],
		['/v1/%2e%2e/admin', /not a plain path/],
		['/v1/..%2fadmin', /not a plain path/],
		['/v1/%2E%2E%5Cadmin', /not a plain path/],
		['/v1/%252e%252e/admin', /not a plain path/],
		['/v1//evil.example.com', /not a plain path/],
		['/v1/\\evil.example.com', /not a plain path/],
		['/\\[', /not a plain path/],
		['/v1/two words', /not a plain path/],
		['/v1/line\nbreak', /not a plain path/],
		['/v1/null%00', /not a plain path/],
		['/v1/..;/admin', /not a plain path/],
		['/v1/.;x=1/groups', /not a plain path/],
		['/v1/..%3b/admin', /not a plain path/],
		['/v1/%2e%2e;/admin', /not a plain path/],
		['/v1/..%20/admin', /not a plain path/],
		['/v1/.../admin', /not a plain path/],
		['/v1/....%2f%2fadmin', /not a plain path/],
		['/v1/%c0%ae%c0%ae/admin', /not a plain path/],
		['/v1/%C0%AF', /not a plain path/],
		['/v1/%e0%80%ae', /not a plain path/],
		['/v1/%u002e%u002e/admin', /not a plain path/],
		['/v1/%zz', /not a plain path/],
		['/v1/100%', /not a plain path/],
		['/v1/%ff', /not a plain path/],
		['/v1/%ef%bc%8e%ef%bc%8e/admin', /not a plain path/],
		['/v1/%e2%80%a5/admin', /not a plain path/],
		['/v1/a%ef%bc%8fb', /not a plain path/],
		['/v1/a%ef%bc%bcb', /not a plain path/],
		['/v1/a%0d%0aHost:%20evil', /not a plain path/],
		['/v1/a%09b', /not a plain path/],
		['/v1/a%7fb', /not a plain path/],
		['/v1/groups?all=1', /Put what follows the "\?" into Query/],
		['/v1/groups#top', /may not contain/],
		['@evil.example.com/v1/groups', /not a plain path/],
	])('refuses the path %j', async (path, words) => {
		expectRefusal(await run(request({ path })), words);
	});

	it.each([
		'/v1/messages/send-media',
		'/v1/chats/120363@g.us/messages',
		'/v1/a-b_c.d~e/:id',
		'/v1/files/a%20b',
		'/v1/files/report.2026..final.pdf',
		'/v1/files/.hidden',
		'/v1/files/%C3%A3o%E2%80%A6.png',
		'/v1/files/1%2C5;v=2',
		'/v1/groups/',
	])('takes the path %s', async (path) => {
		await run(request({ path }));
		expect(gateway.requests.map(({ path: asked }) => asked)).toEqual([path]);
	});

	it('keeps the path of the base URL in front', async () => {
		const behindProxy = await startSimulator({ basePath: '/gateway' });
		await runOperation(engine, behindProxy, request({ path: '/v1/groups' }));
		expect(behindProxy.requests).toHaveLength(1);
		await behindProxy.stop();
	});

	it.each([
		['={{ { to: "5511987654321", text: $json.text } }}', 'an object'],
		['={ "to": "5511987654321", "text": "{{ $json.text }}" }', 'text'],
	])('takes the body %s', async (body) => {
		const { error } = await runOperation(engine, gateway, {
			...request({ method: 'POST', path: '/v1/messages/send-text', options: { body } }),
			items: [{ text: 'Hello' }],
		});
		expect(error).toBeUndefined();
		expect(sentBodies()).toEqual([{ to: '5511987654321', text: 'Hello' }]);
	});

	it.each([
		['[]', 'text'],
		['={{ [] }}', 'an array'],
	])('sends the empty body %s', async (body) => {
		await run(request({ method: 'POST', path: '/v1/anything', options: { body } }));
		expect(gateway.requests.map(({ rawBody }) => rawBody)).toEqual(['[]']);
	});

	it('sends every parameter of the query, also those of one name', async () => {
		const parameters = [
			{ name: 'type', value: 'image' },
			{ name: 'limit', value: '={{ 5 }}' },
			{ name: 'type', value: 'a&b=c ç' },
			{ name: 'empty', value: '' },
		];
		await run(request({ path: '/v1/anything', query: { parameters } }));
		expect(gateway.requests.map(({ query }) => query)).toEqual([
			{ type: ['image', 'a&b=c ç'], limit: '5', empty: '' },
		]);
	});

	it.each(['={{ { a: 1 } }}', '={{ ["a", "b"] }}'])(
		'refuses %s as a value of the query',
		async (value) => {
			const query = { parameters: [{ name: 'type', value }] };
			expectRefusal(await run(request({ path: '/v1/anything', query })), /type.* must be text/);
		},
	);

	it.each([
		['nothing', { status: 204 as const, kind: 'empty' as const }, [{ status: 204 }]],
		['a list', { status: 200, body: { data: [{ id: 1 }, 'two'] } }, [{ id: 1 }, { value: 'two' }]],
		['an empty list', { status: 200, body: { data: [] } }, []],
		['nothing in the wrapper', { status: 207, body: { data: null } }, [{ status: 207 }]],
		['no', { status: 200, body: { data: false } }, [{ value: false }]],
		['nothing in a list', { status: 200, body: { data: [null] } }, [{ value: null }]],
		['one value', { status: 200, body: { data: 7 } }, [{ value: 7 }]],
		['an object without a wrapper', { status: 201, body: { id: 'x' } }, [{ id: 'x' }]],
	])('puts out %s', async (_what, fault, output) => {
		gateway.faults.add({ fault });
		const { items } = await run(request({ path: '/v1/anything' }));
		expect(items.map(({ json }) => json)).toEqual(output);
	});
});
