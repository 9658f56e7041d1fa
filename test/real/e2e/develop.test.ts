import { spawn } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nApi } from '../../../host/api';
import { BUNDLED } from '../../../host/bundled';
import { OWNER } from '../../../host/owner';
import { projectFolder } from '../../../host/places';
import { tether } from '../../../host/processes';
import { waitFor } from '../../../host/waiting';

const copied = [
	'package.json',
	'gulpfile.js',
	'tsconfig.json',
	'LICENSE.md',
	'nodes',
	'credentials',
	'host',
	'simulator',
	'tools',
	'dist',
];
const packages = join(projectFolder, 'node_modules');
const BUNDLED_FOLDERS = new Set(BUNDLED.map((name) => name.split('/')[0]));
const folder = mkdtempSync(join(tmpdir(), 'develop-'));

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

it('shows a saved change of a description in the running n8n, and lets a debugger in', async () => {
	// A copy of the project, whose sources the test may change.
	for (const name of copied)
		cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
	// Libraries that are bundled must lie in the project's own folder, or their licences cannot be shipped.
	for (const name of BUNDLED)
		cpSync(join(packages, name), join(folder, 'node_modules', name), { recursive: true });
	for (const name of readdirSync(packages).filter((each) => !BUNDLED_FOLDERS.has(each)))
		symlinkSync(join(packages, name), join(folder, 'node_modules', name));

	const args = ['--import', 'tsx', 'tools/demo/develop.ts', '--data', join(folder, 'data')];
	const developing = spawn(process.execPath, ['--require', tether, ...args], {
		cwd: folder,
		detached: true,
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	const ended = new Promise<number | null>((resolve) => developing.once('exit', resolve));
	let told = '';
	developing.stdout?.on('data', (chunk: Buffer) => (told += chunk.toString()));
	try {
		const address = () => /n8n +(http:\S+)[^]*Waiting for changes/.exec(told)?.[1];
		const shown = await waitFor('n8n to start', () => address(), 120_000);
		const api = new N8nApi(new URL(shown).origin);
		const [, password] = /and the password (\S+)/.exec(told) ?? [];
		await api.signIn(OWNER.email, password);
		const showsTheChange = async () => {
			const answer = await fetch(`${api.url}/types/nodes.json`, {
				headers: { cookie: api.cookie },
			});
			return (await answer.text()).includes('Messaging Gateway, changed');
		};
		expect(await showsTheChange()).toBe(false);

		const source = join(folder, 'nodes', 'MessagingGateway', 'MessagingGateway.node.ts');
		const before = readFileSync(source, 'utf8');
		const after = before.replace(
			"displayName: 'Messaging Gateway'",
			"displayName: 'Messaging Gateway, changed'",
		);
		expect(after).not.toBe(before);
		// n8n says that it is ready before it watches the package's folder, so the first save may go unseen.
		let savedAt = 0;
		const saveAndLook = async () => {
			if (Date.now() - savedAt > 10_000) {
				writeFileSync(source, after);
				savedAt = Date.now();
			}
			return await showsTheChange();
		};
		await waitFor('n8n to show the change', saveAndLook, 90_000);

		const [, debuggerAddress] = /A debugger reaches n8n at (\S+:\d+)/.exec(told) ?? [];
		expect((await fetch(`http://${debuggerAddress}/json/version`)).status).toBe(200);
	} finally {
		developing.kill('SIGINT');
		expect(await ended).toBe(0);
	}
});
