import { createHmac, type Hmac } from 'node:crypto';
import { verifyDelivery } from '../../../nodes/MessagingGateway/incoming/signature';

const BODY = Buffer.alloc(15_000_000, 0x20);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const { prototype: hmac } = createHmac('sha256', SECRET).constructor as typeof Hmac;

afterEach(() => jest.restoreAllMocks());

/** How often the whole body is gone through: hashed, or turned into text. */
async function countPasses(run: () => Promise<void>): Promise<number> {
	const hashed = jest.spyOn(hmac, 'update');
	const read = jest.spyOn(BODY, 'toString');
	await run();
	return (
		hashed.mock.calls.filter(([data]) => Object.is(data, BODY)).length + read.mock.calls.length
	);
}

async function receive(signature: string): Promise<void> {
	const timestamp = String(Math.floor(Date.now() / 1000));
	const rawHeaders = [
		...['webhook-id', 'evt_1'],
		...['webhook-timestamp', timestamp],
		...['webhook-signature', signature],
	];
	const { kind } = await verifyDelivery(
		{ rawHeaders, readBody: async () => BODY },
		async () => SECRET,
	);
	if (kind === 'genuine') throw new Error('It was accepted');
}

it('a large body with a malformed signature is not hashed: it costs next to nothing', async () => {
	expect(await countPasses(async () => await receive('v1,short'))).toBe(0);
});

it('a large body with a wrong signature is hashed once, however many signatures there are', async () => {
	const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
	expect(await countPasses(async () => await receive(Array(16).fill(wrong).join(' ')))).toBe(1);
});
