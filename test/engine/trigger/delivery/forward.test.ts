import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeParameterValueType } from 'n8n-workflow';
import { findFreePort } from '../../../../host/ports';
import { startSimulator, type Simulator } from '../../../../simulator';
import { makeEvent, post } from '../../receiving';
import { engine, gateway } from '../../stage';
import type { WebhookReceiver } from '../../webhookReceiver';

// Which triggers forward a message to a parked question. Where the question should be, nobody answers: so whoever forwards
// asks the gateway to repeat the message, and whoever does not takes it.

const FORWARDED = 503;
const TAKEN = 200;
const ANA = '5511987654321';
const SECRET = `whsec_${Buffer.alloc(32, 'typed').toString('base64')}`;

let port: number;
let stranger: Simulator;
const open: WebhookReceiver[] = [];

beforeAll(async () => {
	port = await findFreePort();
	stranger = await startSimulator();
});

afterEach(async () => {
	stranger.reset({ webhooks: true });
	stranger.replaceTokens();
	for (const receiver of open.splice(0)) {
		await receiver.runs();
		await receiver.stop();
	}
});

afterAll(async () => await stranger.stop());

/** A parked question to Ana, in the list of a gateway. */
function park(
	of = gateway,
	execution = 7,
	asked = ANA,
	at = port,
	events = ['QRCODE.UPDATED'],
): void {
	const until = Date.now() + 3_600_000;
	of.createWebhook({
		url: `http://127.0.0.1:${at}/webhook-waiting/${execution}/node?asked=${asked}&until=${until}&signature=x`,
		events,
	});
}

async function publish(
	parameters: Record<string, NodeParameterValueType> = {},
	of = gateway,
	at = port,
	known = at,
): Promise<{ url: string; secret: string }> {
	const receiver = await engine.receive(
		{
			id: randomUUID(),
			nodes: [
				{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: randomUUID(), parameters },
			],
			credentials: {
				messagingGatewayAccountApi: {
					baseUrl: of.url,
					accountToken: of.accountToken,
					webhookSecret: SECRET,
				},
			},
			staticData: {},
		},
		{ port: at },
	);
	open.push(receiver);
	// Where the gateway knows it, if that is not where it listens.
	if (known !== at)
		Object.assign(receiver.built.additionalData, {
			webhookBaseUrl: `http://127.0.0.1:${known}/webhook`,
		});
	if (!(await engine.hook('checkExists', receiver.built)))
		await engine.hook('create', receiver.built);
	const { url } = receiver;
	const { pathname } = new URL(url);
	const secret = of.webhooks().find((each) => each.url.endsWith(pathname))?.secret ?? SECRET;
	return { url, secret };
}

const deliverTo = async ({ url, secret }: { url: string; secret: string }, event = makeEvent()) =>
	await post(url, event, secret);

const changes = () => gateway.requests.filter(({ method }) => method === 'PATCH').length;

it('a trigger of the account that makes its own webhook does', async () => {
	park();
	expect(await deliverTo(await publish())).toBe(FORWARDED);
	expect(changes()).toBe(1);
});

it.each([
	['cannot be used', { maxPerExecution: 0 }],
	['fails', { senders: "={{ $('Gone').first().json.phone }}" }],
])('also where the value of another option %s', async (_how, options) => {
	park();
	const trigger = await publish();
	// What nobody can publish, an expression can give later.
	open[0].built.node().parameters.options = options;
	expect(await deliverTo(trigger)).toBe(FORWARDED);
	expect(changes()).toBe(1);
});

it('also while n8n shuts down, since the next process knows the question: the message is to come again', async () => {
	park();
	const trigger = await publish();
	const running = await engine.trigger(open[0].built);
	await running.close();
	expect(await deliverTo(trigger)).toBe(FORWARDED);
	expect(changes()).toBe(0);
});

it('but for what nobody has asked, and for other events', async () => {
	park(gateway, 7, '5521999999999');
	const trigger = await publish();
	expect(await deliverTo(trigger)).toBe(TAKEN);
	expect(await deliverTo(trigger, makeEvent({ type: 'MESSAGE.SENT' }))).toBe(TAKEN);
});

it('one that is being unpublished does not: its parked questions get their messages themselves again', async () => {
	park(gateway, 7, '5521999999999');
	const trigger = await publish();
	const [{ id }] = gateway.webhooks();
	let list = (): void => {};
	const listed = new Promise<void>((resolve) => (list = resolve));
	const asked = new Promise<void>((resolve) => {
		gateway.faults.add({
			match: { method: 'GET' },
			fault: {
				kind: 'slow',
				until: async () => {
					resolve();
					await listed;
				},
			},
		});
	});
	const ending = engine.hook('delete', open[0].built);
	await asked;
	expect(await deliverTo(trigger)).toBe(TAKEN);
	list();
	await ending;
	const events = expect.arrayContaining(['MESSAGE.RECEIVED']) as string[];
	expect(gateway.webhooks()).toMatchObject([{ id, events }]);
});

