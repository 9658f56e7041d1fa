import { randomUUID } from 'node:crypto';
import { HookContext } from 'n8n-core';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import {
	startOddGateway,
	type OddGateway,
	type Oddity,
	type OddRecord,
} from '../../../simulator/oddGateway';
import { loadEngine, type BuiltWorkflow, type Engine } from '../../engine/engine';

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

describe('a gateway that lists its webhooks', () => {
	it.each<[string, Array<keyof OddRecord>]>([
		['without their events', ['events']],
		['without their URLs', ['url']],
		['with nothing but their IDs', ['events', 'url', 'enabled']],
	])('%s: nothing is wrong with what it does not say', async (_what, left) => {
		const withoutThem = (record: OddRecord) =>
			Object.fromEntries(
				Object.entries(record).filter(([field]) => !left.includes(field as keyof OddRecord)),
			);
		await start({ list: (records) => ({ body: { data: records.map(withoutThem) } }) });
		const workflow = build();
		await publish(workflow);
		const [{ id }] = gateway.records;
		const atStart = { activation: 'init' as const };
		expect(await engine.hook('checkExists', workflow, atStart)).toBe(true);
		await publish(workflow);
		expect(gateway.records.map((record) => record.id)).toEqual([id]);
		expect(warnings()).not.toMatch(/other events|another URL/);

		await publish(build(workflow.staticData, { events: ['MESSAGE.SENT'] }));
		expect(gateway.records.map(({ events }) => events)).toEqual([['MESSAGE.SENT']]);
	});
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
	const NEXT = '/v1/webhooks?page=2';
	type List = NonNullable<Oddity['list']>;

	/** How a gateway may say that its first page is not all: where it goes on, or how much there is. */
	const signs: Array<[what: string, sign: (total: number) => object]> = [
		['a link in next', () => ({ next: `https://gateway.example.com${NEXT}` })],
		['a link to another host', () => ({ next: 'https://other.example.com/v1/webhooks' })],
		['a path in links, as HAL has it', () => ({ _links: { next: { href: NEXT } } })],
		['the number of the next page', () => ({ meta: { next_page: 2 } })],
		['a cursor in next', () => ({ paging: { next: '2' } })],
		['a cursor', () => ({ nextCursor: 'abc' })],
		['a cursor, and that there is more', () => ({ cursor: 'abc', has_more: true })],
		['the number of pages', () => ({ pagination: { page: 1, total_pages: 3 } })],
		['the total alone', (total) => ({ total })],
		['the total and the offset', (total) => ({ total, offset: 0, limit: SIZE })],
		['whether there is more', () => ({ page: 1, hasMore: true })],
	];
	const styles: Array<[what: string, list: List]> = [
		...signs.flatMap(([what, sign]): Array<[string, List]> => [
			[
				what,
				(records) => ({
					body: {
						data: records.slice(0, SIZE),
						...(records.length > SIZE && sign(records.length)),
					},
				}),
			],
			[
				`${what}, beside the list in data`,
				(records) => ({
					body: {
						data: {
							webhooks: records.slice(0, SIZE),
							...(records.length > SIZE && sign(records.length)),
						},
					},
				}),
			],
		]),
		[
			'a link in a header',
			(records) => ({
				body: { data: records.slice(0, SIZE) },
				...(records.length > SIZE && {
					headers: { link: `</v1/webhooks>; rel="first", <${NEXT}>; rel="next"` },
				}),
			}),
		],
	];

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

	it.each(styles)(
		'with %s: says so, makes never more than one, and does not make it anew',
		async (_what, list) => {
			await start({ list });
			addForeign(5);
			expect(await countWhileChanging()).toEqual([1, 1, 1, 0]);
			expect(warnings()).toMatch(/lists its webhooks in pages.*only the first 2\./);

			const workflow = build();
			await publish(workflow);
			const [{ id }] = ours();
			await publish(workflow);
			expect(ours().map((record) => record.id)).toEqual([id]);
			const listings = gateway.requests.filter((request) => request.startsWith('GET '));
			expect(new Set(listings)).toEqual(new Set(['GET /v1/webhooks']));
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
		expect(warnings()).not.toContain('unencrypted');
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
