import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
		server.listen(wanted, '127.0.0.1', () => {
			const address = server.address();
			const port = typeof address === 'object' && address !== null ? address.port : undefined;
			server.close(() => resolve(port));
		});
	});
}
