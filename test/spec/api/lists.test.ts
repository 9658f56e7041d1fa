import type { INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { openLists } from '../../support/asking';
import { gateway } from '../../support/stage';

async function listInstances(changes?: Record<string, string>): Promise<INodePropertyOptions[]> {
	const { context, loadOptions } = openLists('messagingGatewayTrigger', changes);
	return await loadOptions.getInstances.call(context);
}

async function listGroups(
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { context, listSearch } = openLists('messagingGateway');
	return await listSearch.searchGroups.call(context, filter, paginationToken);
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
			message: expect.stringMatching(/^The gateway’s list shows no IDs.*expression/),
			description: expect.stringMatching(/GET \/v1\/instances.*"id" or "instanceId"/),
		});
	});

	it.each([
		[401, 'The gateway does not accept the account token: renew it in the credential'],
		[403, 'The account token is not allowed to list this: check which token the credential holds'],
		[
			404,
			'Nothing at /v1/instances: set Instances Path in the account credential, or use an expression',
		],
		[502, 'The network did not answer'],
	])('that cannot be loaded (%i) say first what it is, and in short', async (status, message) => {
		gateway.faults.add({ fault: { status } });
		await expect(listInstances()).rejects.toMatchObject({
			// Of a NodeApiError the editor shows "[object Object]" beside this field.
			name: 'NodeOperationError',
			message,
			description: expect.stringContaining(`HTTP ${status} from GET /v1/instances`),
		});
	});

	it('may be none', async () => {
		answerWith([]);
		expect(await listInstances()).toEqual([]);
	});
});

describe('groups', () => {
	it('that are not there point to the base URL, which is all that can be wrong', async () => {
		gateway.faults.add({ fault: { status: 404 } });
		await expect(listGroups()).rejects.toMatchObject({
			message: 'Nothing at /v1/groups: check the base URL in the credential',
		});
	});

	it('are never listed by the instance that they belong to', async () => {
		answerWith([{ instanceId: 'inst_1', name: 'Family' }]);
		await expect(listGroups()).rejects.toMatchObject({
			message: expect.stringContaining('shows no IDs'),
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

describe('a long list', () => {
	const answerWithGroups = (count: number) =>
		answerWith([...Array(count).keys()].map((index) => ({ id: `${index}@g.us` })));

	it.each([
		[0, [0]],
		[1, [1]],
		[100, [100]],
		[101, [100, 1]],
		[250, [100, 100, 50]],
	])('of %i comes in pages, each entry once', async (count, pages) => {
		answerWithGroups(count);
		const found: string[][] = [];
		let next: string | undefined;
		do {
			const page = await listGroups(undefined, next);
			found.push(page.results.map(({ value }) => String(value)));
			next = page.paginationToken as string | undefined;
		} while (next !== undefined && found.length <= pages.length);
		expect(found.map(({ length }) => length)).toEqual(pages);
		expect(new Set(found.flat()).size).toBe(count);
	});

	it('is searched as a whole, and what is found comes in pages too', async () => {
		answerWithGroups(1_111);
		const first = await listGroups('1@g');
		expect(first.results).toHaveLength(100);
		const second = await listGroups('1@g', first.paginationToken as string);
		expect(second).toMatchObject({ paginationToken: undefined });
		expect(second.results).toHaveLength(11);
	});

	it('has as many entries as the editor bears, and no more', async () => {
		answerWithGroups(10_001);
		const { context, loadOptions } = openLists('messagingGateway');
		expect(await loadOptions.getGroups.call(context)).toHaveLength(10_000);
	});
});

describe('a list that somebody types into', () => {
	it.each([
		['', ['ÁGUA', 'Família', 'football']],
		['  ', ['ÁGUA', 'Família', 'football']],
		[' FAMILIA ', ['Família']],
		['fó', ['football']],
		['agua', ['ÁGUA']],
		[' 3@g.us ', ['football']],
		['3@g', []],
	])('by %j finds %j, in the order of the names', async (filter, names) => {
		answerWith([
			{ id: '3@g.us', name: 'football' },
			{ id: '2@g.us', name: 'Família' },
			{ id: '1@g.us', name: 'ÁGUA' },
		]);
		expect((await listGroups(filter)).results.map(({ name }) => name)).toEqual(names);
	});

	it('leaves out what cannot be the ID of anything', async () => {
		const ids = ['a'.repeat(500), 'a'.repeat(501), '=1', 'x{{ 1 }}', 7];
		answerWith(ids.map((id) => ({ id, name: 'Group' })));
		const { results } = await listGroups();
		expect(results.map(({ value }) => value)).toEqual(['a'.repeat(500), '7']);
	});

	const groups = [
		{ id: '1@g.us', name: 'Family' },
		{ id: '2@g.us', name: 'Football' },
	];

	it('is fetched once for all keys, also while it is still being fetched', async () => {
		answerWith(groups);
		const [all, some] = await Promise.all([listGroups(), listGroups('f')]);
		const one = await listGroups('foot');
		expect([all, some, one].map(({ results }) => results.length)).toEqual([2, 2, 1]);
		expect(gateway.requests).toHaveLength(1);
	});

	it('is never taken for that of another token', async () => {
		answerWith(groups);
		await listGroups();
		gateway.replaceTokens();
		await listGroups();
		expect(gateway.requests).toHaveLength(2);
	});

	it('is never taken for that of another path', async () => {
		await listInstances();
		await listInstances({ instancesPath: '/v1/numbers' }).catch(() => undefined);
		expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/instances', '/v1/numbers']);
	});

	it('is fetched again where it could not be', async () => {
		gateway.faults.add({ fault: { status: 502 } });
		await expect(listGroups()).rejects.toThrow('The network did not answer');
		answerWith(groups);
		expect((await listGroups()).results).toHaveLength(2);
	});

	it('is another for groups and for communities', async () => {
		const { context, listSearch } = openLists('messagingGateway');
		await listGroups();
		await listSearch.searchCommunities.call(context);
		expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/groups', '/v1/communities']);
	});
});
