import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../../lab/simulator';
import { loadEngine, type BuiltWorkflow, type Engine } from '../../../support/engine';
import { credentialsOf } from '../../../support/runOperation';

const PRODUCTION = 'https://n8n.example.com/webhook';

let engine: Engine;
let gateway: Simulator;

beforeAll(async () => {
	engine = await loadEngine();
});

afterEach(async () => {
	await gateway.stop();
});

async function start(options: SimulatorOptions): Promise<void> {
	gateway = await startSimulator(options);
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
			credentials: credentialsOf(gateway),
			staticData,
		},
		{ production: PRODUCTION, test: `${PRODUCTION}-test` },
	);
}

it.each([
	{ how: 'without their events', change: { events: undefined } },
	{ how: 'with their events in another form', change: { events: [{ type: 'MESSAGE.RECEIVED' }] } },
	{ how: 'without their URLs', change: { url: undefined } },
	{
		how: 'with nothing but their IDs',
		change: {
			events: undefined,
			url: undefined,
			enabled: undefined,
		},
	},
])(
	'keeps the webhook of a gateway that lists webhooks $how, until another one is wanted',
	async ({ change }) => {
		const others = [{}, { id: '' }];
		await start({
			listWebhooks: (records) => ({
				data: [...records.map((record) => ({ ...record, ...change })), ...others],
			}),
		});
		const workflow = build();
		await engine.publish(workflow);
		const [{ id }] = gateway.webhooks();
		await engine.publish(workflow, { activation: 'init' });
		expect(gateway.webhooks().map((record) => record.id)).toEqual([id]);

		await engine.publish(build(workflow.staticData, { events: ['MESSAGE.SENT'] }));
		expect(gateway.webhooks().map(({ events }) => events)).toEqual([['MESSAGE.SENT']]);
	},
);

describe('a gateway that writes a webhook otherwise than it was asked for', () => {
	const empty = [{ data: null }, { data: {} }, {}].map((body): [string, SimulatorOptions] => [
		`lists no webhook as ${JSON.stringify(body)}`,
		{ listWebhooks: (records) => (records.length > 0 ? { data: records } : body) },
	]);
	const writings: Array<[string, SimulatorOptions['storeWebhook']]> = [
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
	];
	it.each([...empty, ...writings.map(([how, storeWebhook]) => [how, { storeWebhook }] as const)])(
		'%s: its webhook stays, and goes when it is taken back',
		async (_what, options) => {
			await start(options);
			const workflow = build();
			await engine.publish(workflow);
			const [{ id }] = gateway.webhooks();
			await engine.publish(workflow);
			expect(gateway.webhooks().map((record) => record.id)).toEqual([id]);

			await engine.hook('delete', workflow);
			expect(gateway.webhooks()).toEqual([]);
		},
	);

	it.each([
		`${PRODUCTION}/HOOK-1/webhook`,
		`${PRODUCTION}/hook-1/webhook//`,
		`${PRODUCTION}/hook-1/webhook?tenant=2`,
		`http://n8n.example.com/webhook/hook-1/webhook`,
		`https://n8n.example.com:8443/webhook/hook-1/webhook`,
		`https://n8n.example.org/webhook/hook-1/webhook`,
		`https://me@n8n.example.com/webhook/hook-1/webhook`,
		`${PRODUCTION}-test/hook-1/webhook`,
		`${PRODUCTION}//hook-1/webhook`,
		`${PRODUCTION}/hook-1`,
		'n8n.example.com/webhook/hook-1/webhook',
	])('does not lose the webhook of somebody else with %s', async (url) => {
		await start({});
		gateway.createWebhook({ url, events: ['MESSAGE.RECEIVED'] });
		const workflow = build();
		await engine.publish(workflow);
		await engine.hook('delete', workflow);
		expect(gateway.webhooks().map((record) => record.url)).toEqual([url]);
	});
});
