import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { makeNumbers, startSimulator, type Simulator } from '../../../simulator';
import { loadEngine, outputOf, type Engine, type RunOptions } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';
import type { ToldCall } from '../../support/testAgents';

// One credential that holds many numbers, and the option that chooses one of them for each item.

let engine: Engine;
let gateway: Simulator;

beforeAll(async () => {
	engine = await loadEngine();
	gateway = await startSimulator({ furtherNumbers: makeNumbers(49) });
});

afterEach(() => {
	gateway.reset({ webhooks: true });
	gateway.replaceTokens();
});

afterAll(async () => {
	await gateway.stop();
});

const ANY = '={{ $json.instanceId }}';
const PERSON = '5511987654321';

const sendText = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'sendText',
	to: { __rl: true, mode: 'id', value: '={{ $json.to }}' },
	text: '={{ $json.text }}',
	options,
});

const secondNumber = () => gateway.furtherNumbers[0].instanceId;
const thirdNumber = () => gateway.furtherNumbers[1].instanceId;

/** What each accepted message says, and the number that sent it. */
const sent = () => gateway.acceptedSends().map(({ text, instanceId }) => [text, instanceId]);

type Run = Partial<Omit<RunOptions, 'nodes'>> & {
	parameters?: INodeParameters;
	settings?: object;
	credential?: Record<string, string>;
};

async function send({ parameters, settings, credential, ...run }: Run) {
	const result = await engine.run({
		nodes: [
			{
				type: 'messagingGateway',
				name: 'Send',
				waitBetweenTries: 1,
				parameters: parameters ?? sendText({ instanceId: ANY }),
				...settings,
			},
		],
		credentials: credentialsOf(gateway, credential),
		...run,
	});
	const record = result.data.resultData.runData.Send?.at(-1);
	return { result, record, items: outputOf(result, 'Send'), hints: record?.hints ?? [] };
}

const item = (instanceId?: string, text = 'Hello', to = PERSON) => ({ instanceId, text, to });

/** All that n8n keeps of a run, as text. */
const keptOf = (value: unknown) => {
	const seen = new WeakSet<object>();
	return JSON.stringify(value, (_key, inner: unknown) => {
		if (typeof inner !== 'object' || inner === null) return inner;
		if (seen.has(inner)) return '(again)';
		seen.add(inner);
		return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
	});
};

const cores = () =>
	[gateway, ...gateway.furtherNumbers].map(({ instanceToken }) =>
		instanceToken.slice('svc_inst_'.length),
	);

