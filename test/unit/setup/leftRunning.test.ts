import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';

const { projects } = jest.requireActual<{ projects: object[] }>(
	join(projectFolder, 'jest.config.js'),
);
const folder = mkdtempSync(join(tmpdir(), 'left-'));
const files = {
	'server.test.js': `it('leaves it', async () => {
		await new Promise((done) => void require('node:http').createServer().listen(0, '127.0.0.1', done));
		throw new Error('and fails beside');
	});`,
	'process.test.js': `it('leaves it', () => void require('node:child_process').spawn('sleep', ['20']));`,
	'nothing.test.js': `it('leaves none', () => void require('node:child_process').spawn('true'));`,
};

beforeAll(() => {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

it('a test that leaves a server or a process running fails by its name', async () => {
	const config = JSON.stringify({
		...projects[0],
		rootDir: projectFolder,
		roots: [folder],
		testMatch: ['**/*.test.js'],
		setupFilesAfterEnv: [],
	});
	const told = await new Promise<string>((resolve) => {
		execFile(
			process.execPath,
			['node_modules/jest/bin/jest.js', '--config', config, '--runInBand', '--forceExit'],
			{ cwd: projectFolder },
			(_error, _stdout, stderr) => resolve(stderr),
		);
	});
	const endOf = (name: string) => new RegExp(`(PASS|FAIL).*${name}`).exec(told)?.[1];
	expect(Object.keys(files).map(endOf)).toEqual(['FAIL', 'FAIL', 'PASS']);
	expect(told).toContain('Left running: a listening server');
	expect(told).toContain('Left running: a process');
	expect(told).toContain('and fails beside');
});
