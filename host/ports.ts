import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on: the preferred one if it is free. */
export async function findFreePort(preferred = 0): Promise<number> {
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
