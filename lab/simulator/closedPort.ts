import { randomInt } from 'node:crypto';
import { findFreePort } from '../host/ports';

/** Ports given already; another test may start to listen on one at any time. */
const given = new Set<number>();

/** A port of 127.0.0.1 with nothing listening on it, below those of n8n: connections are refused. */
export async function freeClosedPort(): Promise<number> {
	const port = randomInt(10_000, 20_000);
	if (given.has(port) || (await findFreePort(port)) !== port) return await freeClosedPort();
	given.add(port);
	return port;
}
