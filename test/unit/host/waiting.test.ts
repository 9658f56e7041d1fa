import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { findFreePort } from '../../../host/ports';
import { waitFor } from '../../../host/waiting';

it.each([0, '', null, true])('takes %j for an answer', async (answer) => {
	expect(await waitFor('it', () => answer as never, 1_000)).toBe(answer);
});

it('asks until there is an answer, also of what throws meanwhile', async () => {
	const answers = [undefined, false, new Error('not yet'), 'there'];
	const asked = waitFor('it', async () => {
		const answer = answers.shift();
		if (answer instanceof Error) throw answer;
		return await Promise.resolve(answer);
	});
	expect(await asked).toBe('there');
});

it('gives up in time, with what the last try threw', async () => {
	const cause = new Error('closed');
	const throws = waitFor('the door', () => Promise.reject(cause), 10);
	await expect(throws).rejects.toMatchObject({
		message: 'Waited 0.01 s in vain for the door.',
		cause,
	});
	const tries = [cause];
	const recovers = waitFor(
		'the door',
		() => {
			const error = tries.shift();
			if (error) throw error;
			return undefined;
		},
		10,
	);
	await expect(recovers).rejects.toMatchObject({ cause: undefined });
});

it('finds the preferred port if it is free, and else another one', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	try {
		const other = await findFreePort(port);
		expect(other).not.toBe(port);
		expect(other).toBeGreaterThanOrEqual(20_000);
		expect(other).toBeLessThan(32_000);
	} finally {
		server.close();
		await once(server, 'close');
	}
	expect(await findFreePort(port)).toBe(port);
});
