import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { LONGEST, readSentences, splitSentences } from '../../../tools/words/pages';
import { AVOIDED, OPENINGS } from '../../../tools/words/vocabulary';
import { putAmong } from '../aroundScript';

// What is read of a project of these files alone, and what is found in it.

const script = join('tools', 'words', 'texts.ts');
const LONG = `One ${'more '.repeat(18)}word.`;
const TOO_LONG = `One ${'more '.repeat(19)}word.`;
const folder = putAmong(script, {
	'host/places.ts':
		"import { join } from 'node:path';\nexport const projectFolder = join(__dirname, '..');",
	'nodes/deep/a.ts': [
		"import { bread } from 'a library';",
		"const name = 'one-word';",
		"const hint = 'Two words';",
		'const told = `There are ${name} and ${hint} here`;',
		'const path = /no text/;',
	].join('\n'),
	'nodes/deep/a.json': '{"text": "not of a source"}',
	'credentials/b.ts': "export const b = 'In a credential';",
	'simulator/page/c.js': "const c = 'On the page';",
	'simulator/page/d.html': '<html>\n<p>Of <b>this</b> page</p>\n</html>',
	'tools/demo/e.html': '<p>In the demo</p>',
	'tools/demo/f.json': '\t"subject": "A mail of the demo",',
	'examples/g.json': [
		...['content', 'notes', 'formTitle', 'formDescription', 'message', 'text', 'html'].map(
			(key) => `\t"${key}": "Of ${key} \\"here\\"",`,
		),
		'\t"name": "Not for people"',
	].join('\n'),
	'README.md': `${LONG}\n\n${TOO_LONG}\n\nThird of four words.\n`,
	'SECURITY.md': 'A page of five words.\n',
	'CONTRIBUTING.md': 'A page of five words.\n',
	'examples/README.md': 'A page of five words.\n',
	'docs/deep/h.md': `\n\n${TOO_LONG}\n`,
	'docs/h.txt': 'No page at all here.\n',
});

beforeAll(() => {
	symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
	for (const name of ['pages.ts', 'print.ts', 'sentences.ts'])
		cpSync(join(projectFolder, 'tools', 'words', name), join(folder, 'tools', 'words', name));
});

function print(name: string): string {
	const file = join(folder, 'tools', 'words', name);
	const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
	});
	return stdout + stderr;
}

it('`npm run texts` prints every text that a person sees, by its file and line, and no other', () => {
	expect(print('print.ts')).toBe(
		`
nodes/deep/a.ts
3: Two words
4: There are … and … here

credentials/b.ts
1: In a credential

simulator/page/c.js
1: On the page

examples/g.json
1: Of content "here"
2: Of notes "here"
3: Of formTitle "here"
4: Of formDescription "here"
5: Of message "here"
6: Of text "here"
7: Of html "here"

tools/demo/f.json
1: A mail of the demo

simulator/page/d.html
2: Of this page

tools/demo/e.html
1: In the demo
`,
	);
});

it('`npm run sentences` prints each sentence that is too long, the length of each page, and the share', () => {
	expect(print('sentences.ts')).toBe(`README.md:3 (21) ${TOO_LONG}
docs/deep/h.md:3 (21) ${TOO_LONG}
README.md: 5 lines
SECURITY.md: 1 lines
CONTRIBUTING.md: 1 lines
examples/README.md: 1 lines
docs/deep/h.md: 3 lines
2 of 7 sentences have over 20 words: 28.6 %.
`);
});

it('a sentence may have as many words as CONTRIBUTING says', () => {
	const rules = readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8');
	expect(rules).toContain(`sentences of at most ${LONGEST} words`);
});

it.each([
	['Write it there, e.g. Tuesday, and go on. Then you press Publish.', 2],
	['Write it there, i.e. Tuesday, and go on.', 1],
	['It costs 4.5 seconds in all.', 1],
	['Is that so? “It is indeed,” she said.', 1],
	['Call it a day! n8n goes on alone. npm does so too, also.', 3],
	['Only three words.', 0],
])('%s has %i sentences', (text, count) => {
	expect(splitSentences(text)).toHaveLength(count);
});

it('each row of a table is read by its cells, and what follows it is a piece of its own', () => {
	const page = [
		'| a cell that is read | another cell to be \\| read |',
		'And the text behind the table.',
		'2. The second of some items.',
		'<!-- A comment for nobody else. -->',
		'![A picture of some bread](a.png)',
		'```sh',
		'A command of several words',
		'```',
		'The last [of the words](a.md) here.',
	].join('\n');
	expect(readSentences('page.md', page).map(({ line, text }) => [line, text])).toEqual([
		[1, 'a cell that is read'],
		[1, 'another cell to be \\| read'],
		[2, 'And the text behind the table.'],
		[3, 'The second of some items.'],
		[9, 'The last of the words here.'],
	]);
});

describe('the vocabulary', () => {
	const finds = (text: string) => AVOIDED.filter(({ word }) => word.test(text)).length;

	it.each([
		'It mends the webhook',
		'That was mending',
		'It looks after the trigger',
		'looked after',
		'The question is asleep',
		'The trigger goes deaf',
		'It rests until then',
		'It rides along',
		'a rider',
		'It stays away',
		'put off',
		'putting off',
		'It is postponed',
		'You are told why',
		'It was not told',
		'relayed messages',
		'It hands messages on',
		'hand it on',
		'a journal of tries',
		'on the shelf',
		'the self-check',
		'Whoever reads it',
		'all the same',
		'the API document',
		'the gateway’s document',
		"the gateway's document",
	])('objects to: %s', (text) => {
		expect(finds(text)).toBe(1);
	});

	it.each([
		'It recommends what to amend',
		'It looks for it afterwards',
		'The rest of it arrests nobody',
		'It overrides the stride',
		'It puts the output off-screen',
		'Who told you?',
		'your gateway’s API documentation',
		'It hands on nothing',
	])('lets pass: %s', (text) => {
		expect(finds(text)).toBe(0);
	});

	it.each([
		['What arrived is kept.', true],
		['That it is so helps.', true],
		['Whoever asks is answered.', true],
		['What is that?', false],
		['Whatever comes is kept.', false],
		['It is what it is.', false],
	])('how a sentence begins: %s %s', (sentence, isAvoided) => {
		expect(OPENINGS.test(sentence)).toBe(isAvoided);
	});
});
