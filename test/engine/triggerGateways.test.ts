import { randomUUID } from 'node:crypto';
import { HookContext } from 'n8n-core';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import {
	startOddGateway,
	type OddGateway,
	type Oddity,
	type OddRecord,
} from '../../simulator/oddGateway';
import { loadEngine, type BuiltWorkflow, type Engine } from './engine';

const PRODUCTION = 'https://n8n.example.com/webhook';

let engine: Engine;
let gateway: OddGateway;
const warn = jest.fn();

beforeAll(async () => {
	engine = await loadEngine();
	const contexts = Object.getPrototypeOf(HookContext.prototype) as HookContext;
	jest.spyOn(contexts, 'logger', 'get').mockReturnValue({ warn } as never);
});

beforeEach(() => warn.mockClear());

afterEach(async () => {
	await gateway.stop();
});

async function start(oddity: Oddity): Promise<void> {
	gateway = await startOddGateway(oddity);
}

function build(
	staticData: IDataObject = {},
	parameters: Record<string, NodeParameterValueType> = {},
): BuiltWorkflow {
	return engine.build(
		{
			nodes: [
				{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook-1', parameters },
			],
			credentials: {
				messagingGatewayAccountApi: { baseUrl: gateway.url, accountToken: gateway.accountToken },
			},
			staticData,
		},
		{ production: PRODUCTION, test: `${PRODUCTION}-test` },
	);
}

async function publish(workflow: BuiltWorkflow): Promise<void> {
	if (!(await engine.hook('checkExists', workflow))) await engine.hook('create', workflow);
}

function addForeign(count: number): void {
	for (let index = 0; index < count; index++) {
		gateway.records.push({
			id: randomUUID(),
			url: `https://somebody.example.com/${index}`,
			events: ['MESSAGE.RECEIVED'],
			enabled: true,
			secret: '',
		});
	}
}

const ours = () => gateway.records.filter(({ url }) => url.includes('/hook-1/'));
const warnings = () => warn.mock.calls.map(([message]: string[]) => message).join('\n');

describe('a gateway whose empty list is', () => {
	it.each([[{ data: null }], [{ data: {} }], [{}], [{ data: { webhooks: null, total: 0 } }]])(
		'%j can be published to, again, and left',
		async (body) => {
			await start({ list: (records) => ({ body: records.length > 0 ? { data: records } : body }) });
			const workflow = build();
			await publish(workflow);
			const [{ id }] = gateway.records;
			await publish(workflow);
			expect(gateway.records.map((record) => record.id)).toEqual([id]);

			await engine.hook('delete', workflow);
			expect(gateway.records).toEqual([]);
		},
	);
});

describe('a gateway that writes a webhook otherwise than it was asked for', () => {
	it.each<[string, NonNullable<Oddity['store']>]>([
		['adds a slash to the URL', ({ url, events }) => ({ url: `${url}/`, events })],
		[
			'writes the host in capitals, with its port',
			({ url, events }) => ({ url: url.replace('n8n.example.com', 'N8N.Example.com:443'), events }),
		],
		['adds events', ({ url, events }) => ({ url, events: [...events, 'SYSTEM.PING'] })],
		[
			'writes events in small letters',
			({ url, events }) => ({ url, events: events.map((event) => event.toLowerCase()) }),
		],
	])('%s: its webhook stays, and goes when it is taken back', async (_what, store) => {
		await start({ store });
		const workflow = build();
		await publish(workflow);
		const [{ id }] = gateway.records;
		await publish(workflow);
		expect(gateway.records.map((record) => record.id)).toEqual([id]);

		await engine.hook('delete', workflow);
		expect(gateway.records).toEqual([]);
	});

	it('still gets a new webhook when the person chooses fewer events', async () => {
		await start({});
		const workflow = build({}, { events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'] });
		await publish(workflow);
		await publish(build(workflow.staticData, { events: ['MESSAGE.SENT'] }));
		expect(gateway.records.map(({ events }) => events)).toEqual([['MESSAGE.SENT']]);
	});

	it.each([
		`${PRODUCTION}/HOOK-1/webhook`,
		`${PRODUCTION}/hook-1/webhook//`,
		`${PRODUCTION}/hook-1/webhook?tenant=2`,
		`http://n8n.example.com/webhook/hook-1/webhook`,
		`https://n8n.example.com:8443/webhook/hook-1/webhook`,
	])('does not lose the webhook of somebody else with %s', async (url) => {
		await start({});
		addForeign(1);
		gateway.records[0].url = url;
		const workflow = build();
		await publish(workflow);
		await engine.hook('delete', workflow);
		expect(gateway.records.map((record) => record.url)).toEqual([url]);
	});
});

describe('a gateway that lists webhooks in pages', () => {
	const SIZE = 2;
	type List = NonNullable<Oddity['list']>;

	/** A part of the list as long as a page, where the cursor, the offset or the page of the query begins. */
	const cut = (records: OddRecord[], query: URLSearchParams) => {
		const page = Number(query.get('page') ?? 1);
		const start = Number(query.get('cursor') ?? query.get('offset') ?? (page - 1) * SIZE);
		const end = start + SIZE;
		const data = records.slice(start, end);
		return { data, page, start, end, isLast: end >= records.length, total: records.length };
	};

	const styles: Array<[what: string, list: List]> = [
		[
			'a link in next',
			(records, query, origin) => {
				const { data, page, isLast } = cut(records, query);
				return { body: { data, next: isLast ? null : `${origin}/v1/webhooks?page=${page + 1}` } };
			},
		],
		[
			'a path in links, as HAL has it',
			(records, query) => {
				const { data: webhooks, end, isLast } = cut(records, query);
				const next = { href: `/v1/webhooks?offset=${end}&limit=${SIZE}` };
				return { body: { data: { webhooks, _links: isLast ? {} : { next } } } };
			},
		],
		[
			'a link in a header',
			(records, query, origin) => {
				const { data, page, isLast } = cut(records, query);
				const link = `<${origin}/v1/webhooks>; rel="first", <?page=${page + 1}>; rel="next"`;
				return { body: { data }, ...(!isLast && { headers: { link } }) };
			},
		],
		[
			'the number of the next page',
			(records, query) => {
				const { data, page, isLast } = cut(records, query);
				return { body: { data, meta: { next_page: isLast ? null : page + 1 } } };
			},
		],
		[
			'a cursor in next',
			(records, query) => {
				const { data, end, isLast } = cut(records, query);
				return { body: { data, paging: { next: isLast ? '' : String(end) } } };
			},
		],
		[
			'a cursor',
			(records, query) => {
				const { data: webhooks, end, isLast } = cut(records, query);
				return { body: { data: { webhooks, ...(!isLast && { nextCursor: String(end) }) } } };
			},
		],
		[
			'a cursor, also on the last page',
			(records, query) => {
				const { data, end, isLast } = cut(records, query);
				return { body: { data, cursor: String(end), has_more: !isLast } };
			},
		],
		[
			'the number of pages',
			(records, query) => {
				const { data, page, total } = cut(records, query);
				return { body: { data, pagination: { page, total_pages: Math.ceil(total / SIZE) } } };
			},
		],
		[
			'the total alone',
			(records, query) => {
				const { data, total } = cut(records, query);
				return { body: { data, total } };
			},
		],
		[
			'the total and the offset',
			(records, query) => {
				const { data: webhooks, total, start } = cut(records, query);
				return { body: { data: { webhooks, total, offset: start, limit: SIZE } } };
			},
		],
		[
			'whether there is more',
			(records, query) => {
				const { data, page, isLast } = cut(records, query);
				return { body: { data, page, hasMore: !isLast } };
			},
		],
	];

	it.each(styles)('with %s: has one webhook of ours, and none in the end', async (_what, list) => {
		await start({ list });
		addForeign(5);
		const workflow = build();
		await publish(workflow);
		const [{ id }] = ours();
		await publish(workflow);
		expect(ours().map((record) => record.id)).toEqual([id]);

		gateway.records.push({ ...ours()[0], id: 'left-over', secret: '' });
		await publish(workflow);
		expect(ours()).toHaveLength(1);
		expect(ours()[0].id).not.toBe('left-over');
		await engine.hook('delete', workflow);
		expect(ours()).toEqual([]);
		expect(gateway.records).toHaveLength(5);
		expect(warnings()).toBe('');
	});

	/** Publishes with ever other events, then takes back: how many webhooks there were after each. */
	async function countWhileChanging(): Promise<number[]> {
		const counts: number[] = [];
		let workflow = build();
		for (const events of [['A'], ['B'], ['C']]) {
			workflow = build(workflow.staticData, { events });
			await publish(workflow);
			counts.push(ours().length);
		}
		await engine.hook('delete', workflow);
		return [...counts, ours().length];
	}

	const cannotFollow: Array<[what: string, list: List]> = [
		[
			'a link to another host',
			(records, query) => ({
				body: {
					data: cut(records, query).data,
					next: 'https://other.example.com/v1/webhooks?page=2',
				},
			}),
		],
		[
			'a link to another path',
			(records, query) => ({
				body: { data: cut(records, query).data, next: '/v1/instances?page=2' },
			}),
		],
		[
			'a total, and the first page whatever is asked for',
			(records) => ({ body: { data: records.slice(0, SIZE), total: records.length } }),
		],
		[
			'a total, and a refusal of what it does not know',
			(records, query) =>
				query.size > 0
					? { status: 400, body: { error: 'Unknown parameter' } }
					: { body: { data: records.slice(0, SIZE), total: records.length } },
		],
	];

	it.each(cannotFollow)(
		'with %s: says so, makes never more than one, and does not make it anew',
		async (_what, list) => {
			await start({ list });
			addForeign(5);
			expect(await countWhileChanging()).toEqual([1, 1, 1, 0]);
			expect(warnings()).toMatch(/lists its webhooks in pages.*only the first 2/);

			const workflow = build();
			await publish(workflow);
			const [{ id }] = ours();
			await publish(workflow);
			expect(ours().map((record) => record.id)).toEqual([id]);
			for (const request of gateway.requests) expect(request).toMatch(/^\w+ \/v1\/webhooks\b/);
		},
	);

	it('and says nothing of it: never has more than one webhook of ours', async () => {
		await start({ list: (records) => ({ body: { data: records.slice(0, SIZE) } }) });
		addForeign(5);
		expect(await countWhileChanging()).toEqual([1, 1, 1, 0]);
		expect(warnings()).toContain('which the gateway did not list');
	});

	it.each([
		[400, 'it is gone', true],
		[502, 'nobody knows', false],
	])(
		'and answers %i to the deletion of what it does not show: %s',
		async (status, _means, ends) => {
			await start({
				list: (records) => ({ body: { data: records.slice(0, SIZE), total: records.length } }),
				remove: () => ({ status, body: { error: 'Not now' } }),
			});
			addForeign(5);
			const workflow = build();
			await publish(workflow);
			const deletion = engine.hook('delete', workflow);
			if (ends) await expect(deletion).resolves.toBe(true);
			else await expect(deletion).rejects.toThrow('Not now');
			expect(workflow.staticData['node:Trigger']).toEqual(
				ends ? {} : expect.objectContaining({ webhookId: ours()[0].id }),
			);
		},
	);

	it('without end: is asked a bounded number of times', async () => {
		let asked = 0;
		await start({
			list: () => {
				asked++;
				return {
					body: { data: [{ id: `no. ${asked}`, url: 'https://x.example.com' }], next: asked + 1 },
				};
			},
		});
		const workflow = build();
		await publish(workflow);
		expect(asked).toBeLessThanOrEqual(50);
		expect(warnings()).toMatch(/only the first 50/);
	});

	it('and fails in between: nothing is made, and the publication says why', async () => {
		await start({
			list: (records, query) =>
				query.size > 0
					? { status: 500, body: { error: 'Out of order' } }
					: { body: { data: records.slice(0, SIZE), total: records.length } },
		});
		addForeign(5);
		await expect(publish(build())).rejects.toThrow('Out of order');
		expect(ours()).toEqual([]);
	});
});

describe('an n8n at', () => {
	/** What publishing says: the gateways of this table do not exist, so it fails at the latest when one is asked. */
	const publishAt = async (production: string, baseUrl: string): Promise<string> => {
		await start({});
		const workflow = engine.build(
			{
				nodes: [{ type: 'messagingGatewayTrigger', webhookId: 'hook-1' }],
				credentials: {
					messagingGatewayAccountApi: { baseUrl, accountToken: gateway.accountToken },
				},
			},
			{ production, test: `${production}-test` },
		);
		return await publish(workflow).then(
			() => '',
			(error: Error) => error.message,
		);
	};

	it.each([
		['http://n8n:5678/webhook', 'http://gateway.invalid:3000'],
		['http://192.168.0.10:5678/webhook', 'http://gateway.invalid'],
		['http://n8n.example.com/webhook', 'http://gateway.invalid'],
	])('%s is within reach of a gateway at %s', async (production, baseUrl) => {
		expect(await publishAt(production, baseUrl)).toMatch(/^The gateway cannot be reached/);
		expect(warnings()).toBe('');
	});

	it('a plain http address on the internet is within reach too, and the log says what that means', async () => {
		const message = await publishAt(
			'http://n8n.example.com:5678/webhook',
			'https://gateway.invalid',
		);
		expect(message).toMatch(/^The gateway cannot be reached/);
		expect(warnings()).toContain('cross the internet unencrypted');
	});
});
