import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlace, projectFolder } from './places';
import { startService, type Service } from './service';

/**
 * Starts HAProxy with the configuration that the documentation gives people, in front of an n8n that need not run yet.
 * @param port where it listens
 * @param n8nPort where n8n will
 */
export async function startHaproxy(port: number, n8nPort: number): Promise<Service> {
	const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
	const server = {
		command: '/usr/bin/env',
		args: [
			`LISTEN=127.0.0.1:${port}`,
			`N8N=127.0.0.1:${n8nPort}`,
			findPlace('haproxy'),
			'-db',
			'-f',
			join(projectFolder, 'docs', 'proxy', 'haproxy.cfg'),
		],
		folder,
		log: join(folder, 'haproxy.log'),
		port,
	};
	return await startService(
		'HAProxy',
		server,
		async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 503,
	);
}
