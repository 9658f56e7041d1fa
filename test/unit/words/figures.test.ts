import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { listPages, readPage } from '../../../tools/words/pages';

const measured = readFileSync(join(projectFolder, 'tools', 'bench', 'RESULTS.md'), 'utf8');

/** Figures that were measured: a time or a size with its unit, and how many times as many. */
const FIGURE = /(?<![\w.,])\d[\d,.]*\d? (?:µs|ms|s|kB|MB|GB)\b|(?<![\w.,])\d[\d,.]*\d? times as/g;
/** The commands that print what they measure. */
const SUITE = /`npm run (bench|e2e:queue|e2e:alone( -- \w+)?)`/;

/** A page by its headings: what stands beside a figure stands in the same part. */
function readParts(page: string): string[] {
	return readPage(page).split(/^(?=#+ )/m);
}

const findFigures = (part: string) => [...part.matchAll(FIGURE)].map(([figure]) => figure);

it('knows figures from versions and counts', () => {
	expect(
		findFigures('4,051 ms and 1.59 times as long, in n8n 2.41 with 20 at once, 60 MB'),
	).toEqual(['4,051 ms', '1.59 times as', '60 MB']);
});

it.each(listPages().filter((page) => page.startsWith('docs/')))(
	'each figure in %s stands in RESULTS.md, or the suite that prints it stands beside it',
	(page) => {
		const unfounded = readParts(page)
			.filter((part) => !SUITE.test(part))
			.flatMap(findFigures)
			.filter((figure) => !measured.includes(figure.replace(/ times as$/, '')));
		expect(unfounded).toEqual([]);
	},
);

it.each(['docs/compared.md'])('each figure in the tables of %s stands in RESULTS.md', (page) => {
	const cells = readPage(page)
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.flatMap((line) => [...line.matchAll(/(?<=\| )\d[\d,.]*(?= ?(ms)? \|)/g)])
		.map(([figure]) => figure);
	expect(cells.length).toBeGreaterThan(10);
	expect(cells.filter((figure) => !measured.includes(figure))).toEqual([]);
});
