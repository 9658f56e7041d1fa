import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlace } from '../../lab/host/places';
import { startProgram } from '../../lab/host/processes';
import { waitFor } from '../../lab/host/waiting';

/**
 * Starts HAProxy in front of n8n, which need not run yet.
 * @param file its configuration
 * @param environment what the configuration refers to, with `LISTEN` as address and port
 */
export async function startHaproxy(
	file: string,
	environment: { LISTEN: string } & Record<string, string>,
): Promise<{ stop(): Promise<void> }> {
	const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
	const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
	const args = [...variables, findPlace('haproxy'), '-db', '-f', file];
	const running = startProgram('/usr/bin/env', args, join(folder, 'haproxy.log'));
	const answers503 = async () => (await fetch(`http://${environment.LISTEN}/`)).status === 503;
	await waitFor('HAProxy to start', answers503);
	return {
		async stop() {
			await running.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
