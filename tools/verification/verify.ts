import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../host/places';
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

/** `build` is over before the others begin: they read what it has written. */
type Lane = 'build' | 'here' | 'engine';

interface NamedCheck {
	name: string;
	run: Check;
	/** Whether its tests are counted one by one, in a report of its own. */
	isSuite?: true;
	/** Checks of one lane run one after another, and the lanes beside each other. Three would make tests wait for the machine. */
	lane: Lane;
}

interface Failed {
	check: NamedCheck;
	/** In the words of the tool that looked. */
	finding: string;
}

const runSuite = (name: string, project: 'unit' | 'spec' | 'engine'): NamedCheck => ({
	name,
	run: runTests(project),
	isSuite: true,
	lane: project === 'unit' ? 'here' : 'engine',
});

const checks: Record<string, NamedCheck> = {
	types: { name: 'Type check', run: checkTypes, lane: 'here' },
	format: { name: 'Format', run: checkFormat, lane: 'here' },
	lint: { name: "n8n's lint", run: lintSources, lane: 'here' },
	description: {
		name: "n8n's lint of what the nodes show",
		run: lintDescriptions,
		lane: 'here',
	},
	scan: { name: "n8n's scan of the sources", run: scanSources, lane: 'here' },
	build: { name: 'Build', run: buildPackage, lane: 'build' },
	tarball: { name: "n8n's scan of the tarball", run: scanTarball, lane: 'here' },
	links: { name: 'Links and pictures of the documentation', run: checkLinks, lane: 'here' },
	operations: {
		name: 'Table of operations in the documentation',
		run: checkOperationsTable,
		lane: 'here',
	},
	unit: runSuite('Unit tests', 'unit'),
	engine: runSuite("Tests in n8n's engine", 'engine'),
	spec: runSuite('Tests beside the sources', 'spec'),
};

/**
 * Runs the checks named, or all. A failed one does not keep the others from telling theirs. What was found comes last,
 * where a person looks.
 */
async function verify(names: string[]): Promise<void> {
	mkdirSync(reports, { recursive: true });
	rmSync(join(reports, 'checks.json'), { force: true });
	const chosen = names.length === 0 ? Object.values(checks) : names.map(findCheck);
	const failed: Failed[] = [];
	const lookAlong = async (lane: Lane) => {
		for (const check of chosen.filter((each) => each.lane === lane)) {
			const finding = await look(check);
			if (finding !== undefined) failed.push({ check, finding });
		}
	};
	await lookAlong('build');
	await Promise.all((['engine', 'here'] as const).map(lookAlong));
	report(chosen, failed);
	for (const { check, finding } of failed) console.log(`\n✗ ${check.name}\n\n${finding}`);
	const failures = failed.map(({ check }) => check.name).join(', ');
	console.log(
		failed.length === 0 ? `\nAll ${chosen.length} checks passed.` : `\nFailed: ${failures}.`,
	);
	process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Runs one check and tells what came of it, and meanwhile that it is still at work. Gives what it found wrong. */
async function look({ name, run }: NamedCheck): Promise<string | undefined> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	const tick = setInterval(() => console.log(`  … ${name} (${elapsed()})`), TICK_MS);
	try {
		const detail = await run();
		console.log(`✓ ${name} (${elapsed()})${detail && `: ${detail}`}`);
		return undefined;
	} catch (error) {
		console.log(`✗ ${name} (${elapsed()})`);
		return error instanceof Finding ? error.message : String((error as Error).stack);
	} finally {
		clearInterval(tick);
	}
}

/** Leaves the result in the shape of jest's reports, so that both are counted alike. */
function report(chosen: NamedCheck[], failed: Failed[]): void {
	const own = failed.filter(({ check }) => !check.isSuite);
	const summary = {
		numPassedTests: chosen.filter(({ isSuite }) => !isSuite).length - own.length,
		numFailedTests: own.length,
		testResults: own.map(({ check, finding }) => ({
			name: check.name,
			status: 'failed',
			message: finding,
		})),
	};
	writeFileSync(join(reports, 'checks.json'), JSON.stringify(summary));
}

function findCheck(name: string): NamedCheck {
	const check = checks[name];
	if (check === undefined)
		throw new Error(`No check is called ${name}. There are: ${Object.keys(checks).join(', ')}`);
	return check;
}

void verify(process.argv.slice(2));
