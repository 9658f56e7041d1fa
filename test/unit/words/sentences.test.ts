import {
	countWords,
	listPages,
	LONGEST,
	readPage,
	readSentences,
	splitSentences,
} from '../../../tools/words/pages';
import { listTexts } from '../../../tools/words/texts';

/** Two screens. */
const MOST_LINES = 100;
/** More than one screen. */
const LONG_PAGE = 60;
/** What lists all there is, to be searched and not read. */
const LONG = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'examples/README.md',
	'docs/troubleshooting.md',
];

it('counts the words of each sentence, item and cell, without Markdown', () => {
	const page = [
		'# Not a sentence of this page',
		'The *first* [one of them](page.md) has `x y` words. n8n begins',
		'the second of them.',
		'',
		'- An item of a list',
		'```',
		'Code is not a sentence here.',
		'```',
		'| a label | a cell that is read |',
	].join('\n');
	expect(readSentences('page.md', page)).toEqual([
		{ page: 'page.md', line: 2, text: 'The first one of them has x y words.', words: 9 },
		{ page: 'page.md', line: 2, text: 'n8n begins the second of them.', words: 6 },
		{ page: 'page.md', line: 5, text: 'An item of a list', words: 5 },
		{ page: 'page.md', line: 9, text: 'a cell that is read', words: 5 },
	]);
});

it(`fewer than one sentence in twenty has over ${LONGEST} words`, () => {
	const sentences = listPages().flatMap((page) => readSentences(page));
	const long = sentences.filter(({ words }) => words > LONGEST);
	expect(sentences.length).toBeGreaterThan(1000);
	expect(long.length / sentences.length).toBeLessThan(0.05);
});

it('so it is with the texts of the editor, the log, the examples and the demo', () => {
	const sentences = listTexts().flatMap(({ text }) => text.split('\n').flatMap(splitSentences));
	const long = sentences.filter((sentence) => countWords(sentence) > LONGEST);
	expect(sentences.length).toBeGreaterThan(800);
	expect(long.length / sentences.length).toBeLessThan(0.05);
});

it.each(listPages().filter((page) => !LONG.includes(page)))(
	'%s has two screens at most',
	(page) => {
		expect(readPage(page).trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
	},
);

/** How GitHub names a heading in a link. */
const toAnchor = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\d\s-]/gu, '')
		.replace(/\s/g, '-');

it.each(listPages().filter((page) => page.startsWith('docs/')))(
	'%s lists its parts at the top, if it is long',
	(page) => {
		const [top, ...parts] = readPage(page).split(/^## /m);
		if (readPage(page).trimEnd().split('\n').length <= LONG_PAGE) return;
		const headings = parts.map((part) => part.split('\n', 1)[0]);
		expect(headings.filter((heading) => !top.includes(`(#${toAnchor(heading)})`))).toEqual([]);
	},
);
