import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { credentialsOf } from './operations';
import { engine, gateway } from './stage';

function open(type: 'messagingGateway' | 'messagingGatewayTrigger') {
	const { workflow, additionalData, node } = engine.build({
		nodes: [{ type }],
		credentials: credentialsOf(gateway),
	});
	const { loadOptions = {}, listSearch = {} } = engine.nodeType(type).methods ?? {};
	return {
		context: new LoadOptionsContext(workflow, node(), additionalData, 'parameters.list'),
		loadOptions,
		listSearch,
	};
}

async function listInstances(): Promise<INodePropertyOptions[]> {
	const { context, loadOptions } = open('messagingGatewayTrigger');
	return await loadOptions.getInstances.call(context);
}

async function listGroups(): Promise<INodeListSearchResult> {
	const { context, listSearch } = open('messagingGateway');
	return await listSearch.searchGroups.call(context);
}

const answerWith = (data: unknown) =>
	gateway.faults.add({ fault: { status: 200, body: { data } }, times: 'always' });

describe('instances', () => {
	it.each([
		['id', [{ id: 'inst_1', name: 'Shop' }]],
		['instanceId, as in events', [{ instanceId: 'inst_1', name: 'Shop' }]],
		['both, of which id is meant', [{ id: 'inst_1', instanceId: 'account_1', name: 'Shop' }]],
	])('are listed by %s', async (_field, data) => {
		answerWith(data);
		expect(await listInstances()).toEqual([{ name: 'Shop', value: 'inst_1' }]);
	});

	it('without a name go by their ID', async () => {
		answerWith([{ instanceId: 'inst_1' }]);
		expect(await listInstances()).toEqual([{ name: 'inst_1', value: 'inst_1' }]);
	});

	it('without any ID say so, and how to go on', async () => {
		answerWith([{ token: 'inst_1' }, { token: 'inst_2' }]);
		await expect(listInstances()).rejects.toMatchObject({
			message: expect.stringMatching(/hold no ID.*expression/),
			description: expect.stringMatching(/GET \/v1\/instances.*"id" or "instanceId"/),
		});
	});

	it('may be none', async () => {
		answerWith([]);
		expect(await listInstances()).toEqual([]);
	});
});

describe('groups', () => {
	it('are never listed by the instance that they belong to', async () => {
		answerWith([{ instanceId: 'inst_1', name: 'Family' }]);
		await expect(listGroups()).rejects.toMatchObject({
			message: expect.stringContaining('hold no ID'),
			description: expect.stringMatching(/GET \/v1\/groups.*"id"/),
		});
	});

	it('without an ID are left out where others have one', async () => {
		answerWith([{ name: 'Nobody' }, { id: '1@g.us', name: 'Family' }]);
		expect(await listGroups()).toMatchObject({ results: [{ name: 'Family', value: '1@g.us' }] });
	});

	it('are listed whatever the gateway calls a success', async () => {
		gateway.faults.add({ fault: { status: 203, body: { data: [{ id: '1@g.us' }] } } });
		expect(await listGroups()).toMatchObject({ results: [{ name: '1@g.us', value: '1@g.us' }] });
	});
});
