import { engine, gateway } from '../../stage';
import { deliverOnce, MINUTES, open, passAndFinish, publish, rests, SECONDS } from '../../watching';

// The API document shows no list of webhooks: a gateway may leave out what the record of a new one holds.

/** From now on, the list says of its webhooks what is given, and nothing where that is undefined. */
function listWith(changed: object): void {
	const listed = gateway.webhooks().map(({ id, url, events, enabled }) => ({
		...{ id, url, events, enabled },
		...changed,
	}));
	gateway.faults.add({
		match: { method: 'GET' },
		times: 'always',
		fault: { status: 200, body: { data: listed } },
	});
}

it.each([
	['has no events', { events: undefined }],
	['has null for events', { events: null }],
	['has events in another form', { events: [{ type: 'MESSAGE.RECEIVED' }] }],
	['names no event by a text', { events: [null] }],
	['has no URLs', { url: undefined }],
])('a check changes nothing where the list %s, nor does a restart', async (_what, changed) => {
	const published = await publish();
	const before = gateway.webhooks().map(({ id, secret }) => ({ id, secret }));
	listWith(changed);
	await passAndFinish(5 * SECONDS);
	await passAndFinish(2 * MINUTES);

	await published.trigger.close();
	rests.length = 0;
	const start = { activation: 'init' as const };
	expect(await engine.hook('checkExists', published.built, start)).toBe(true);
	const trigger = await engine.trigger(published.built, start);
	open.push(trigger);
	await passAndFinish(5 * SECONDS);
	await passAndFinish(2 * MINUTES);

	expect(gateway.webhooks()).toMatchObject(before);
	expect(gateway.requests.map(({ method }) => method)).not.toContain('PATCH');
	expect(await deliverOnce(published)).toBe(200);
	expect([...published.trigger.failures, ...trigger.failures]).toEqual([]);
});
