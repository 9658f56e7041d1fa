import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that a system gives to programs, and below those of n8n (host/ports.ts): another program would soon
 * get one of those.
 */
const LOWEST = 10_000;
const HIGHEST = 20_000;

/** Ports given already; another test may start to listen on one at any time. */
const given = new Set<number>();

/** A port of 127.0.0.1 with nothing listening on it: connections are refused. */
export async function freeClosedPort(): Promise<number> {
	for (let tries = 100; tries > 0; tries--) {
		const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
		if (given.has(port)) continue;
		given.add(port);
		if (await isFree(port)) return port;
	}
	throw new Error(`No port between ${LOWEST} and ${HIGHEST} is free.`);
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	const isListening = await once(server, 'listening').then(
		() => true,
		() => false,
	);
	if (isListening) await once(server.close(), 'close');
	return isListening;
}
