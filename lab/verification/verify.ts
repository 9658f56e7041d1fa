import { exec } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packPackage, unpackTarball } from '../host/packages';
import { findPlace, projectFolder } from '../host/places';
import { printDescriptions, WITHOUT_RULES } from './description';
import { checkLinks } from './links';
import { checkOperationsTable } from './operationsTable';

/** In bytes: an accidental file is noticed. */
const MAX_TARBALL_SIZE = 250_000;
const TICK_MS = 15_000;
const STATE = 'node_modules/.cache/messaging-gateway';
const binaries = (folder: string) => join(folder, 'node_modules', '.bin');
const n8nTools = binaries(findPlace('verification'));

/** Runs a command line of the checkout's programs, or of others by their path. Throws with all it printed. */
function execute(line: string, cwd = projectFolder): Promise<string> {
	const env = { ...process.env, PATH: `${binaries(projectFolder)}${delimiter}${process.env.PATH}` };
	return new Promise((resolve, reject) => {
		exec(line, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
			const output = stripVTControlCharacters(`${stdout}${stderr}`).trim();
			if (error) reject(new Error(output || error.message));
			else resolve(output);
		});
	});
}

/** What of the project n8n's lint and scan look at. */
const SOURCES = ['package.json', 'eslint.config.mjs', 'tsconfig.json', 'nodes', 'credentials'];

/** Development dependencies that the sources import because the build bundles them. */
const BUNDLED = ['content-disposition', 'libphonenumber-js', 'standardwebhooks'];

const SCAN_CONFIG = 'lab/verification/scan.config.mjs';

/** Runs a check on copies from the project, inside the folder of n8n's tools: Node looks upwards for what they import. */
async function onCopy(names: string[], check: (copy: string) => Promise<unknown>): Promise<void> {
	const copies = join(findPlace('verification'), 'copies');
	mkdirSync(copies, { recursive: true });
	const copy = mkdtempSync(join(copies, 'project-'));
	try {
		for (const name of [...names, SCAN_CONFIG])
			cpSync(join(projectFolder, name), join(copy, name), { recursive: true });
		mkdirSync(join(copy, 'node_modules'));
		for (const name of BUNDLED)
			symlinkSync(join(projectFolder, 'node_modules', name), join(copy, 'node_modules', name));
		await check(copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

/** n8n's lint, in which warnings count too. */
const lint = (copy: string, args: string) =>
	execute(`"${n8nTools}/eslint" --max-warnings 0 ${args}`, copy);

/** The lint of n8n's scan for verified packages: of files named as `SOURCE_FILE_PATTERNS` in it, or in a tarball. */
const scan = (copy: string, files: string) =>
	lint(copy, `--no-inline-config --config ${SCAN_CONFIG} package.json "${files}"`);

const checks: Record<string, () => Promise<unknown>> = {
	build: () => execute('gulp ship'),
	tests: () =>
		execute(
			`jest --selectProjects spec --silent --forceExit --reporters=summary --json --outputFile=${STATE}/report-tests.json`,
		),
	types: () =>
		execute(`tsc --noEmit -p . --incremental --tsBuildInfoFile ${STATE}/types.tsbuildinfo`),
	format: () =>
		execute(`prettier --check . --cache --cache-strategy content --cache-location ${STATE}/format`),
	lint: () =>
		onCopy(SOURCES, async (copy) => {
			const output = await execute(`"${n8nTools}/n8n-node" lint`, copy);
			if (/\d+ problems? \(/.test(output)) throw new Error(output);
		}),
	oxlint: () => execute('oxlint --type-aware'),
	knip: () => execute('knip'),
	description: () =>
		onCopy(SOURCES, async (copy) => {
			await lint(copy, `${WITHOUT_RULES} ${printDescriptions(copy).join(' ')}`);
		}),
	scan: () => onCopy(SOURCES, (copy) => scan(copy, '{nodes,credentials}/**/*.{js,ts,json}')),
	tarball: () =>
		onCopy([], async (copy) => {
			const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
			const tarball = await packPackage(projectFolder, folder);
			const { size } = statSync(tarball);
			await unpackTarball(tarball, copy);
			rmSync(folder, { recursive: true });
			if (size > MAX_TARBALL_SIZE) throw new Error(`The tarball has ${size} bytes.`);
			await scan(copy, '**/*.js');
		}),
	links: checkLinks,
	operations: checkOperationsTable,
};

/** Runs the checks named, or all: the tests beside all others, which begin with the build. */
async function verify(names: string[]): Promise<void> {
	const chosen = names.length === 0 ? Object.keys(checks) : names;
	const failures: Array<{ name: string; status: 'failed'; message: string }> = [];
	const runAll = async (lane: string[]) => {
		for (const name of lane) {
			const message = await runCheck(name);
			if (message !== undefined) failures.push({ name, status: 'failed', message });
		}
	};
	const others = chosen.filter((name) => name !== 'tests');
	await Promise.all([runAll(chosen.filter((name) => name === 'tests')), runAll(others)]);
	for (const { name, message } of failures) console.log(`\n✗ ${name}\n\n${message}`);
	console.log(failures.length === 0 ? `\nAll ${chosen.length} checks passed.` : '\nFailed.');
	// Jest has a report of its own.
	const testResults = failures.filter(({ name }) => name !== 'tests');
	const numFailedTests = testResults.length;
	const report = { numPassedTests: others.length - numFailedTests, numFailedTests, testResults };
	writeFileSync(join(projectFolder, STATE, 'report-checks.json'), JSON.stringify(report));
	process.exitCode = failures.length === 0 ? 0 : 1;
}

/** Runs one check and shows its progress. Answers why it failed. */
async function runCheck(name: string): Promise<string | undefined> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	const tick = setInterval(() => console.log(`  … ${name} (${elapsed()})`), TICK_MS);
	try {
		await checks[name]();
		console.log(`✓ ${name} (${elapsed()})`);
		return undefined;
	} catch (error) {
		console.log(`✗ ${name} (${elapsed()})`);
		return (error as Error).message;
	} finally {
		clearInterval(tick);
	}
}

void verify(process.argv.slice(2));
