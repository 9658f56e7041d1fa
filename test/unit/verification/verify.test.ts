import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// `npm test` and `npm run lint`, around checks that come out as told.

const script = join('tools', 'verification', 'verify.ts');

const around: Record<string, string> = {
	'host/places.ts':
		"import { join } from 'node:path';\nexport const projectFolder = join(__dirname, '..');",
	'tools/verification/checks.ts': `
		import { Finding } from './command';
		const bad = (process.env.BAD ?? '').split(',');
		let built = false;
		export const check = (name) => async () => {
			const turns = name === 'build' ? 20 : 1;
			for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
			if (name !== 'build' && process.env.ORDER && !built) throw new Finding(name + ' came before the build');
			if (name === 'build') built = true;
			if (bad.includes(name)) throw new Finding('It is bad: ' + name);
			if (bad.includes('silent ' + name)) throw new Finding('');
			if (bad.includes('crash ' + name)) throw new TypeError('It broke: ' + name);
			return 'seen ' + name;
		};
		export const [buildPackage, checkFormat, checkTypes, lintSources, scanSources, scanTarball] =
			['build', 'format', 'types', 'lint', 'scan', 'tarball'].map(check);
		export const runTests = (project) => check(project);`,
	'tools/verification/command.ts': 'export class Finding extends Error {}',
	'tools/verification/description.ts':
		"import { check } from './checks';\nexport const lintDescriptions = check('description');",
	'tools/verification/links.ts':
		"import { check } from './checks';\nexport const checkLinks = check('links');",
	'tools/verification/operationsTable.ts':
		"import { check } from './checks';\nexport const checkOperationsTable = check('operations');",
};

const folder = putAmong(script, around);
const report = join(
	folder,
	'node_modules',
	'.cache',
	'messaging-gateway',
	'reports',
	'checks.json',
);

function verify(names: string[], env: Record<string, string> = {}) {
	const args = ['--import', 'tsx', join(folder, script), ...names];
	return spawnSync(process.execPath, args, {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, ...env },
	});
}

const left = () => JSON.parse(readFileSync(report, 'utf8')) as object;

it('runs all checks, the build first, and ends well if all pass', () => {
	const { status, stdout } = verify([], { ORDER: 'yes' });
	expect(stdout).toMatch(/^✓ Build \(\d\.\d s\): seen build\n/);
	expect(stdout).toMatch(/\nAll 11 checks passed\.\n$/);
	for (const name of ['types', 'format', 'lint', 'description', 'scan', 'tarball', 'links'])
		expect(stdout).toContain(`: seen ${name}\n`);
	for (const name of ['operations', 'unit', 'engine']) expect(stdout).toContain(`: seen ${name}\n`);
	expect(status).toBe(0);
	expect(left()).toEqual({ numPassedTests: 9, numFailedTests: 0, testResults: [] });
});

it('runs the others too if one fails, tells what was found last, and ends with 1', () => {
	const { status, stdout } = verify(['types', 'lint', 'unit'], { BAD: 'types,unit' });
	expect(stdout).toContain("✓ n8n's lint");
	expect(stdout).toMatch(
		/\n✗ Type check\n\nIt is bad: types\n\n✗ Unit tests\n\nIt is bad: unit\n\nFailed: Type check, Unit tests\.\n$/,
	);
	expect(status).toBe(1);
	// The tests of a suite are counted in its own report.
	expect(left()).toEqual({
		numPassedTests: 1,
		numFailedTests: 1,
		testResults: [{ name: 'Type check', status: 'failed', message: 'It is bad: types' }],
	});
});

it('a check that fails without a word has failed too', () => {
	const { status, stdout } = verify(['links'], { BAD: 'silent links' });
	expect(stdout).toMatch(/\nFailed: Links and pictures of the documentation\.\n$/);
	expect(status).toBe(1);
	expect(left()).toMatchObject({ numPassedTests: 0, numFailedTests: 1 });
});

it('a check that breaks is told with where it did, and is no pass', () => {
	const { status, stdout } = verify(['links'], { BAD: 'crash links' });
	expect(stdout).toMatch(/TypeError: It broke: links\n\s+at /);
	expect(status).toBe(1);
});

it('a name that is no check is refused, with all that are, and leaves no report', () => {
	const { status, stderr } = verify(['types', 'unti']);
	expect(stderr).toContain('No check is called unti. There are: types, format, lint, description,');
	expect(status).toBe(1);
	expect(left).toThrow('ENOENT');
});
