import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { deliver, post } from '../../../oracle/catalogue';
import { engine, gateway } from '../../stage';
import type { WebhookReceiver } from '../../webhookReceiver';

// A process that has never checked the webhook: it knows what n8n's static data holds, and nothing else.

const SECONDS = 1_000;
const MINUTES = 60_000;
const URL = 'https://n8n.example.com/webhook/hook/webhook';
const open: WebhookReceiver[] = [];
let passedMs = 0;

beforeEach(() => {
	// In its first minute n8n may be about to switch the trigger on here.
	passedMs = 61 * SECONDS;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + passedMs);
});

afterEach(async () => {
	jest.restoreAllMocks();
	for (const receiver of open.splice(0)) await receiver.stop();
});

async function listen(record: IDataObject): Promise<WebhookReceiver> {
	const receiver = await engine.receive({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: randomUUID() }],
		credentials: {
			messagingGatewayAccountApi: { baseUrl: gateway.url, accountToken: gateway.accountToken },
		},
		staticData: {},
	});
	receiver.built.staticData['node:Trigger'] = record;
	open.push(receiver);
	return receiver;
}

async function deliverTo({ url }: WebhookReceiver, secret: string): Promise<number> {
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	return (await post(url, deliver(kit))).status;
}

function makeRecord(): { webhookId: string; secret: string } {
	const { id, secret } = gateway.createWebhook({ url: URL, events: ['MESSAGE.RECEIVED'] });
	return { webhookId: id, secret };
}

it('takes what fits, and asks the gateway for nothing', async () => {
	const record = makeRecord();
	const receiver = await listen(record);
	gateway.faults.add({ times: 'always', fault: { status: 502 } });
	const all = [deliverTo(receiver, record.secret), deliverTo(receiver, record.secret)];
	expect(await Promise.all(all)).toEqual([200, 200]);
	passedMs += 60 * MINUTES;
	expect(await deliverTo(receiver, record.secret)).toBe(200);
	expect(gateway.requests).toEqual([]);
	await receiver.runs();
	expect(receiver.executions).toHaveLength(3);
});

it('goes by what static data holds, when that names another webhook', async () => {
	const record = makeRecord();
	const receiver = await listen(record);
	expect(await deliverTo(receiver, record.secret)).toBe(200);
	const next = makeRecord();
	receiver.built.staticData['node:Trigger'] = next;
	expect(await deliverTo(receiver, record.secret)).toBe(401);
	expect(await deliverTo(receiver, next.secret)).toBe(200);
});

it('is not made to ask by what does not fit', async () => {
	const receiver = await listen(makeRecord());
	expect(await deliverTo(receiver, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toBe(401);
	expect(gateway.requests).toEqual([]);
});
