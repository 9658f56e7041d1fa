import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { startReceiver } from '../../../simulator/receiver';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ statusDelaysMs: { sent: 1, delivered: 2, read: 3 } });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset({ webhooks: true }));

const control = async (method: string, path: string, body?: unknown) => {
	const answer = await fetch(`${simulator.pageUrl}/simulator/${path}`, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	return {
		status: answer.status,
		body: answer.status === 204 ? undefined : ((await answer.json()) as Record<string, unknown>),
	};
};
const send = async () =>
	await callGateway(simulator, 'POST', '/v1/messages/send-text', {
		body: { to: '5511900000001', text: 'x' },
		token: simulator.instanceToken,
	});

describe('another process', () => {
	it('makes a webhook by hand, writes, waits, and sees what was delivered', async () => {
		const receiver = await startReceiver();
		const { body: webhook } = await control('POST', 'webhooks', {
			url: receiver.url,
			events: ['MESSAGE.RECEIVED'],
		});
		expect(webhook).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
		const { body: event } = await control('POST', 'write', {
			text: 'Oi',
			phone: '+55 21 90000-0002',
		});
		await control('POST', 'drained');
		expect(receiver.received.map((delivery) => delivery.event)).toEqual([event]);
		expect((await control('GET', 'deliveries')).body).toMatchObject([
			{ status: 200, attempt: 1, webhookId: webhook?.id },
		]);
		expect((await control('DELETE', `webhooks/${String(webhook?.id)}`)).status).toBe(204);
		await control('POST', 'emit', { type: 'MESSAGE.RECEIVED', data: {} });
		await control('POST', 'drained');
		expect(receiver.received).toHaveLength(1);
		await receiver.stop();
	});

	it('writes as the owner of the number', async () => {
		const buttons = [{ id: 'yes', text: 'Yes' }];
		const own = { text: 'I take over', phone: '5511900000001', buttons };
		expect(await control('POST', 'write-as-owner', own)).toMatchObject({
			status: 200,
			body: { fromMe: true, byHand: true, text: 'I take over', messageType: 'INTERACTIVE' },
		});
		expect((await control('GET', 'sends')).body).toEqual([]);
		expect((await control('POST', 'write-as-owner', { phone: '5511900000001' })).status).toBe(400);
	});

	it('plans faults and reads the recordings', async () => {
		await control('POST', 'faults', { match: { text: 'x' }, times: 2, fault: { status: 403 } });
		const { body: second } = await control('POST', 'faults', { fault: 'cutAfter' });
		expect((await send()).status).toBe(403);
		expect((await control('GET', 'faults')).body).toMatchObject([
			{ hits: 1, timesLeft: 1 },
			{ hits: 0 },
		]);
		expect((await control('DELETE', `faults/${String(second?.id)}`)).status).toBe(204);
		expect((await control('DELETE', `faults/${String(second?.id)}`)).status).toBe(404);
		await control('DELETE', 'faults');
		expect((await send()).status).toBe(202);
		expect((await control('GET', 'requests')).body).toMatchObject([
			{ status: 403, fault: 'status' },
			{ status: 202, accepted: true },
		]);
		expect((await control('GET', 'sends')).body).toMatchObject([{ text: 'x' }]);
		expect((await control('POST', 'reset', { webhooks: true })).status).toBe(204);
		expect((await control('GET', 'requests')).body).toEqual([]);
	});

	it('turns trouble on and off, and changes the connection', async () => {
		expect((await control('PUT', 'delivery', { duplicate: 2, forge: true })).body).toMatchObject({
			duplicate: 2,
			forge: true,
			pause: false,
		});
		expect((await control('GET', 'delivery')).body).toMatchObject({ duplicate: 2 });
		await control('POST', 'connection', { status: 'BANNED', reason: 'spam', expiresIn: 5 });
		expect((await control('POST', 'pairing', { status: 'GENERATED' })).status).toBe(409);
		const { body } = await control('GET', 'state');
		expect(body).toMatchObject({
			instance: { connection: 'BANNED', ban: { reason: 'spam', expiresIn: 5 } },
			mode: { forge: true },
		});
		expect((await control('GET', 'info')).body).toMatchObject({
			accountToken: simulator.accountToken,
		});
	});

	it('is told what it got wrong', async () => {
		expect((await control('POST', 'write', { test: 'x' })).status).toBe(400);
		expect((await control('POST', 'faults', { fault: 'explode' })).status).toBe(400);
	});

	it('hears of changes as they happen', async () => {
		const hangUp = new AbortController();
		const stream = await fetch(`${simulator.pageUrl}/simulator/live`, { signal: hangUp.signal });
		let heard = '';
		const listening = stream.body
			?.pipeThrough(new TextDecoderStream())
			.pipeTo(new WritableStream({ write: (chunk) => void (heard += chunk) }));
		simulator.write('live');
		const told = /event: message\ndata: \{.*"text":"live".*\}\n\n/;
		await waitFor('the message to be told', () => told.test(heard));
		hangUp.abort();
		await expect(listening).rejects.toThrow();
	});
});

it('keeps tokens, webhooks, chats and settings from one start to the next', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
	const options = { dataFile: join(folder, 'deep', 'data.json'), demoMessages: true };
	const first = await startSimulator(options);
	const webhook = first.createWebhook({ url: 'http://127.0.0.1:1/', events: ['QRCODE.UPDATED'] });
	first.write('remember me');
	first.setConnection('DISCONNECTED');
	const chats = first.chats();
	await first.stop();

	const second = await startSimulator(options);
	expect([second.accountToken, second.instanceToken, second.instanceId]).toEqual([
		first.accountToken,
		first.instanceToken,
		first.instanceId,
	]);
	expect(second.webhooks()).toEqual([webhook]);
	expect(second.chats()).toEqual(JSON.parse(JSON.stringify(chats)));
	const send = { body: { to: '5511900000001', text: 'x' }, token: second.instanceToken };
	expect((await callGateway(second, 'POST', '/v1/messages/send-text', send)).status).toBe(502);
	await second.stop();
	await rm(folder, { recursive: true });
});
