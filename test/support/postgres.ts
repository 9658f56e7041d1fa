import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPlace } from '../../lab/host/places';
import { accepts, findFreePort } from '../../lab/host/ports';
import { startProgram } from '../../lab/host/processes';
import { waitFor } from '../../lab/host/waiting';

/** Starts a PostgreSQL with a database of its own on 127.0.0.1. Answers n8n's settings for it. */
export async function startPostgres(): Promise<{
	env: NodeJS.ProcessEnv;
	stop(): Promise<void>;
}> {
	const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
	const port = await findFreePort();
	const log = join(folder, 'postgres.log');
	const data = join(folder, 'data');

	// PostgreSQL refuses to run as root.
	const isRoot = process.getuid?.() === 0;
	const user = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
	chmodSync(folder, 0o777);

	const start = (program: string, ...args: string[]) => {
		const path = join(dirname(findPlace('postgres')), program);
		return startProgram('setpriv', [...user, path, '-D', data, ...args], log);
	};

	const code = await start('initdb', '--username=n8n', '--auth=trust', '--no-sync').ended;
	if (code !== 0) throw new Error(`initdb ended with ${code}: ${log}`);

	const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
	const running = start('postgres', ...settings.flatMap((setting) => ['-c', setting]));
	await waitFor('PostgreSQL to start', async () => await accepts(port));

	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: 'only-for-this-machine',
		},
		async stop() {
			await running.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