describe('with a question parked', () => {
	// Somebody else of the account has noted it in this process.
	beforeEach(async () => {
		park();
		await publish();
	});

	it('one whose secret a person has typed does not', async () => {
		const typed = await publish({ webhookSetup: 'manual' }, gateway, 0);
		expect(await deliverTo(typed)).toBe(TAKEN);
		expect(changes()).toBe(0);
	});

	it('one that is subscribed to other events does not', async () => {
		const other = await publish({ events: ['CONNECTION.UPDATED'] }, gateway, 0);
		expect(await deliverTo(other)).toBe(TAKEN);
		expect(changes()).toBe(0);
	});

	it('one of another account does not, whatever its gateway lists', async () => {
		const [{ id, url }] = gateway.webhooks();
		const listed = stranger.createWebhook({ url, events: ['QRCODE.UPDATED'] });
		Object.assign(
			stranger.webhooks().find((webhook) => webhook.id === listed.id)!,
			{ id },
		);
		const other = await publish({}, stranger, 0);
		expect(await deliverTo(other)).toBe(TAKEN);
		expect(changes()).toBe(0);
	});

	it('another account’s list of made-up questions makes no trigger of this one take an answer', async () => {
		for (let index = 0; index < 1_000; index++) park(stranger, index, '5521999999999');
		for (let times = 0; times < 12; times++) {
			for (const [index, webhook] of stranger.webhooks().entries())
				webhook.id = `wh_${times}_${index}`;
			const receiver = await engine.receive(
				{
					id: randomUUID(),
					nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: randomUUID() }],
					credentials: {
						messagingGatewayAccountApi: {
							baseUrl: stranger.url,
							accountToken: stranger.accountToken,
						},
					},
					staticData: {},
				},
				// Beside the other one: what n8n registers is at its one address.
				{},
			);
			open.push(receiver);
			Object.assign(receiver.built.additionalData, {
				webhookBaseUrl: `http://127.0.0.1:${port}/webhook`,
			});
			if (!(await engine.hook('checkExists', receiver.built)))
				await engine.hook('create', receiver.built);
		}
		const [{ url }] = open;
		const { secret } = gateway.webhooks().find((webhook) => webhook.url === url)!;
		expect(await deliverTo({ url, secret })).toBe(FORWARDED);
	}, 60_000);
});

it('no message is taken where the gateway lists more parked questions than can be kept', async () => {
	for (let index = 0; index <= 1_000; index++) park(gateway, index, '5521999999999');
	const trigger = await publish();
	expect(await deliverTo(trigger)).toBe(503);
});

it('a large message is not copied for each question that may be meant', async () => {
	const questions = 40;
	let [requests, bytes] = [0, 0];
	const n8n = createServer((request, response) => {
		if (request.url?.startsWith('/webhook-waiting/')) requests++;
		request.on('data', (chunk: Buffer) => (bytes += chunk.length));
		request.on('end', () => response.writeHead(503).end());
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	const { port: of } = n8n.address() as AddressInfo;
	for (let execution = 0; execution < questions; execution++) park(gateway, execution, ANA, of);
	const trigger = await publish({}, gateway, 0, of);
	bytes = 0;
	const text = 'x'.repeat(300_000);
	const { data, ...event } = makeEvent();
	expect(await deliverTo(trigger, { ...event, data: { ...(data as object), text } })).toBe(503);
	n8n.close();
	expect(requests).toBe(questions);
	expect(bytes).toBeLessThan(text.length);
});

describe('with Ignore Answers, a question that the gateway delivers to', () => {
	const parameters = { options: { ignoreAnswers: true } };
	let told: number;
	let status: number;
	let n8n: Server;
	let of: number;

	beforeEach(async () => {
		told = 0;
		n8n = createServer((request, response) => {
			if (request.url?.startsWith('/webhook-waiting/')) told++;
			request.resume().on('end', () => response.writeHead(status).end());
		}).listen(0, '127.0.0.1');
		await once(n8n, 'listening');
		of = (n8n.address() as AddressInfo).port;
		park(gateway, 7, ANA, of, ['MESSAGE.RECEIVED']);
	});

	afterEach(() => void n8n.close());

	it.each([
		['holds the trigger’s delivery back while it has not decided', 503, FORWARDED],
		['lets what is not its answer start the workflow', 200, TAKEN],
	])('%s', async (_what, its, expected) => {
		status = 503;
		const trigger = await publish(parameters, gateway, 0, of);
		[told, status] = [0, its];
		expect(await deliverTo(trigger)).toBe(expected);
		expect(told).toBe(1);
		expect(changes()).toBe(0);
	});

	it('is told no more once it could not be reached: it gets its messages itself', async () => {
		status = 503;
		const trigger = await publish(parameters, gateway, 0, of);
		[told, status] = [0, 404];
		for (const id of ['evt_1', 'evt_2'])
			expect(await deliverTo(trigger, makeEvent({ id }))).toBe(TAKEN);
		expect(told).toBe(1);
	});

	it('is told nothing by a trigger without that option', async () => {
		status = 503;
		const trigger = await publish({}, gateway, 0, of);
		told = 0;
		expect(await deliverTo(trigger)).toBe(TAKEN);
		expect(told).toBe(0);
	});
});

it('a message that its question defers is deferred as long as the gateway repeats it', async () => {
	const n8n = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	const { port: of } = n8n.address() as AddressInfo;
	park(gateway, 7, ANA, of);
	const trigger = await publish({}, gateway, 0, of);
	const event = makeEvent();
	expect(await deliverTo(trigger, event)).toBe(503);
	const now = Date.now() + 3 * 60_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	const status = await deliverTo(trigger, event);
	clock.mockRestore();
	n8n.close();
	expect(status).toBe(503);
});
