import { listPages, readPage, readSentences, splitSentences } from '../../../tools/words/pages';
import { listTexts } from '../../../tools/words/texts';
import { AVOIDED, OPENINGS } from '../../../tools/words/vocabulary';

/** Names of files and of fields, which are no words of a text. */
const CODE = /`[^`]*`/g;

interface Place {
	where: string;
	text: string;
}

const sentences: Place[] = listPages().flatMap((page) =>
	readSentences(page).map(({ line, text }) => ({ where: `${page}:${line}`, text })),
);
/** With headings, and without the sources that are shown to those who write code. */
const lines: Place[] = listPages()
	.filter((page) => page !== 'CONTRIBUTING.md')
	.flatMap((page) =>
		readPage(page)
			.split('\n')
			.map((text, index) => ({ where: `${page}:${index + 1}`, text })),
	);
const shown: Place[] = listTexts().map(({ file, line, text }) => ({
	where: `${file}:${line}`,
	text,
}));

it('finds the texts of nodes, credentials, examples and the demo', () => {
	const found = (part: string) => shown.some(({ where }) => where.startsWith(part));
	expect(
		['nodes/', 'credentials/', 'examples/', 'tools/demo/', 'simulator/page/'].map(found),
	).not.toContain(false);
	expect(shown.length).toBeGreaterThan(500);
});

it.each(AVOIDED)('no text says $word: $instead', ({ word }) => {
	const places = [...lines, ...sentences, ...shown].filter((place) =>
		word.test(place.text.replace(CODE, '')),
	);
	expect(places).toEqual([]);
});

it('no sentence begins with What, That or Whoever', () => {
	const texts = shown.flatMap(({ where, text }) =>
		text.split('\n').flatMap((line) => splitSentences(line).map((each) => ({ where, text: each }))),
	);
	expect([...sentences, ...texts].filter(({ text }) => OPENINGS.test(text))).toEqual([]);
});
