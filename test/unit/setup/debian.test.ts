import { spawn } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];
const debian = pathToFileURL(
	join(__dirname, '..', '..', '..', 'tools', 'setup', 'debian.mjs'),
).href;
const folder = mkdtempSync(join(tmpdir(), 'debian-'));
const programs = join(folder, 'programs');
const calls = join(folder, 'calls');
const setup = join(folder, 'setup.mjs');

beforeEach(() => {
	rmSync(programs, { recursive: true, force: true });
	rmSync(calls, { force: true });
	mkdirSync(programs);
	// Debian's installer: it notes what it is told, and brings the program.
	addProgram('apt-get', `echo "$@" >> ${calls}; case "$1" in install) : > ${programs}/tool;; esac`);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

function addProgram(name: string, script: string): void {
	writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(programs, name), 0o755);
}

interface Ended {
	code: number | null;
	said: string;
	/** What the installer was told. */
	installed: string[];
}

/** A set-up that needs `tool`, at a terminal at which somebody answers if there is an answer. */
async function setUp({
	answer,
	userId = 0,
	env = {},
}: {
	answer?: string;
	userId?: number;
	env?: NodeJS.ProcessEnv;
}): Promise<Ended> {
	writeFileSync(
		setup,
		`process.getuid = () => ${userId};
		const { findOrInstall, findProgram } = await import('${debian}');
		const wanted = { what: 'The tool', why: 'Nothing goes without it.', packages: ['tool', 'more'], usually: '1 s' };
		await findOrInstall(() => findProgram(['tool']), wanted).then(
			(path) => console.log('found ' + path),
			(error) => { console.log(error.message); process.exitCode = 1; },
		);`,
	);
	const command = [process.execPath, setup];
	const [program, ...args] =
		answer === undefined ? command : ['/usr/bin/script', '-qec', command.join(' '), '/dev/null'];
	const child = spawn(program, args, {
		env: { PATH: programs, MESSAGING_GATEWAY_CACHE: join(folder, 'cache'), ...env },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => {
		said += chunk.toString();
		if (said.includes('[y/N]') && child.stdin.writable) child.stdin.end(`${answer}\n`);
	});
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	const installed = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
	return { code, said, installed };
}

const INSTALLED = ['update', 'install --yes --no-install-recommends tool more'];
const WHAT_AND_WHY =
	/The tool is missing\. Nothing goes without it\.[^]*apt-get install[^]* tool more/;

it.each(['y', 'yes', 'Y'])('installs when somebody answers %p', async (answer) => {
	const { code, said, installed } = await setUp({ answer });
	expect(said).toMatch(new RegExp(`${WHAT_AND_WHY.source}[^]*Install them now\\?[^]*found `));
	expect([code, installed]).toEqual([0, INSTALLED]);
});

it.each(['n', '', 'no', 'yep', CTRL_C, CTRL_D])(
	'installs nothing when somebody answers %p',
	async (answer) => {
		const { code, said, installed } = await setUp({ answer });
		expect(said).toMatch(WHAT_AND_WHY);
		expect(said).toContain('Nothing was installed');
		expect([code, installed]).toEqual([1, []]);
	},
);

it('installs nothing where nobody can answer, and says what to run', async () => {
	const { code, said, installed } = await setUp({});
	expect(said).toMatch(WHAT_AND_WHY);
	expect(said).not.toContain('[y/N]');
	expect([code, installed]).toEqual([1, []]);
});

it('says what and why, and installs, in CI', async () => {
	const { code, said, installed } = await setUp({ env: { CI: 'true' } });
	expect(said).toMatch(WHAT_AND_WHY);
	expect([code, installed]).toEqual([0, INSTALLED]);
});

it('does not ask in CI, even at a terminal', async () => {
	const { code, said, installed } = await setUp({ answer: 'n', env: { CI: 'true' } });
	expect(said).not.toContain('[y/N]');
	expect([code, installed]).toEqual([0, INSTALLED]);
});

it('installs nothing as anybody but root, and says what root does', async () => {
	const { code, said, installed } = await setUp({ userId: 1000 });
	expect(said).toMatch(WHAT_AND_WHY);
	expect([code, installed]).toEqual([1, []]);
});

it('asks nothing and says nothing where the program is there', async () => {
	addProgram('tool', '');
	const { said, installed } = await setUp({ answer: 'n' });
	expect(said.trim()).toBe(`found ${join(programs, 'tool')}`);
	expect(installed).toEqual([]);
});
