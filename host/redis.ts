import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlace } from './places';
import { findFreePort } from './ports';
import { startService, type Service } from './service';

export interface RedisOptions {
	/** Whether every change is in the append-only file before it is answered. On by default: n8n's queue must last. */
	durable?: boolean;
}

/** Starts a Redis with data of its own. */
export async function startRedis({ durable = true }: RedisOptions = {}): Promise<Service> {
	const folder = mkdtempSync(join(tmpdir(), 'redis-'));
	const port = await findFreePort();
	const settings = {
		port,
		bind: '127.0.0.1',
		dir: folder,
		save: '',
		appendonly: durable ? 'yes' : 'no',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = {
		command: findPlace('redis'),
		args,
		folder,
		log: join(folder, 'redis.log'),
		port,
	};
	return await startService(
		'Redis',
		server,
		async () => (await askRedis(port, 'PING')) === '+PONG',
	);
}

/** Sends one command without arguments that hold spaces. Answers the first line of what comes back. */
async function askRedis(port: number, command: string): Promise<string> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
		socket.once('error', reject);
		socket.once('data', (answer) => {
			socket.destroy();
			resolve(answer.toString().split('\r\n')[0]);
		});
	});
}
