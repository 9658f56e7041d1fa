import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../test/host/places';
import {
	buildPackage,
	checkFormat,
	checkTypes,
	lintSources,
	runTests,
	scanSources,
	scanTarball,
	type Check,
} from './checks';
import { Finding } from './command';
import { lintDescriptions } from './description';
import { checkLinks } from './links';
import { checkOperationsTable } from './operationsTable';

const TICK_MS = 15_000;
const reports = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway', 'reports');

interface NamedCheck {
	name: string;
	run: Check;
	/** Where its tests are counted one by one. */
	report?: string;
}

const runSuite = (name: string, project: string): NamedCheck => {
	const report = join(reports, `${project}.json`);
	return { name, run: runTests([project], report), report };
};

const checks: Record<string, NamedCheck> = {
	types: { name: 'Type check', run: checkTypes },
	format: { name: 'Format', run: checkFormat },
	lint: { name: "n8n's lint", run: lintSources },
	description: { name: "n8n's lint of what the nodes show", run: lintDescriptions },
	scan: { name: "n8n's scan of the sources", run: scanSources },
	build: { name: 'Build', run: buildPackage },
	tarball: { name: "n8n's scan of the tarball", run: scanTarball },
	links: { name: 'Links and pictures of the documentation', run: checkLinks },
	operations: { name: 'Table of operations in the README', run: checkOperationsTable },
	unit: runSuite('Unit tests', 'unit'),
	engine: runSuite("Tests in n8n's engine", 'engine'),
};

/** Runs the checks named, or all, one after another; a failed one does not keep the others from telling theirs. */
async function verify(names: string[]): Promise<void> {
	mkdirSync(reports, { recursive: true });
	rmSync(join(reports, 'checks.json'), { force: true });
	const chosen = names.length === 0 ? Object.values(checks) : names.map(findCheck);
	const failed: NamedCheck[] = [];
	for (const check of chosen) {
		if (!(await passes(check))) failed.push(check);
	}
	report(chosen, failed);
	const failures = failed.map(({ name }) => name).join(', ');
	console.log(
		failed.length === 0 ? `\nAll ${chosen.length} checks passed.` : `\nFailed: ${failures}.`,
	);
	process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Runs one check and tells what came of it, and meanwhile that it is still at work. */
async function passes({ name, run }: NamedCheck): Promise<boolean> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	const tick = setInterval(() => console.log(`  … ${name} (${elapsed()})`), TICK_MS);
	try {
		const detail = await run();
		console.log(`✓ ${name} (${elapsed()})${detail && `: ${detail}`}`);
		return true;
	} catch (error) {
		console.log(`✗ ${name} (${elapsed()})`);
		console.log(`\n${error instanceof Finding ? error.message : (error as Error).stack}\n`);
		return false;
	} finally {
		clearInterval(tick);
	}
}

/** Leaves the result in the shape of jest's reports, so that both are counted alike. */
function report(chosen: NamedCheck[], failed: NamedCheck[]): void {
	const count = (some: NamedCheck[]) => some.filter((check) => check.report === undefined).length;
	const summary = { numPassedTests: count(chosen) - count(failed), numFailedTests: count(failed) };
	writeFileSync(join(reports, 'checks.json'), JSON.stringify(summary));
}

function findCheck(name: string): NamedCheck {
	const check = checks[name];
	if (check === undefined)
		throw new Error(`No check is called ${name}. There are: ${Object.keys(checks).join(', ')}`);
	return check;
}

void verify(process.argv.slice(2));
