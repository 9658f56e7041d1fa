import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packPackage, unpackTarball } from '../../host/packages';
import { findPlace, projectFolder } from '../../host/places';
import { printCoverage } from './coverage';
import { lintDescriptions } from './description';
import { checkLinks } from './links';
import { checkOperationsTable } from './operationsTable';
import { copyBesideTools, scanPackage, SHIPPED_SOURCES } from './scan';

/** In bytes: an accidental file is noticed. */
const MAX_TARBALL_SIZE = 250_000;
const TICK_MS = 15_000;
const state = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway');
const reports = join(state, 'reports');

/** Runs a program of the checkout, or another one. Throws with all it printed. */
function execute(file: string, args: string[], cwd = projectFolder): Promise<string> {
	const [command, ...first] = file.endsWith('js') ? [process.execPath, file] : [file];
	return new Promise((resolve, reject) => {
		execFile(command, [...first, ...args], { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) => {
			const output = stripVTControlCharacters(`${stdout}${stderr}`).trim();
			if (error) reject(new Error(output || error.message));
			else resolve(output);
		});
	});
}

/** Runs a check on a copy of the shipped sources inside the folder of n8n's tools. */
async function onCopy(names: string[], check: (folder: string) => Promise<unknown>): Promise<void> {
	const copy = copyBesideTools(names);
	try {
		await check(copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

const n8nLint = join(findPlace('verification'), 'node_modules', '.bin', 'n8n-node');

const checks: Record<string, () => Promise<unknown>> = {
	build: () => execute('node_modules/gulp/bin/gulp.js', ['ship']),
	tests: async () => {
		const suites = ['--selectProjects', 'spec', '--silent', '--forceExit'];
		const coverage = process.env.COVERAGE ? ['--coverage'] : [];
		const report = ['--json', `--outputFile=${join(reports, 'tests.json')}`];
		await execute('node_modules/jest/bin/jest.js', [...suites, ...coverage, ...report]).catch(
			async (error) => {
				// The failures alone, without the files that passed.
				await execute('tools/setup/count.mjs', ['tests']);
				throw error;
			},
		);
		if (process.env.COVERAGE) printCoverage(join(reports, 'coverage-final.json'));
	},
	types: () =>
		execute('node_modules/typescript/bin/tsc', [
			...['--noEmit', '-p', '.', '--incremental'],
			...['--tsBuildInfoFile', join(state, 'types.tsbuildinfo')],
		]),
	format: () =>
		execute('node_modules/prettier/bin/prettier.cjs', [
			...['--check', '.', '--cache', '--cache-strategy', 'content'],
			...['--cache-location', join(state, 'format')],
		]),
	lint: () =>
		onCopy(SHIPPED_SOURCES, async (copy) => {
			const output = await execute(n8nLint, ['lint'], copy);
			if (/\d+ problems? \(/.test(output)) throw new Error(output);
		}),
	oxlint: () => execute('node_modules/oxlint/bin/oxlint', ['--type-aware']),
	knip: () => execute('node_modules/knip/bin/knip.js', []),
	description: () => lintDescriptions(execute),
	scan: () => onCopy(SHIPPED_SOURCES, (copy) => scanPackage(copy, 'sources')),
	tarball: () =>
		onCopy([], async (copy) => {
			const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
			const tarball = await packPackage(projectFolder, folder);
			const { size } = statSync(tarball);
			await unpackTarball(tarball, copy);
			rmSync(folder, { recursive: true });
			if (size > MAX_TARBALL_SIZE) throw new Error(`The tarball has ${size} bytes.`);
			await scanPackage(copy, 'tarball');
		}),
	links: checkLinks,
	operations: checkOperationsTable,
};

/** Runs the checks named, or all: the tests beside all others, which begin with the build. */
async function verify(names: string[]): Promise<void> {
	mkdirSync(reports, { recursive: true });
	const unknown = names.filter((name) => !(name in checks));
	if (unknown.length > 0)
		throw new Error(
			`No check is called ${unknown.join()}. There are: ${Object.keys(checks).join(', ')}`,
		);
	const chosen = names.length === 0 ? Object.keys(checks) : names;
	const failures: Array<{ name: string; status: 'failed'; message: string }> = [];
	const runAll = async (lane: string[]) => {
		for (const name of lane.filter((each) => chosen.includes(each))) {
			const message = await runCheck(name);
			if (message !== undefined) failures.push({ name, status: 'failed', message });
		}
	};
	const others = Object.keys(checks).filter((name) => name !== 'tests');
	await Promise.all([runAll(['tests']), runAll(others)]);
	for (const { name, message } of failures) console.log(`\n✗ ${name}\n\n${message}`);
	console.log(failures.length === 0 ? `\nAll ${chosen.length} checks passed.` : '\nFailed.');
	// Jest has a report of its own.
	const own = failures.filter(({ name }) => name !== 'tests');
	const numPassedTests = chosen.filter((name) => name !== 'tests').length - own.length;
	const report = { numPassedTests, numFailedTests: own.length, testResults: own };
	writeFileSync(join(reports, 'checks.json'), JSON.stringify(report));
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
