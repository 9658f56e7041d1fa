import { createHmac, randomBytes, type Hmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import * as comparison from 'standardwebhooks/dist/timing_safe_equal';
import { whySecretUnfit } from '../../../nodes/MessagingGateway/gateway/secrets';
import { verifyDelivery } from '../../../nodes/MessagingGateway/incoming/signature';
import { deliver, makeEvent, type Delivery, type Kit } from '../../contract/deliveries';

const kit: Kit = {
	secret: `whsec_${randomBytes(32).toString('base64')}`,
	oldSecret: `whsec_${randomBytes(32).toString('base64')}`,
	otherSecret: `whsec_${randomBytes(32).toString('base64')}`,
	now: Math.floor(Date.now() / 1000),
};

const library = new Webhook(kit.secret);

async function judge({ headers, body }: Delivery, secret: string | undefined = kit.secret) {
	const request = { rawHeaders: headers.flat(), readBody: async () => body };
	return await verifyDelivery(request, async () => secret);
}

/** The event that we take a delivery for; undefined if we refuse it. */
async function verifiedByUs(delivery: Delivery, secret = kit.secret) {
	const verdict = await judge(delivery, secret);
	return verdict.kind === 'genuine' ? verdict.event.raw : undefined;
}

async function acceptedByUs(delivery: Delivery): Promise<boolean> {
	return (await verifiedByUs(delivery)) !== undefined;
}

/** The plain reference library, fed with headers as Node joins them. */
function acceptedByLibrary({ headers, body }: Delivery): boolean {
	const joined: Record<string, string> = {};
	for (const [name, value] of headers) {
		const key = name.toLowerCase();
		joined[key] = key in joined ? `${joined[key]}, ${value}` : value;
	}
	try {
		library.verify(body, joined);
		return true;
	} catch {
		return false;
	}
}

beforeEach(() => {
	jest.useFakeTimers({ now: kit.now * 1000, doNotFake: ['nextTick', 'setImmediate'] });
});

afterEach(() => {
	jest.useRealTimers();
});

describe('what is genuine', () => {
	it('is signed as in the known answer of Standard Webhooks', async () => {
		jest.setSystemTime(1_614_265_330_000);
		const headers: Delivery['headers'] = [
			['Webhook-Id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
			['WEBHOOK-TIMESTAMP', '1614265330'],
			['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
		];
		const known = { headers, body: Buffer.from('{"test": 2432232314}') };
		const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

		// Its body is no event, so the hash of the signature is what can be compared.
		const hashed = jest.spyOn(Webhook.prototype, 'verify');
		await judge(known, secret);
		expect(hashed.mock.results[0].value).toEqual({ test: 2_432_232_314 });
		hashed.mockRestore();
		expect(await judge(known)).toEqual({ kind: 'forged' });
	});

	it.each([-300, 300])('may have been signed %i seconds from now', async (seconds) => {
		const timestamp = String(kit.now + seconds);
		expect(await acceptedByUs(deliver(kit, { timestamp }))).toBe(true);
	});

	it.each([-100_000, -301, 301, 100_000])(
		'is forged if it was signed %i seconds from now',
		async (seconds) => {
			const timestamp = String(kit.now + seconds);
			expect(await judge(deliver(kit, { timestamp }))).toEqual({ kind: 'forged' });
		},
	);

	it.each([300, 100_000, 10_000_000])('may have a body of %i bytes', async (size) => {
		const event = makeEvent({ data: { text: 'ã'.repeat(size / 2) } });
		expect(await acceptedByUs(deliver(kit, { event }))).toBe(true);
	});

	it('may have every character of printable ASCII in its id', async () => {
		const printable = Array.from({ length: 95 }, (_, index) => 0x20 + index);
		const event = makeEvent({ id: `a${String.fromCharCode(...printable)}b` });
		expect(await acceptedByUs(deliver(kit, { event }))).toBe(true);
	});

	it('is given back as it was signed, odd keys included, and changes nothing else', async () => {
		const event = makeEvent();
		const body = JSON.stringify(event).replace(
			'"data":{',
			'"data":{"__proto__":{"polluted":true},',
		);
		const { headers } = deliver(kit, { event, body });
		const verified = await verifiedByUs({ headers, body: Buffer.from(body) });

		expect(JSON.stringify(verified)).toBe(body);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});
});

it.each([
	'whsec_',
	'whsec_not base64!',
	'whsec_ab',
	'whsec_****',
	'whsec_YQ==',
	Buffer.alloc(32, 7).toString('base64'),
	`whsec_${Buffer.alloc(23, 7).toString('base64')}`,
])('refuses the secret %s', (secret) => {
	expect(whySecretUnfit(secret)).toBeDefined();
	expect(whySecretUnfit(`whsec_${Buffer.alloc(24, 7).toString('base64')}`)).toBeUndefined();
});

it.each([
	['a malformed signature is not hashed', 'v1,short', 0],
	[
		'wrong signatures is hashed once',
		Array(16)
			.fill(`v1,${'A'.repeat(43)}=`)
			.join(' '),
		1,
	],
])('a large body with %s', async (_what, signature, passes) => {
	const delivery = deliver(kit, { body: Buffer.alloc(1_000_000, 0x20), signature });
	const { prototype: hmac } = createHmac('sha256', 'key').constructor as typeof Hmac;
	const hashed = jest.spyOn(hmac, 'update');
	const read = jest.spyOn(delivery.body, 'toString');
	expect(await acceptedByUs(delivery)).toBe(false);
	const hashes = hashed.mock.calls.filter(([data]) => Object.is(data, delivery.body));
	hashed.mockRestore();
	expect(hashes.length + read.mock.calls.length).toBe(passes);
});

it('compares in constant time: by what the library has for that, over all bytes, whatever is wrong', async () => {
	const compare = jest.spyOn(comparison, 'timingSafeEqual');
	const event = makeEvent();
	expect(await acceptedByUs(deliver(kit, { event }))).toBe(true);
	expect(await acceptedByUs(deliver(kit, { event, secret: kit.otherSecret }))).toBe(false);
	const lengths = compare.mock.calls.map(([one, other]) => [one.byteLength, other.byteLength]);
	expect(lengths).toEqual(Array(2).fill([44, 44]));
	compare.mockRestore();
});

it('agrees with the reference library on 2,500 random deliveries, but for what only we refuse', async () => {
	let accepted = 0;
	const property = fc.asyncProperty(randomDeliveries, async (delivery) => {
		const we = await acceptedByUs(delivery);
		const they = acceptedByLibrary(delivery);
		if (we) accepted++;
		// The library hashes decoded text, in which bytes that are no UTF-8 look like their replacement.
		if (Buffer.from(delivery.body.toString()).equals(delivery.body))
			expect(we).toBe(they && isPlain(delivery));
	});
	await fc.assert(property, { numRuns: 2_500, seed: 20_260_701 });
	expect(accepted).toBeGreaterThan(500);
});

/** Whether each header comes once and is well-formed, and the body is the event. */
function isPlain({ headers, body }: Delivery): boolean {
	const id = valueOf(headers, 'webhook-id');
	const timestamp = valueOf(headers, 'webhook-timestamp');
	const signatures = valueOf(headers, 'webhook-signature');
	return (
		new Set(headers.map(([name]) => name)).size === headers.length &&
		/^[ -~]{1,256}$/.test(id) &&
		/^[1-9]\d{0,11}$/.test(timestamp) &&
		signatures.split(' ').length <= 16 &&
		!signatures.includes('=,') &&
		isEventText(body.toString(), id)
	);
}

function valueOf(headers: Delivery['headers'], wanted: string): string {
	return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

function isEventText(text: string, id: string): boolean {
	try {
		const parsed = JSON.parse(text) as { id?: unknown; type?: unknown } | null;
		return parsed?.id === id && typeof parsed.type === 'string';
	} catch {
		return false;
	}
}

/** Mostly the usual value, and sometimes one of the others. */
function mostly<T>(weight: number, usual: fc.Arbitrary<T>, ...others: T[]): fc.Arbitrary<T> {
	const unusual = { weight: others.length, arbitrary: fc.constantFrom(...others) };
	return fc.oneof({ weight, arbitrary: usual }, unusual);
}

/** The same text with bytes that are no UTF-8 in place of each replacement character. */
const invalidate = (text: string) =>
	Buffer.from(
		Buffer.from(text).toString('latin1').replaceAll('\u00ef\u00bf\u00bd', '\u00ff'),
		'latin1',
	);

const NO_EVENTS = ['[]', '1', '', '{}', 'null', 'no'];
/** R is the right signature, W a wrong one. */
const MANY = [15, 16].map((wrong) => `${'W '.repeat(wrong)}R`);
const OTHER_SIGNATURES = ['W R', 'v2,x R W', 'R,x', 'R ', ...MANY, 'W', ''];
/** The longest ID. */
const LONG = 'x'.repeat(256);

const randomDeliveries: fc.Arbitrary<Delivery> = fc
	.record({
		id: mostly(9, fc.stringMatching(/^\w{1,20}$/), 'evt_1', 'a.b', 'evt 1', 'é', LONG, `${LONG}x`),
		text: mostly(6, fc.stringMatching(/^\w{0,200}$/), '\ufffd'),
		noEvent: mostly<string | undefined>(50, fc.constant(undefined), ...NO_EVENTS),
		isSignedInvalid: mostly(2, fc.constant(false), true),
		isSentInvalid: mostly(3, fc.constant(false), true),
		seconds: mostly(9, fc.constant(0), -299, 299, -300, 300, -301, 301, -4_000),
		timestamp: mostly(20, fc.constant('N'), 'Nabc', '+N', 'N.5', '0N', '1e9', ''),
		isOther: mostly(12, fc.constant(false), true),
		signature: mostly(16, fc.constant('R'), ...OTHER_SIGNATURES),
		wrong: fc.uint8Array({ minLength: 32, maxLength: 32 }),
		length: mostly(16, fc.constant(1_000), ...Array.from({ length: 4 }, (_, index) => index * 14)),
		left: mostly(30, fc.constant(-1), 0, 1, 2),
		doubled: mostly(30, fc.constant(-1), 0, 1, 2),
		flipped: mostly(20, fc.constant(-1), 0, 9, 50),
	})
	.map((given) => {
		const text =
			given.noEvent ?? JSON.stringify(makeEvent({ id: given.id, data: { text: given.text } }));
		const signed = given.isSignedInvalid ? invalidate(text) : Buffer.from(text);
		const timestamp = given.timestamp.replace('N', String(kit.now + given.seconds));
		const reading = Number.isNaN(parseInt(timestamp, 10)) ? '' : String(parseInt(timestamp, 10));
		const secret = given.isOther ? kit.otherSecret : kit.secret;
		const delivery = deliver(
			{ ...kit, secret },
			{ id: given.id, body: signed, timestamp: reading },
		);
		const signature = given.signature
			.replaceAll('W', `v1,${Buffer.from(given.wrong).toString('base64')}`)
			.replace('R', valueOf(delivery.headers, 'webhook-signature'))
			.slice(0, given.length);
		const headers = delivery.headers
			.map(([name, value]): [string, string] => {
				if (name === 'webhook-timestamp') return [name, timestamp];
				return [name, name === 'webhook-signature' ? signature : value];
			})
			.flatMap((header, index) => {
				if (index === given.left + 1 && given.left >= 0) return [];
				return index === given.doubled + 1 && given.doubled >= 0 ? [header, header] : [header];
			});
		const body = Buffer.from(given.isSentInvalid ? invalidate(text) : signed);
		if (given.flipped >= 0 && given.flipped < body.length) body[given.flipped] ^= 1;
		return { headers, body };
	});
