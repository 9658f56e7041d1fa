import type { Logger } from 'n8n-workflow';
import { makeEvent } from '../event';

/** What a new process says in the log of deliveries with these headers. */
async function tell(...deliveries: string[][]): Promise<string[]> {
	jest.resetModules();
	const { tellWithoutProxy } =
		await import('../../../../nodes/MessagingGateway/trigger/delivery/receive');
	const said: string[] = [];
	const logger = { info: (message: string) => said.push(message) } as unknown as Logger;
	for (const headers of deliveries) tellWithoutProxy(logger, headers);
	return said;
}

const DIRECT = ['webhook-id', 'via', 'Content-Type', 'application/json'];

it('is said once where deliveries come without a proxy', async () => {
	expect(await tell(DIRECT, DIRECT)).toEqual([expect.stringContaining('/healthz/readiness')]);
});

it.each(['X-Forwarded-For', 'via', 'Forwarded', 'x-real-ip'])(
	'is not said where a proxy adds %s',
	async (name) => {
		expect(await tell([...DIRECT, name, '192.0.2.1'], DIRECT)).toEqual([]);
	},
);

it('is said of the first delivery that is genuine', async () => {
	jest.resetModules();
	const { publish } = await import('./delivering');
	const trigger = publish();
	await trigger.post(makeEvent(), { secret: `whsec_${Buffer.alloc(32, 'b').toString('base64')}` });
	expect(trigger.logged.info).toEqual([]);
	for (let delivery = 0; delivery < 2; delivery++) await trigger.post(makeEvent());
	expect(trigger.logged.info).toEqual([expect.stringContaining('/healthz/readiness')]);
});
