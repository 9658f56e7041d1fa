import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: under load one of them would be taken before it is used. */
const RANGE = [20_000, 32_000] as const;

/** A port of 127.0.0.1 that nobody listens on: the preferred one if it is free. */
export async function findFreePort(preferred = randomInt(...RANGE)): Promise<number> {
	return (await tryPort(preferred)) ?? (await findFreePort());
}

function tryPort(wanted: number): Promise<number | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)));
	});
}

/** Whether a server listens on a port of 127.0.0.1. Throws if not. */
export async function accepts(port: number): Promise<true> {
	const socket = connect(port, '127.0.0.1');
	await once(socket, 'connect').finally(() => socket.destroy());
	return true;
}
