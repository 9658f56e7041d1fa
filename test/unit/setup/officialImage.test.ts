import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { makePrograms } from './standInPrograms';

// n8n's official image, run by a Docker that notes what it is told.

const programs = makePrograms();
const starter = join(projectFolder, 'tools', 'setup', 'runOfficialImage.cjs');
const IMAGE = 'docker.n8n.io/n8nio/n8n';

afterAll(() => programs.remove());

const env = { PATH: `${programs.bin}:/usr/bin:/bin`, HOME: '/home/ana', N8N_USER_FOLDER: '/data' };

const prepare = () =>
	programs.run(
		{ 'officialImage.mjs': 'prepareOfficialImage' },
		`await prepareOfficialImage(process.env).then((folder) => console.log('→', folder), ({ message }) => console.log(message));`,
	);

it('is fetched, and stands where n8n would be installed', () => {
	programs.add('docker');
	const [, folder] = /→ (.+)\n/.exec(prepare()) ?? [];
	expect(programs.calls()).toEqual([`docker pull ${IMAGE}`]);
	const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	expect(existsSync(program) && readFileSync(program, 'utf8')).toBe(readFileSync(starter, 'utf8'));
});

it('that cannot be had is named', () => {
	programs.add('docker', 'echo "no network"; exit 1');
	expect(prepare()).toMatch(new RegExp(`^The image ${IMAGE} cannot be had\\.[^]*no network`));
});

it.each([
	['exit 0', 0],
	['exit 3', 3],
	['kill -9 $$', 1],
])(
	'runs with the data, the environment and the user of who starts it: %s gives %i',
	(end, code) => {
		programs.add('docker', end);
		programs.calls();
		const { status } = spawnSync(process.execPath, [starter, 'start', '--bread'], {
			env: { ...env, N8N_PORT: '5678' },
		});
		expect(status).toBe(code);
		const user = `${process.getuid?.()}:${process.getgid?.()}`;
		expect(programs.calls()).toEqual([
			`docker run --rm --init --network host --volume /data:/data --user ${user} --env HOME=/data --env N8N_USER_FOLDER --env N8N_PORT ${IMAGE} start --bread`,
		]);
	},
);

it('ends when it is asked to end', async () => {
	programs.add('docker', 'trap "exit 5" TERM; echo up; while :; do sleep 0.05; done');
	const child = spawn(process.execPath, [starter], { env, stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = new Promise((resolve) => child.once('close', resolve));
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	await waitFor('the image to run', () => said.includes('up'));
	child.kill('SIGTERM');
	expect(await ended).toBe(5);
});
