import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { listPages, readPage } from '../../../tools/words/pages';

const measured = readFileSync(join(projectFolder, 'tools', 'bench', 'RESULTS.md'), 'utf8');

/**
 * Figures that were measured: a size or a time with its unit, how many times as many, any fraction, and a cell that is
 * a number. Limits that we have set are written as words, such as "8.5 seconds".
 */
const FIGURE = new RegExp(
	[
		/\d[\d,.]* (?:µs|ms|s|kB|MB|GB)\b/,
		/\d[\d,.]*(?= times as)/,
		/\d+\.\d+(?! seconds)/,
		/(?<=\| \**)\d[\d,.]*(?=\** \|)/,
	]
		.map(({ source }) => `(?<![\\w.,+])${source}`)
		.join('|'),
	'g',
);
/** What stands before a version. */
const OF_VERSION = /(?:n8n|n8n before|n8n older than|Node\.js|Before n8n|yes,) $/;
/** Phone numbers, and statuses of HTTP. */
const IS_OTHER = /^(?:\d{8,}|401|404|503)$/;
/** The commands that print what they measure. */
const SUITES = /`npm run (bench|clean|e2e:weekly|e2e:queue|e2e:alone(?: -- (\w+))?)`/g;
/** In CONTRIBUTING.md, figures say how long commands take, and the README of examples has none. */
const PAGES = listPages().filter((page) => page !== 'CONTRIBUTING.md');

/** A page by its headings: what stands beside a figure stands in the same part. */
function readParts(page: string): string[] {
	return readPage(page)
		.replace(/^```[^]*?^```/gm, '')
		.split(/^(?=#+ )/m);
}

function findFigures(part: string): string[] {
	const plain = part.replace(/`[^`\n]*`/g, 'code').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
	return plain.split('\n').flatMap((line) =>
		[...line.matchAll(FIGURE)]
			.filter(({ index }) => !OF_VERSION.test(line.slice(0, index)))
			.map(([figure]) => figure)
			.filter((figure) => !IS_OTHER.test(figure)),
	);
}

/** Whether it stands there as a figure of its own, and not as the end of a longer one. */
function isMeasured(figure: string): boolean {
	return new RegExp(`(?<![\\d.,])${figure.replaceAll('.', '\\.')}(?![\\d]|[.,]\\d)`).test(measured);
}

const unfounded = (part: string) =>
	part.search(SUITES) >= 0 ? [] : findFigures(part).filter((figure) => !isMeasured(figure));

describe('a figure', () => {
	it.each([
		[
			'4,051 ms and 1.59 times as long, in n8n 2.41 with 20 at once, 60 MB',
			['4,051 ms', '1.59', '60 MB'],
		],
		['| up to 100 | 599 | yes, 2.6 | **0** |', ['599', '0']],
		['n8n handles 580 repeated ones a second, or 45.8', ['45.8']],
		['| `51 98765-4321` | 5551987654321 | 5 to 60 |', []],
	])('is found in %s', (line, figures) => {
		expect(findFigures(line)).toEqual(figures);
	});

	it('that nobody has measured is found, also if it is the end of a measured one', () => {
		const [, real] = /(\d,\d{3} ms)/.exec(measured) ?? [];
		expect(unfounded(`It took ${real}.`)).toEqual([]);
		expect(unfounded(`It took ${real.slice(2)}, and 77.77 a second.`)).toEqual([
			real.slice(2),
			'77.77',
		]);
		expect(unfounded('It took 77.77 s (`npm run bench`).')).toEqual([]);
	});
});

it.each(PAGES)(
	'each figure in %s stands in RESULTS.md, or the suite that prints it stands beside it',
	(page) => {
		expect(readParts(page).flatMap(unfounded)).toEqual([]);
	},
);

it('each suite that is named beside figures is there, and prints', () => {
	const names = PAGES.flatMap((page) =>
		[...readPage(page).matchAll(SUITES)].map(([, , name]) => name),
	).filter(Boolean);
	expect(names.length).toBeGreaterThan(3);
	const prints = (name: string) => {
		const file = join(projectFolder, 'test', 'real', 'alone', `${name}.test.ts`);
		return existsSync(file) && /\b(print|console\.log)\(/.test(readFileSync(file, 'utf8'));
	};
	expect([...new Set(names)].filter((name) => !prints(name))).toEqual([]);
});
