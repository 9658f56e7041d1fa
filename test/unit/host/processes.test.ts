import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode, startProgram, type SpawnedProcess } from '../../../host/processes';
import { waitFor } from '../../../host/waiting';

const folder = mkdtempSync(join(tmpdir(), 'processes-'));
const log = join(folder, 'log');
let running: SpawnedProcess | undefined;

beforeEach(() => writeFileSync(log, 'before\n'));
afterEach(async () => await running?.kill());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a script that has a child of its own, and gives the process IDs of both once they run. */
async function startFamily(beside = ''): Promise<number[]> {
	const script = join(folder, 'script.js');
	writeFileSync(
		script,
		`const { pid } = require('node:child_process').spawn('sleep', ['600']);
		${beside}
		setInterval(() => {}, 1000);
		console.log('pids', process.pid, pid, process.argv[2], process.env.BREAD);`,
	);
	running = startNode(script, ['crust'], { ...process.env, BREAD: 'rye' }, log);
	const said = await waitFor('the script to run', () => /pids (.+)\n/.exec(readLog())?.[1]);
	const [own, child, ...rest] = said.split(' ');
	expect(rest).toEqual(['crust', 'rye']);
	return [Number(own), Number(child)];
}

const readLog = () => readFileSync(log, 'utf8');

function isThere(pid: number): boolean {
	try {
		// What has ended may still wait for its parent to notice.
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

it('is asked to end, and what it leaves of its group is ended by force', async () => {
	const [own, child] = await startFamily("process.on('SIGTERM', () => process.exit(3));");
	expect(running).toMatchObject({ pid: own });
	expect([running?.isRunning(), isThere(child)]).toEqual([true, true]);
	await running?.stop();
	expect(running?.isRunning()).toBe(false);
	expect(await running?.ended).toBe(3);
	await waitFor('its child to end', () => !isThere(child), 5_000);
	await running?.stop();
});

it('is ended at once with its whole group, whatever it does about signals', async () => {
	const [, child] = await startFamily("process.on('SIGTERM', () => {});");
	await running?.kill();
	expect(await running?.ended).toBeNull();
	expect(running?.isRunning()).toBe(false);
	await waitFor('its child to end', () => !isThere(child), 5_000);
});

it('writes all that it prints behind what the log has, and tells how it ended', async () => {
	running = startProgram('sh', ['-c', 'echo out; echo err >&2; exit 4'], log);
	expect(await running.ended).toBe(4);
	expect(readLog()).toMatch(/^before\n(out\nerr|err\nout)\n$/);
});
