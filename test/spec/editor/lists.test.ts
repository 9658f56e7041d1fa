import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';

/** What the editor asks for when somebody opens a list of a node. */
function openLists(
	type: 'messagingGateway' | 'messagingGatewayTrigger',
	changes: Record<string, string> = {},
) {
	const { workflow, additionalData, node } = engine.build({
		nodes: [{ type }],
		credentials: credentialsOf(gateway, changes),
	});
	const { loadOptions = {}, listSearch = {} } = engine.nodeType(type).methods ?? {};
	return {
		context: new LoadOptionsContext(workflow, node(), additionalData, 'parameters.list'),
		loadOptions,
		listSearch,
	};
}

async function listInstances(changes?: Record<string, string>) {
	const { context, loadOptions } = openLists('messagingGatewayTrigger', changes);
	return await loadOptions.getInstances.call(context);
}

async function listGroups(filter?: string, options: IDataObject = {}) {
	const furtherNumbers = 'inst_2, svc_inst_second';
	const { context, listSearch } = openLists('messagingGateway', { furtherNumbers });
	context.getCurrentNodeParameters = () => ({ options: options as never });
	return (await listSearch.searchGroups.call(context, filter)).results;
}

const answerWith = (data: unknown) =>
	gateway.faults.add({ fault: { status: 200, body: { data } }, times: 'always' });

it.each([
	['id', [{ id: 'inst_1', name: 'Shop' }]],
	['instanceId, as in events', [{ instanceId: 'inst_1', name: 'Shop' }]],
	['both, of which id wins', [{ id: 'inst_1', instanceId: 'account_1', name: 'Shop' }]],
])('lists instances by %s', async (_field, data) => {
	answerWith(data);
	expect(await listInstances()).toEqual([{ name: 'Shop', value: 'inst_1' }]);
});

it.each([
	['', ['Família', 'football', 'Garden']],
	[' FAM ', ['Família']],
	['oo', ['football']],
	[' 3@g.us ', ['football']],
	['3@g', []],
])('finds for %j the groups %j', async (filter, names) => {
	answerWith([
		{ id: '3@g.us', name: 'football' },
		{ id: '1@g.us', name: 'Garden' },
		{ id: '2@g.us', name: 'Família' },
	]);
	expect((await listGroups(filter)).map(({ name }) => name)).toEqual(names);
});

it.each([
	['searchGroups', '/v1/groups'],
	['searchCommunities', '/v1/communities'],
])('reads for %s %s', async (method, path) => {
	const { context, listSearch } = openLists('messagingGateway');
	await listSearch[method].call(context);
	expect(gateway.requests.map((request) => request.path)).toEqual([path]);
});

it('shows names as plain text, and no name as an expression', async () => {
	answerWith([
		{ id: '1@g.us', name: '={{ $env }}' },
		{ id: '2@g.us', name: '<b>Bold</b>\nsvc_inst_0123' },
		{ id: '3@g.us', name: 'x'.repeat(101) },
		{ id: '4@g.us' },
	]);
	const names = (await listGroups()).map(({ name, value }) => [value, name]);
	expect(Object.fromEntries(names)).toEqual({
		'1@g.us': '＝{{ $env }}',
		'2@g.us': '‹b>Bold‹/b> svc_inst_…',
		'3@g.us': `${'x'.repeat(100)}…`,
		'4@g.us': '4@g.us',
	});
});

it('leaves out entries without an ID', async () => {
	answerWith([{ name: 'Nobody' }, { id: 7 }]);
	expect(await listGroups()).toEqual([{ name: '7', value: '7' }]);
});

it.each([
	[401, /^The token is not valid\. HTTP 401 from GET \/v1\/instances\. .*'Account Token'/],
	[404, /^Not found\. HTTP 404 .*'Instances Path'/],
	[502, /^The network did not answer\. HTTP 502 /],
])('tells in the message why nothing is listed: %i', async (status, message) => {
	gateway.faults.add({ fault: { status } });
	await expect(listInstances()).rejects.toMatchObject({
		// The editor shows "[object Object]" for a NodeApiError.
		name: 'NodeOperationError',
		message: expect.stringMatching(message),
	});
});

it('tells in the message what is wrong with the credential or the answer', async () => {
	await expect(listInstances({ accountToken: '' })).rejects.toThrow("'Account Token' needs");
	answerWith('no list');
	await expect(listInstances()).rejects.toThrow(/lacks the result\. HTTP 200 .*'Base URL'/);
});

describe('the number', () => {
	const usedToken = () => gateway.requests[0].headers.authorization;

	it('is the one that the node names', async () => {
		await listGroups('', { instanceId: 'inst_2' }).catch(() => undefined);
		expect(usedToken()).toBe('Bearer svc_inst_second');
	});

	it.each([{}, { instanceId: '' }, { instanceId: '={{ $json.instanceId }}' }])(
		'is that of the credential with the options %j',
		async (options) => {
			await listGroups('', options);
			expect(usedToken()).toBe(`Bearer ${gateway.instanceToken}`);
		},
	);
});