describe('the chosen number', () => {
	it('sends what is sent', async () => {
		await send({ items: [item(secondNumber(), 'a'), item(gateway.instanceId, 'b')] });
		expect(sent()).toEqual([
			['a', secondNumber()],
			['b', gateway.instanceId],
		]);
	});

	it.each([undefined, '', ' ', null])(
		'is the first one where the option gives %j',
		async (given) => {
			await send({ items: [{ ...item(), instanceId: given } as IDataObject] });
			expect(sent()).toEqual([['Hello', gateway.instanceId]]);
		},
	);

	it('is found by an ID that was pasted with blanks or a line break around it', async () => {
		await send({ items: [item(` ${secondNumber()} `, 'a'), item(`${thirdNumber()}\n`, 'b')] });
		expect(sent()).toEqual([
			['a', secondNumber()],
			['b', thirdNumber()],
		]);
	});

	it('is the first one without the option, as before', async () => {
		const { hints } = await send({
			parameters: sendText(),
			items: [{ text: 'Hello', to: PERSON }],
		});
		expect(sent()).toEqual([['Hello', gateway.instanceId]]);
		expect(hints).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['shows typing', { resource: 'message', operation: 'sendPresence', to: PERSON }],
		['archives', { resource: 'chat', operation: 'archive', to: PERSON }],
		['lists its groups', { resource: 'group', operation: 'getAll' }],
		['tells its settings', { resource: 'instance', operation: 'getSettings' }],
		['changes its profile', { resource: 'profile', operation: 'updateStatus', status: 'Open' }],
		['calls any path', { resource: 'api', operation: 'request', path: '/v1/groups' }],
	])('%s', async (_what, parameters) => {
		await send({ parameters: { ...parameters, options: { instanceId: secondNumber() } } });
		expect(gateway.requests.map(({ instanceId, status }) => [instanceId, status])).toEqual([
			[secondNumber(), 200],
		]);
	});

	it('shows typing for its own message', async () => {
		const options = { instanceId: ANY, typingSeconds: 0.01 };
		await send({ parameters: sendText(options), items: [item(secondNumber())] });
		expect(gateway.requests.map(({ path, instanceId }) => [path, instanceId])).toEqual([
			['/v1/messages/presence', secondNumber()],
			['/v1/messages/send-text', secondNumber()],
		]);
	});

	it('asks from the chosen number', async () => {
		const ask = { resource: 'message', operation: 'sendAndWait', to: PERSON, message: 'When?' };
		await send({ parameters: { ...ask, options: { instanceId: secondNumber() } } });
		expect(sent()).toEqual([['When?', secondNumber()]]);
	});

	it('reads and writes its own settings', async () => {
		const options = { instanceId: secondNumber() };
		await send({
			parameters: {
				resource: 'instance',
				operation: 'updateSettings',
				settings: { rejectCall: true },
				options,
			},
		});
		expect(new Set(gateway.requests.map(({ instanceId }) => instanceId))).toEqual(
			new Set([secondNumber()]),
		);
	});
});

