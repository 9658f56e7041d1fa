import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPlace } from './places';
import { findFreePort } from './ports';
import { startService, type Service } from './service';

const execute = promisify(execFile);

/** Name of the user and of the database in it. */
export const POSTGRES_USER = 'n8n';

/** Starts a PostgreSQL with data of its own; where this runs as root, as Debian's user `postgres`, since it refuses root. */
export async function startPostgres(): Promise<Service> {
	const programs = findPlace('postgres');
	const user = process.getuid?.() === 0 ? 'postgres' : undefined;
	const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
	if (user !== undefined) await chown(folder, await findId('-u', user), await findId('-g', user));
	const data = join(folder, 'data');
	const initialize = [
		'-D',
		data,
		'--username',
		POSTGRES_USER,
		'--auth=trust',
		'--encoding=UTF8',
		'--no-sync',
	];
	await executeAs(user, join(programs, 'initdb'), initialize);

	const port = await findFreePort();
	const settings = [
		'listen_addresses=127.0.0.1',
		`port=${port}`,
		'unix_socket_directories=',
		'max_connections=200',
	];
	const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
	const log = join(folder, 'postgres.log');
	const server = { command: join(programs, 'postgres'), args, folder, log, port, user };
	const isReady = async () => {
		const probe = ['-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER, '-d', 'postgres'];
		await execute(join(programs, 'pg_isready'), probe);
		return true;
	};
	const postgres = await startService('PostgreSQL', server, isReady);
	await query(port, 'CREATE DATABASE n8n', 'postgres');
	return postgres;
}

/** Runs one statement. Answers its rows as lines, their fields separated by `|`. */
export async function query(
	port: number,
	statement: string,
	database = POSTGRES_USER,
): Promise<string[]> {
	const where = ['-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER, '-d', database];
	const shape = ['--no-psqlrc', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'];
	const { stdout } = await execute(
		join(findPlace('postgres'), 'psql'),
		[...where, ...shape, '-c', statement],
		{
			maxBuffer: 64 * 1024 * 1024,
		},
	);
	return stdout.split('\n').filter((line) => line !== '');
}

async function executeAs(user: string | undefined, command: string, args: string[]): Promise<void> {
	if (user === undefined) await execute(command, args);
	else
		await execute('setpriv', [
			`--reuid=${user}`,
			`--regid=${user}`,
			'--clear-groups',
			'--',
			command,
			...args,
		]);
}

async function findId(kind: '-u' | '-g', user: string): Promise<number> {
	return Number((await execute('id', [kind, user])).stdout);
}
