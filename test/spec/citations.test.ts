import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../lab/host/places';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

const api = read('docs/api.md');
const SECTIONS = [...api.matchAll(/^## (\d+)\. /gm)].map(([, section]) => section);
const RULES = [...api.matchAll(/^(?:\| )?\*\*(\d+\.\d+)\b/gm)].map(([, rule]) => rule);

const sources = globSync('{nodes,credentials,lab,test}/**/*.{ts,js,mjs,cjs,css,html,md}', {
	cwd: projectFolder,
}).map((path) => ({ path, text: read(path) }));

/** All that is cited in the sources, with the files that cite it. */
function findCitations(pattern: RegExp): Array<{ path: string; cited: string }> {
	return sources.flatMap(({ path, text }) =>
		[...text.matchAll(pattern)].map(([, cited]) => ({ path, cited })),
	);
}

it('docs/api.md numbers its sections and rules from 1 without a gap', () => {
	expect(SECTIONS).toEqual(SECTIONS.map((_, index) => String(index + 1)));

	const expected = SECTIONS.flatMap((section) => {
		const own = RULES.filter((rule) => rule.startsWith(`${section}.`));
		return own.map((_, index) => `${section}.${index + 1}`);
	});
	expect(RULES).toEqual(expected);
});

it('each rule of the API that a comment cites is in docs/api.md', () => {
	// `API 7.2`, and each further number of `API 7.2, 9.1 and 12`. A line of a comment may end between them.
	const cited = findCitations(
		/\bAPI[\s*]+((?:\d+(?:\.\d+)?(?:, | to |[\s*]+and[\s*]+)?)+)/g,
	).flatMap(
		({ path, cited: numbers }) =>
			numbers.match(/\d+(\.\d+)?/g)?.map((number) => ({ path, number })) ?? [],
	);
	const known = new Set([...SECTIONS, ...RULES]);

	expect(cited.length).toBeGreaterThan(30);
	expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
});

it('each assumption that a comment cites is in docs/gaps.md', () => {
	const cited = findCitations(/\bassumptions? (A\d+)\b/g);
	const table = read('docs/gaps.md');

	expect(cited.length).toBeGreaterThan(0);
	expect(cited.filter(({ cited: row }) => !table.includes(`| ${row} |`))).toEqual([]);
});

it('no comment cites the API documentation by the title of a section', () => {
	// Also if a line of a comment ends between the two words.
	const old = new RegExp(`${'API'}[\\s*]+document(?!ation)`);

	expect(sources.filter(({ text }) => old.test(text)).map(({ path }) => path)).toEqual([]);
});