describe('a number that the credential does not know', () => {
	it('is refused before anything is sent, for its item alone, naming it and the credential', async () => {
		const { items } = await send({
			items: [item(secondNumber(), 'a'), item('inst_nobody', 'b'), item(thirdNumber(), 'c')],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(sent().map(([text]) => text)).toEqual(['a', 'c']);
		expect(gateway.requests).toHaveLength(2);
		expect(items[1].json.error).toEqual({
			message:
				'The credential "messagingGatewayInstanceApi" does not know the number "inst_nobody"',
			description: expect.stringMatching(/^Nothing was sent for this item\. Add a line/),
			outcome: 'rejected',
			status: '',
			itemIndex: 1,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('is refused where the credential has one number alone, as that of before', async () => {
		const { record } = await send({ items: [item('inst_1')], credential: { furtherNumbers: '' } });
		expect(record?.error?.message).toMatch(/does not know the number "inst_1"/);
		expect(gateway.requests).toEqual([]);
	});

	it('is not tried again by Retry On Fail', async () => {
		await send({ items: [item('inst_1')], settings: { retryOnFail: true, maxTries: 3 } });
		expect(gateway.requests).toEqual([]);
	});
});

it.each([
	['Send Text', sendText()],
	['Send Text from a number', sendText({ instanceId: ANY })],
	['a list', { resource: 'group', operation: 'getAll' }],
])('a line that cannot be read is refused, never quoted: %s', async (_what, parameters) => {
	const furtherNumbers = `${gateway.numberLines}\ninst_x svc_inst_typed_wrongly here`;
	const { result, record } = await send({
		parameters,
		items: [item(secondNumber())],
		credential: { furtherNumbers },
	});
	expect(record?.error?.message).toBe(
		'In Further Numbers, line 51 cannot be read. A line holds an instance ID and its token, e.g. inst_1, svc_inst_…',
	);
	expect(keptOf(result)).not.toContain('typed_wrongly');
	expect(gateway.requests).toEqual([]);
});

describe('everything that goes by token goes by the chosen one', () => {
	it('a pause that the gateway wants of one number', async () => {
		gateway.faults.add({
			match: { text: 'a' },
			fault: { status: 429, headers: { 'retry-after': '3600' } },
		});
		const { items } = await send({
			items: [
				item(secondNumber(), 'a'),
				item(secondNumber(), 'b'),
				item(thirdNumber(), 'c'),
				item(undefined, 'd'),
			],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(sent().map(([text]) => text)).toEqual(['c', 'd']);
		expect((items[1].json.error as IDataObject).message).toMatch(/asked for a pause of/);
	});

	it('Messages Per Minute', async () => {
		const options = { instanceId: ANY, messagesPerMinute: 60, concurrency: 5 };
		const numbers = [secondNumber(), thirdNumber(), undefined, secondNumber()];
		await send({
			parameters: sendText(options),
			items: numbers.map((number, index) => item(number, `m${index}`, `55119876543${index}0`)),
		});
		const at = new Map(gateway.acceptedSends().map(({ text, at: time }) => [text, time]));
		const [m0, m1, m2, m3] = ['m0', 'm1', 'm2', 'm3'].map((text) => at.get(text) ?? 0);
		expect(Math.max(m0, m1, m2) - Math.min(m0, m1, m2)).toBeLessThan(900);
		expect(m3 - m0).toBeGreaterThan(950);
	});

	it('the order for one recipient, also where the first number has no token', async () => {
		gateway.faults.add({ match: { text: 'm0' }, fault: { kind: 'slow', delayMs: 200 } });
		const items = [...Array(5).keys()].map((index) => item(secondNumber(), `m${index}`));
		await send({
			parameters: sendText({ instanceId: ANY, concurrency: 5 }),
			items,
			credential: { instanceToken: 'none' },
		});
		expect(sent().map(([text]) => text)).toEqual(items.map(({ text }) => text));
	});

	it('the order for one recipient: of one number in order, of several at once', async () => {
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 50 } });
		const numbers = [secondNumber(), thirdNumber(), undefined, gateway.instanceId];
		await send({
			parameters: sendText({ instanceId: ANY, concurrency: 20 }),
			items: [...Array(16).keys()].map((index) => item(numbers[index % 4], `m${index}`)),
		});
		const byNumber = new Map<string, typeof gateway.requests>();
		for (const request of gateway.requests) {
			const { instanceId = '' } = request;
			byNumber.set(instanceId, [...(byNumber.get(instanceId) ?? []), request]);
		}
		// The first number, chosen and not chosen, is one.
		expect(byNumber.size).toBe(3);
		for (const requests of byNumber.values())
			requests.reduce((one, next) => {
				expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
				const numberIn = ({ body }: typeof one) =>
					Number(String((body as IDataObject).text).slice(1));
				expect(numberIn(next)).toBeGreaterThan(numberIn(one));
				return next;
			});
		const [one, other] = [secondNumber(), thirdNumber()].map((id) => byNumber.get(id)![0]);
		expect(other.startedAt).toBeLessThan(one.finishedAt);
	});

	it('what Retry On Fail sends again', async () => {
		gateway.faults.add({
			match: { text: 'b' },
			fault: { status: 429, headers: { 'retry-after': '0' } },
		});
		await send({
			items: [item(secondNumber(), 'a'), item(thirdNumber(), 'b'), item(undefined, 'c')],
			settings: { retryOnFail: true, maxTries: 2, onError: 'continueRegularOutput' },
		});
		expect(gateway.requests.map(({ body }) => (body as IDataObject).text)).toEqual([
			'a',
			'b',
			'c',
			'b',
		]);
		expect(new Map(sent() as Array<[string, string]>)).toEqual(
			new Map([
				['a', secondNumber()],
				['b', thirdNumber()],
				['c', gateway.instanceId],
			]),
		);
	});
});

describe('four hundred messages from fifty numbers, twenty at once', () => {
	it('each goes out by its own token, in order, and none by another one', async () => {
		const ids = [gateway.instanceId, ...gateway.furtherNumbers.map(({ instanceId }) => instanceId)];
		// Three tokens that the gateway does not accept, and IDs that nobody knows.
		const lines = gateway.numberLines.split('\n');
		for (const at of [10, 20, 30]) lines[at] = `${ids[at]}, svc_inst_${'0'.repeat(39)}${at}`;
		let seed = 7;
		const draw = (below: number) => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed % below;
		};
		const items = [...Array(400).keys()].map((index) => {
			const number = draw(53);
			const id = number < 50 ? ids[number] : `inst_unknown_${number}`;
			return { instanceId: id, text: `m${index}`, to: `551198765001${draw(4)}` };
		});
		// The first take so long that all twenty places are taken; of the others some, so that others would overtake them.
		for (const [index, { text }] of items.entries())
			if (index < 60 || index % 7 === 0)
				gateway.faults.add({
					match: { text },
					fault: { kind: 'slow', delayMs: index < 60 ? 1_000 : 100 },
				});
		const { result, items: put } = await send({
			parameters: sendText({ instanceId: ANY, concurrency: 20 }),
			items,
			settings: { onError: 'continueRegularOutput' },
			credential: { furtherNumbers: lines.join('\n') },
		});
		const failing = new Set([ids[10], ids[20], ids[30]]);
		const accepted = new Map(gateway.acceptedSends().map((each) => [each.text, each]));
		for (const [index, { instanceId, text }] of items.entries()) {
			const isKnown = ids.includes(instanceId);
			const error = put[index].json.error as IDataObject | undefined;
			if (isKnown && !failing.has(instanceId)) {
				expect(accepted.get(text)?.instanceId).toBe(instanceId);
				expect(error).toBeUndefined();
			} else {
				expect(accepted.has(text)).toBe(false);
				expect(error?.outcome).toBe('rejected');
				expect(error?.status).toBe(isKnown ? '401' : '');
			}
			expect(put[index].pairedItem).toEqual({ item: index });
		}
		const unknown = items.filter(({ instanceId }) => !ids.includes(instanceId));
		expect(unknown.length).toBeGreaterThan(10);
		expect(gateway.requests).toHaveLength(items.length - unknown.length);
		const underWay = gateway.requests.map(
			({ startedAt }) =>
				gateway.requests.filter(
					(other) => other.startedAt <= startedAt && other.finishedAt > startedAt,
				).length,
		);
		expect(Math.max(...underWay)).toBeGreaterThan(1);
		expect(Math.max(...underWay)).toBeLessThanOrEqual(20);
		const latest = new Map<string, number>();
		for (const { instanceId, to, text } of gateway.acceptedSends()) {
			const lane = `${instanceId} ${to}`;
			expect(Number(text.slice(1))).toBeGreaterThan(latest.get(lane) ?? -1);
			latest.set(lane, Number(text.slice(1)));
		}
		const kept = keptOf(result);
		for (const core of [...cores(), `${'0'.repeat(39)}10`]) expect(kept).not.toContain(core);
	});
});

describe('tokens', () => {
	it('of all numbers are hidden in what a gateway says, whichever number asks', async () => {
		const told = [gateway, ...gateway.furtherNumbers].map(({ instanceToken }) => instanceToken);
		const body = {
			data: told.map((token, index) => ({ id: index, token, bare: token.slice(9), [token]: 1 })),
		};
		gateway.faults.add({ fault: { status: 200, body }, times: 1 });
		gateway.faults.add({ fault: { status: 403, body: { error: told.join(' or ') } }, times: 1 });
		const parameters = { resource: 'api', operation: 'request', path: '/v1/any' };
		for (const options of [{ instanceId: secondNumber() }, {}]) {
			const { result } = await send({ parameters: { ...parameters, options } });
			const kept = keptOf(result);
			for (const core of cores()) expect(kept).not.toContain(core);
		}
		expect(gateway.requests).toHaveLength(2);
	});

	it('are not quoted where one was taken for an ID', async () => {
		const [{ instanceToken }] = gateway.furtherNumbers;
		const { record } = await send({ items: [item(instanceToken)] });
		expect(record?.error?.message).toMatch(/does not know the number "svc_inst_…"/);
	});
});

describe('a hint that the number was forgotten', () => {
	const FORGOTTEN = expect.stringMatching(/^The node used the number of Instance Token/);
	const plain = { text: 'Hello', to: PERSON };

	it('comes once where the items are events, and the option is left empty', async () => {
		const items = [item(secondNumber()), item(thirdNumber())];
		const { hints } = await send({ parameters: sendText(), items });
		expect(hints).toEqual([{ message: FORGOTTEN, location: 'outputPane' }]);
	});

	it('comes where the expression of the option gives nothing', async () => {
		const { hints } = await send({ items: [plain] });
		expect(hints.map(({ message }) => message)).toEqual([FORGOTTEN]);
	});

	it('comes behind our trigger, whatever became of the event on the way', async () => {
		const run = await engine.run({
			nodes: [
				{ type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger', name: 'Trigger' },
				{ type: 'test.pass', name: 'Between' },
				{ type: 'messagingGateway', name: 'Send', parameters: sendText() },
			],
			start: 'Between',
			items: [plain],
			credentials: credentialsOf(gateway),
		});
		const [{ hints }] = run.data.resultData.runData.Send;
		expect(hints?.map(({ message }) => message)).toEqual([FORGOTTEN]);
	});

	it.each<[string, Run]>([
		['where the number is chosen', { items: [item('second')] }],
		['where nothing comes of an event', { parameters: sendText(), items: [plain] }],
		[
			'where the credential has one number alone',
			{ parameters: sendText(), items: [item('inst_1')], credential: { furtherNumbers: '' } },
		],
	])('does not come %s', async (_where, run) => {
		for (const each of run.items ?? [])
			if (each.instanceId === 'second') each.instanceId = secondNumber();
		const { hints } = await send(run);
		expect(sent()).toHaveLength(1);
		expect(hints).toEqual([]);
	});
});

describe.each([
	['an agent that calls its tools itself', 'test.callingAgent'],
	['an agent that lets n8n run its tools', 'test.askingAgent'],
] as const)('%s', (_which, type) => {
	/** A model that writes an instance ID beside what it is asked for. */
	async function call(instanceId: string | undefined, item_: IDataObject = {}): Promise<string> {
		const run = await engine.run({
			nodes: [
				{ type: 'test.pass', name: 'Event' },
				{
					type,
					name: 'Agent',
					parameters: {
						calls: JSON.stringify([
							{ Text: 'Hello', instanceId: thirdNumber(), Number: thirdNumber() },
						]),
					},
				},
				{
					type: 'messagingGatewayTool',
					name: 'Send',
					parameters: {
						...sendText(instanceId === undefined ? {} : { instanceId }),
						to: { __rl: true, mode: 'id', value: PERSON },
						text: `={{ $fromAI('Text', '', 'string') }}`,
					},
				},
			],
			connections: {
				Event: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Send: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
			items: [item_],
			credentials: credentialsOf(gateway),
		});
		const [{ json }] = outputOf(run, 'Agent');
		return (json as unknown as ToldCall).answers.join('\n');
	}

	it('does not choose the number by itself', async () => {
		await call(undefined);
		expect(sent()).toEqual([['Hello', gateway.instanceId]]);
	});

	it('sends from the number that the person has named', async () => {
		await call(secondNumber());
		expect(sent()).toEqual([['Hello', secondNumber()]]);
	});

	it('sends from the number of the event', async () => {
		await call(`={{ $('Event').first().json.instanceId }}`, { instanceId: secondNumber() });
		expect(sent()).toEqual([['Hello', secondNumber()]]);
	});

	it('sends nothing where the expression would read what the model has written', async () => {
		const told = await call(ANY, { instanceId: secondNumber() });
		expect(gateway.requests).toEqual([]);
		expect(told).toMatch(/would let the model choose the number/);
	});

	it('chooses the number where the person lets it', async () => {
		await call(`={{ $fromAI('Number', '', 'string') }}`);
		expect(sent()).toEqual([['Hello', thirdNumber()]]);
	});
});
