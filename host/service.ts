import { rmSync } from 'node:fs';
import { startProgram, type SpawnedProcess } from './processes';
import { waitFor } from './waiting';

const START_TIMEOUT_MS = 60_000;

/** A server that n8n needs beside it, on a port of 127.0.0.1, with data of its own. */
export interface Service {
	port: number;
	/** Ends it as `kill -9` does. */
	kill(): Promise<void>;
	/** Brings it back on the same port with the same data. */
	start(): Promise<void>;
	/** Ends it in order and removes its data. */
	stop(): Promise<void>;
}

/**
 * Runs a server.
 * @param what its name, for the error's text
 * @param user whom it runs as; without it whoever runs this
 * @param isReady answers whether it takes requests
 */
export async function startService(
	what: string,
	server: {
		command: string;
		args: string[];
		folder: string;
		log: string;
		port: number;
		user?: string;
	},
	isReady: () => Promise<boolean>,
): Promise<Service> {
	const { command, args, folder, log, port, user } = server;
	let running: SpawnedProcess;
	const service: Service = {
		port,
		kill: async () => await running.kill(),
		async start() {
			running = startProgram(command, args, log, user);
			await waitFor(`${what} to start (its log: ${log})`, isReady, START_TIMEOUT_MS);
		},
		async stop() {
			await running.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	await service.start();
	return service;
}
