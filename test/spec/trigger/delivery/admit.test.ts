import type { IDataObject } from 'n8n-workflow';
import { deliver, post } from '../../../contract/deliveries';
import { engine, gateway } from '../../../support/engineAndGateway';
import { forgetProcess } from '../../../support/receiving';
import {
	deliverOnce,
	MINUTES,
	open,
	pass,
	publishWatched,
	recordOf,
	type Published,
} from '../../../support/watching';

const START = { activation: 'init' as const };
const OLD_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const FOREIGN_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

async function deliverWith({ url }: Published, secret: string): Promise<number> {
	return (await post(url, deliver({ secret }))).status;
}

/** The next start of n8n, with a gateway that takes no connection until `gateway.faults.clear()`. */
async function startUnanswered(published: Published, overwritten?: IDataObject): Promise<void> {
	gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	await published.trigger.close();
	Object.assign(recordOf(published), overwritten);
	const { built } = published;
	await engine.publish(built, START);
	open.push(await engine.trigger(built, START));
}

it('accepts what verifies at a start at which the gateway does not answer, and refuses the rest after five minutes', async () => {
	const published = await publishWatched();
	await startUnanswered(published);
	const before = gateway.requests.length;
	expect(await deliverOnce(published)).toBe(200);
	expect(gateway.requests).toHaveLength(before);
	await pass(4 * MINUTES);
	expect(await deliverWith(published, FOREIGN_SECRET)).toBe(503);
	await pass(1 * MINUTES);
	expect(await deliverWith(published, FOREIGN_SECRET)).toBe(401);
	expect(await deliverOnce(published)).toBe(200);
	expect(published.receiver.executions).toHaveLength(2);
});

it('follows static data in a process that has no record, as those of queue mode', async () => {
	const published = await publishWatched();
	forgetProcess();
	await pass(5 * MINUTES);
	expect(await deliverOnce(published)).toBe(200);
	const { secret } = recordOf(published);
	Object.assign(recordOf(published), { secret: OLD_SECRET });
	const statuses = [OLD_SECRET, secret as string].map((each) => deliverWith(published, each));
	expect(await Promise.all(statuses)).toEqual([200, 401]);
});

it('accepts deliveries that come before n8n has saved the record, and puts it back again if that failed', async () => {
	const published = await publishWatched();
	const overwrite = () => Object.assign(recordOf(published), { secret: OLD_SECRET });
	overwrite();
	expect(await deliverOnce(published)).toBe(503);
	overwrite();
	expect(await deliverOnce(published)).toBe(200);
	await pass(10_000);
	expect(await deliverOnce(published)).toBe(503);
	expect(await deliverOnce(published)).toBe(200);
	expect(recordOf(published).secret).not.toBe(OLD_SECRET);
});

it.each([-400, 400])('refuses a genuine delivery signed %i seconds from now', async (seconds) => {
	const { url } = await publishWatched();
	const [{ secret }] = gateway.webhooks();
	const now = Math.floor(Date.now() / 1000) + seconds;
	expect((await post(url, deliver({ secret, now }))).status).toBe(401);
});
