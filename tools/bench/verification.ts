import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyDelivery } from '../../nodes/MessagingGateway/webhooks/standardWebhooks';
import { medianOf, type Figure } from './report';
import { makeBody, sign } from './shots';

const SIZES = [300, 10_000, 100_000, 1_000_000, 10_000_000];
const ROUNDS = 9;

/** Our check of one delivery, from raw headers to the parsed event, beside the library's and the bare HMAC. */
export async function measureVerification(budgetMs: number): Promise<Figure[]> {
	const secret = `whsec_${randomBytes(32).toString('base64')}`;
	const key = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
	const library = new Webhook(secret);
	const figures: Figure[] = [];
	for (const size of SIZES) {
		const { headers, body } = sign('evt_1', makeBody('evt_1', size), secret);
		const request = { rawHeaders: Object.entries(headers).flat(), readBody: async () => body };
		const expected = Buffer.from(headers['webhook-signature'].slice('v1,'.length), 'base64');
		const prefix = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
		const tasks = {
			ours: async () => (await verifyDelivery(request, async () => secret)).kind === 'genuine',
			library: () => library.verify(body, headers) !== undefined,
			native: () =>
				timingSafeEqual(createHmac('sha256', key).update(prefix).update(body).digest(), expected),
			nativeAndJson: () => {
				const digest = createHmac('sha256', key).update(prefix).update(body).digest();
				return timingSafeEqual(digest, expected) && JSON.parse(body.toString()) !== undefined;
			},
		};
		const times = await timeEach(tasks, budgetMs);
		const figure = (other: keyof typeof tasks, what: string, because?: string): Figure => ({
			what: `check ${size.toLocaleString('en')} bytes`,
			unit: 'µs',
			ours: times.ours,
			other: { what, value: times[other] },
			better: 'less',
			because,
		});
		figures.push(
			figure('library', 'standardwebhooks library'),
			figure(
				'nativeAndJson',
				'native HMAC and JSON.parse',
				'headers are checked as well, and the library is asked beside the HMAC: a few µs, whatever the size.',
			),
			figure(
				'native',
				'native HMAC alone, the limit',
				'the body is parsed as well, which the trigger needs and the HMAC alone does not.',
			),
		);
	}
	return figures;
}

/** Microseconds of each task, measured in turns, so that a slow moment of the machine strikes all of them. */
async function timeEach<T extends string>(
	tasks: Record<T, () => boolean | Promise<boolean>>,
	budgetMs: number,
): Promise<Record<T, number>> {
	const names = Object.keys(tasks) as T[];
	const found = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
		T,
		number[]
	>;
	const turn = budgetMs / ROUNDS / names.length;
	for (let round = 0; round < ROUNDS; round++) {
		for (const name of names) {
			let count = 0;
			const started = performance.now();
			let elapsed = 0;
			while (elapsed < turn || count === 0) {
				if (!(await tasks[name]())) throw new Error(`${name} refuses a genuine delivery`);
				count += 1;
				elapsed = performance.now() - started;
			}
			found[name].push((elapsed * 1000) / count);
		}
	}
	return Object.fromEntries(names.map((name) => [name, medianOf(found[name])])) as Record<
		T,
		number
	>;
}
