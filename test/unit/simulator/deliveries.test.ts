import { createHmac } from 'node:crypto';
import { EVENT_TYPES, startSimulator, type Simulator } from '../../../simulator';
import { startReceiver, type Received, type Receiver } from '../../../simulator/receiver';

// Cases from the API document: Webhook delivery signing, Delivery.

let simulator: Simulator;
let receiver: Receiver;

beforeAll(async () => {
	simulator = await startSimulator({ retryDelaysMs: [5, 5, 1100] });
});
afterAll(async () => await simulator.stop());
beforeEach(async () => {
	simulator.reset({ webhooks: true });
	receiver = await startReceiver();
	simulator.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
});
afterEach(async () => await receiver.stop());

const events = () => receiver.received.map(({ event }) => event);

/** The rules of the document, retyped: what the delivery must be signed with. */
function expectedSignature({ headers, rawBody }: Received, secret: string): string {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const signed = createHmac('sha256', key).update(
		`${headers['webhook-id']}.${headers['webhook-timestamp']}.`,
	);
	return `v1,${signed.update(rawBody).digest('base64')}`;
}

describe('a delivery', () => {
	it('is signed over id, time and raw body with the secret of its webhook', async () => {
		simulator.write('Olá — tudo bem? 🥖');
		await simulator.drained();
		const [delivery] = receiver.received;
		const [{ secret }] = simulator.webhooks();
		expect(delivery.headers['webhook-signature']).toBe(expectedSignature(delivery, secret));
		expect(delivery.headers['webhook-id']).toBe(delivery.event.id);
		expect(delivery.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
		expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24);
	});

	it.each([-600, 600])('carries the time of a clock that is %i seconds ahead', async (ahead) => {
		simulator.setClock(ahead);
		simulator.write('Hello');
		await simulator.drained();
		const [delivery] = receiver.received;
		const list = await fetch(`${simulator.url}/v1/webhooks`, {
			headers: { authorization: `Bearer ${simulator.accountToken}` },
		});
		const expected = Date.now() + ahead * 1000;
		for (const time of [
			Number(delivery.headers['webhook-timestamp']) * 1000,
			Date.parse(delivery.event.timestamp),
			Date.parse(list.headers.get('date') ?? ''),
		]) {
			expect(Math.abs(time - expected)).toBeLessThan(30_000);
		}
		expect(delivery.headers['webhook-signature']).toBe(
			expectedSignature(delivery, simulator.webhooks()[0].secret),
		);
	});

	it('is repeated with the same id and body and a new time until a 2xx', async () => {
		receiver.answerWith((_, response, count) =>
			response.writeHead(count < 4 ? [500, 301, 401][count - 1] : 204).end(),
		);
		simulator.write('again');
		await simulator.drained();
		const { received } = receiver;
		expect(received).toHaveLength(4);
		expect(new Set(received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
		expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
		// The last wait is longer than a second.
		expect(Number(received[3].headers['webhook-timestamp'])).toBeGreaterThan(
			Number(received[0].headers['webhook-timestamp']),
		);
		expect(received[3].headers['webhook-signature']).toBe(
			expectedSignature(received[3], simulator.webhooks()[0].secret),
		);
		expect(
			simulator.deliveries.map(({ attempt, status, givenUp }) => [attempt, status, givenUp]),
		).toEqual([
			[1, 500, false],
			[2, 301, false],
			[3, 401, false],
			[4, 204, false],
		]);
	});

	it('is repeated when no answer comes in time or the connection breaks, and given up in the end', async () => {
		const impatient = await startSimulator({ retryDelaysMs: [5], deliveryTimeoutMs: 200 });
		impatient.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
		receiver.answerWith(() => {});
		impatient.write('not answered');
		await impatient.drained();
		await impatient.stop();
		expect(impatient.deliveries).toMatchObject([
			{ status: null, error: expect.stringMatching(/200 ms/), givenUp: false },
			{ status: null, error: expect.stringMatching(/200 ms/), givenUp: true },
		]);

		receiver.answerWith((_, response) => response.destroy());
		simulator.write('cut');
		await simulator.drained();
		expect(simulator.deliveries).toMatchObject(
			[false, false, false, true].map((givenUp) => ({
				status: null,
				error: 'ECONNRESET',
				givenUp,
			})),
		);
	});

	it('reaches every webhook of its type, each with its own secret, also two on one URL', async () => {
		simulator.createWebhook({ url: receiver.url, events: ['MESSAGE.RECEIVED'] });
		simulator.createWebhook({ url: receiver.url, events: ['QRCODE.UPDATED'] });
		simulator.write('twice');
		await simulator.drained();
		const expected = simulator
			.webhooks()
			.slice(0, 2)
			.map(({ secret }) => expectedSignature(receiver.received[0], secret));
		expect(receiver.received.map(({ headers }) => headers['webhook-signature']).sort()).toEqual(
			expected.sort(),
		);
	});

	it('stops with its webhook', async () => {
		receiver.answerWith((_, response) => {
			simulator.deleteWebhook(simulator.webhooks()[0].id);
			response.writeHead(500).end();
		});
		simulator.write('gone');
		await simulator.drained();
		expect(receiver.received).toHaveLength(1);
	});

	it('is not repeated after a reset, also if the answer comes only then', async () => {
		receiver.answerWith((_, response) => {
			simulator.reset();
			response.writeHead(500).end();
		});
		simulator.write('of before');
		await simulator.drained();
		expect(receiver.received).toHaveLength(1);
	});

	it('can be signed by hand, for text and for bytes that are no text', () => {
		const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
		for (const rawBody of [Buffer.from('{"a":1}'), Buffer.from([0x7b, 0xff, 0x7d])]) {
			const headers = simulator.sign(rawBody, secret, { id: 'evt_1', timestamp: 1_700_000_000 });
			expect(headers['webhook-timestamp']).toBe('1700000000');
			const delivery = { headers, rawBody } as unknown as Received;
			expect(headers['webhook-signature']).toBe(expectedSignature(delivery, secret));
		}
		expect(simulator.sign('{}', secret, { id: 'a', timestamp: 1 })).toEqual(
			simulator.sign(Buffer.from('{}'), secret, { id: 'a', timestamp: 1 }),
		);
	});
});

describe('delivery trouble', () => {
	it('repeats every event at once', async () => {
		simulator.setDelivery({ duplicate: 3 });
		simulator.write('three');
		await simulator.drained();
		expect(receiver.received).toHaveLength(3);
		expect(new Set(events().map(({ id }) => id)).size).toBe(1);
	});

	it('forges signatures until it is told to stop', async () => {
		receiver.answerWith((_, response, count) => {
			simulator.setDelivery({ forge: false });
			response.writeHead(count === 1 ? 401 : 200).end();
		});
		simulator.setDelivery({ forge: true });
		simulator.write('forged');
		await simulator.drained();
		const [{ secret }] = simulator.webhooks();
		const isGenuine = receiver.received.map(
			(delivery) => delivery.headers['webhook-signature'] === expectedSignature(delivery, secret),
		);
		expect(isGenuine).toEqual([false, true]);
		expect(simulator.deliveries.map(({ forged }) => forged)).toEqual([true, false]);
	});

	it('delivers out of order', async () => {
		simulator.setDelivery({ shuffle: true });
		const written = ['1', '2', '3', '4', '5'].map((text) => simulator.write(text).id);
		await simulator.drained();
		expect(simulator.deliveries.map(({ eventId }) => eventId)).toEqual(written.reverse());
	});

	describe('by the clock', () => {
		beforeEach(() => {
			jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
		});
		afterEach(() => jest.useRealTimers());

		it('delivers late', async () => {
			simulator.setDelivery({ delayMs: 80 });
			const event = simulator.write('late');
			jest.advanceTimersByTime(79);
			expect(simulator.deliveries).toEqual([]);
			jest.advanceTimersByTime(1);
			expect(simulator.deliveries).toHaveLength(1);
			await simulator.drained();
			expect(events()).toEqual([event]);
		});

		it('delivers nothing while it pauses', async () => {
			simulator.setDelivery({ delayMs: 80, pause: true });
			const event = simulator.write('held');
			jest.advanceTimersByTime(60_000);
			expect(simulator.deliveries).toEqual([]);
			simulator.setDelivery({ pause: false });
			await simulator.drained();
			expect(events()).toEqual([event]);
		});
	});
});
