import { randomUUID } from 'node:crypto';
import { HookContext } from 'n8n-core';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import {
	startOddGateway,
	type OddGateway,
	type Oddity,
	type OddRecord,
} from '../../../simulator/oddGateway';
import { loadEngine, type BuiltWorkflow, type Engine } from '../../support/engine';

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
