import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from '../../host/places';

const SOURCES = join(projectFolder, 'nodes', 'MessagingGateway');
const FOLDERS = ['trigger', 'incoming', 'question', 'action', 'gateway'];
const MIN_BRANCHES = 0.95;

/** Istanbul's report of one file; V8 gives a branch one place, and a line for each statement. */
interface FileCoverage {
	path: string;
	s: Record<string, number>;
	b: Record<string, number[]>;
	branchMap: Record<string, { loc: { start: { line: number } } }>;
}

/** Prints the lines and branches that the tests have run, and names the others of a folder with too few. */
export function printCoverage(report: string): void {
	const files = Object.values(
		JSON.parse(readFileSync(report, 'utf8')) as Record<string, FileCoverage>,
	);
	for (const folder of FOLDERS) {
		const own = files.filter(({ path }) => path.startsWith(join(SOURCES, folder)));
		const lines = own.flatMap(({ s }) => Object.values(s));
		const branches = own.flatMap(({ path, b, branchMap }) =>
			Object.entries(b).map(([key, [count]]) => ({
				count,
				place: `${relative(SOURCES, path)}:${branchMap[key].loc.start.line}`,
			})),
		);
		const missing = branches.filter(({ count }) => count === 0);
		const share = (covered: number, all: number) => `${((covered / all) * 100).toFixed(1)} %`;
		const covered = branches.length - missing.length;
		const run = lines.filter((count) => count > 0).length;
		console.log(
			`  ${folder}: ${share(run, lines.length)} of the lines, ${share(covered, branches.length)} of the branches`,
		);
		if (covered / branches.length < MIN_BRANCHES)
			console.log(missing.map(({ place }) => `    not run: ${place}`).join('\n'));
	}
}
