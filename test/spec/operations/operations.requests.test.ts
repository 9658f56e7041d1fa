import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../../lab/simulator';
import {
	askingCalls,
	describeRequest,
	documentedCalls,
	to,
	webhookCalls,
	type DocumentedCall,
} from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { compare, previewsOf, readPreview, type Preview } from '../../support/previews';
import { runOperation } from '../../support/runOperation';

const nameOf = ({ resource, operation, title }: DocumentedCall) =>
	[`${resource}.${operation}`, title] as const;

const previews = previewsOf('v1.0.0');
const previewOf = ({ resource, operation }: DocumentedCall) => join(resource, `${operation}.json`);

async function expectDocumented(call: DocumentedCall): Promise<void> {
	const { items, hints, error } = await runOperation(engine, gateway, call);

	expect(error).toBeUndefined();
	expect(gateway.requests.map(describeRequest)).toEqual(call.requests);
	expect(items.map(({ json }) => json)).toEqual(call.output);
	for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
	expect(hints.map(({ message }) => message)).toEqual(
		call.hint === undefined ? [] : [expect.stringMatching(call.hint)],
	);
	// The API does not show what every operation puts out.
	const file = join(previews, previewOf(call));
	const preview: Partial<Preview> = existsSync(file) ? readPreview(file) : {};
	const names = Object.keys(preview.properties ?? {});
	for (const { json } of items) {
		expect(compare(json, preview, 'output', call.operation === 'getAll')).toEqual([]);
		expect(Object.keys(json)).toEqual(expect.arrayContaining(names));
	}
}

describe('each operation makes the documented requests and puts out the answer', () => {
	it.each(documentedCalls.map((call) => [...nameOf(call), call] as const))(
		'%s: %s',
		async (_name, _title, call) => {
			await expectDocumented(call);
		},
	);

	it.each(askingCalls.map((call) => [...nameOf(call), call] as const))(
		'%s: %s',
		async (_name, _title, call) => {
			const { run, error } = await runOperation(engine, gateway, call);
			expect([error, run.status]).toEqual([undefined, 'waiting']);
			expect(gateway.requests.map(describeRequest)).toEqual(call.requests);
		},
	);

	it.each(webhookCalls('any').map((call, index) => [...nameOf(call), index, call] as const))(
		'%s: %s',
		async (_name, _title, index, { operation }) => {
			const { id } = gateway.createWebhook({
				url: 'https://example.com/receiver',
				events: ['MESSAGE.SENT'],
			});
			await expectDocumented(webhookCalls(id)[index]);
			expect(gateway.webhooks()).toHaveLength(operation === 'delete' ? 0 : 1);
		},
	);
});

it.each(
	[...documentedCalls, ...askingCalls]
		.filter(({ resource }) => resource !== 'account')
		.map((call) => [...nameOf(call), call] as const),
)('%s uses the number chosen: %s', async (_name, _title, { resource, operation, parameters }) => {
	const options = { ...(parameters?.options as object), instanceId: 'inst_2' };
	const furtherNumbers = `inst_2 ${gateway.instanceToken}`;
	const { error } = await runOperation(engine, gateway, {
		resource,
		operation,
		parameters: { ...parameters, options },
		credential: { instanceToken: 'svc_inst_another', furtherNumbers },
	});
	expect(error).toBeUndefined();
});

it('sends a bearer token, and JSON only with a body', async () => {
	await runOperation(engine, gateway, documentedCalls[0]);
	await runOperation(engine, gateway, { resource: 'group', operation: 'getAll' });

	const [post, get] = gateway.requests.map(({ headers }) => headers);
	const authorization = `Bearer ${gateway.instanceToken}`;
	const accept = expect.stringMatching(/^application\/json/);
	expect(post).toMatchObject({ authorization, accept, 'content-type': 'application/json' });
	expect(get).toMatchObject({ authorization, accept });
	expect(get).not.toHaveProperty('content-type');
	expect(get['content-length'] ?? '0').toBe('0');
});

describe('an answer', () => {
	const other = async (
		options: Parameters<typeof startSimulator>[0],
		work: (gateway: Simulator) => Promise<void>,
	) => {
		const simulator = await startSimulator(options);
		try {
			await work(simulator);
		} finally {
			await simulator.stop();
		}
	};

	it('of a send and of settings may lack the wrapper, and a list may be inside an object', async () => {
		await other(
			{ wrapSendAnswer: false, wrapSettingsAnswer: false, nestLists: true },
			async (simulator) => {
				const [sendText] = documentedCalls;
				expect((await runOperation(engine, simulator, sendText)).items[0].json).toEqual({
					messageId: expect.any(String),
				});
				const settings = {
					resource: 'instance',
					operation: 'updateSettings',
					parameters: { settings: { rejectCall: true } },
				};
				expect((await runOperation(engine, simulator, settings)).items[0].json).toMatchObject({
					rejectCall: true,
					readMessages: false,
				});
				expect(
					(await runOperation(engine, simulator, { resource: 'group', operation: 'getAll' })).items,
				).toHaveLength(6);
			},
		);
	});

	it('comes for the paths and the fields of the credential', async () => {
		const credential = {
			webhooksPath: ' v1/hooks/ ',
			instancesPath: '/v1/numbers/',
			presenceField: 'state',
			pollParameter: 'id',
		};
		const paths = { webhooksPath: '/v1/hooks', instancesPath: '/v1/numbers' };
		await other({ ...credential, ...paths }, async (simulator) => {
			const recipient = { to: to('phone', '5511900000001') };
			for (const [resource, operation, parameters] of [
				['webhook', 'getAll', {}],
				['account', 'getInstances', {}],
				['message', 'sendPresence', recipient],
				['message', 'getPollResults', { messageId: 'POLL0000000000000001' }],
				['message', 'sendText', { ...recipient, text: 'x', options: { typingSeconds: 0.01 } }],
			] as const) {
				const call = { resource, operation, parameters, credential };
				expect((await runOperation(engine, simulator, call)).error).toBeUndefined();
			}
			const [hooks, numbers, shown, counted, typing] = simulator.requests;
			expect([hooks.path, numbers.path]).toEqual(Object.values(paths));
			for (const { body } of [shown, typing]) expect(body).toMatchObject({ state: 'COMPOSING' });
			expect(counted.query).toEqual({ id: 'POLL0000000000000001' });
		});
	});

	it.each([
		['webhook', 'delete', { webhookId: 'wh_1' }],
		['instance', 'updateSettings', { settings: { rejectCall: true } }],
	])('may be empty for %s → %s', async (resource, operation, parameters) => {
		for (const method of ['DELETE', 'POST'])
			gateway.faults.add({ match: { method }, fault: { kind: 'empty', status: 204 } });
		const { error, items } = await runOperation(engine, gateway, {
			resource,
			operation,
			parameters: parameters as never,
		});
		expect([error, items.length]).toEqual([undefined, 1]);
	});

	it.each([
		[{}, 50],
		[{ limit: 51 }, 51],
		[{ returnAll: true }, 60],
	])('of a list of 60 has, with %j, %i items', async (parameters, count) => {
		const data = Array.from({ length: 60 }, (_element, id) => ({ id }));
		gateway.faults.add({ fault: { status: 200, body: { data } } });
		const call = { resource: 'group', operation: 'getAll', parameters: parameters as never };
		expect((await runOperation(engine, gateway, call)).items).toHaveLength(count);
	});
});
