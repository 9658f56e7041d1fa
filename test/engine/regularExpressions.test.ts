import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { PACKAGE_ROOT } from './engine';

// Whatever a gateway, a sender of deliveries or a cell of a table may hold, no regular expression of the package may
// take more than a time in proportion to its length.

const SHIPPED = join(PACKAGE_ROOT, 'dist');

/** Lengths in characters. A linear expression takes as long for each character of all of them, a quadratic one ten times as long. */
const LENGTHS = [1_000, 10_000, 100_000];
const MOST_GROWTH = 4;
const TRIES = 6;

/** Short enough for what is exponential to end, and long enough to see that it is. */
const SHORT = 22;
const MOST_LOOKS_WHERE_SHORT = 10_000;

/** Reads no text of more than 250 characters, and makes expressions of what it knows of each country alone. */
const READS_LITTLE = join('libraries', 'libphonenumber-js-min.js');

/** What is one in the shipped files: written there, or to be made while they run. */
const written: RegExp[] = [];
const makers = new Set<string>();

/** File, line and column, as in a stack trace. */
function placeOf(source: ts.SourceFile, node: ts.Node): string {
	const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
	return `${relative(SHIPPED, source.fileName)}:${line + 1}:${character + 1}`;
}

function collect(source: ts.SourceFile, node: ts.Node): void {
	ts.forEachChild(node, (child) => collect(source, child));
	if (ts.isRegularExpressionLiteral(node)) {
		const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
		written.push(new RegExp(pattern, flags));
	}
	if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
	if (node.expression.getText(source) !== 'RegExp') return;
	const [pattern, flags] = node.arguments ?? [];
	// So the bundler writes what not every version of Node could read.
	if (pattern && flags && ts.isStringLiteral(pattern) && ts.isStringLiteral(flags))
		written.push(new RegExp(pattern.text, flags.text));
	else makers.add(placeOf(source, node));
}
for (const name of readdirSync(SHIPPED, { recursive: true, encoding: 'utf8' })) {
	if (!name.endsWith('.js') || name === READS_LITTLE) continue;
	const file = join(SHIPPED, name);
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	collect(source, source);
}

const CHARACTERS = [
	...'aAx10 \t\n.,-+()[]/\\<>&#;:%=_"@|*?!$^~',
	'\u0300',
	'\u2212',
	'\u00a0',
	'é',
	'中',
	'😀',
	'\ud800',
];

/** What leads far into an expression: the words in it, and what its classes stand for. */
function wordsIn({ source: pattern }: RegExp): string[] {
	const plain = pattern
		.replace(/\\u\{?([0-9a-f]{4})\}?/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		.replaceAll('\\d', '1')
		.replaceAll('\\s', ' ')
		.replaceAll('\\S', 'a')
		.replaceAll('\\w', 'a')
		.replace(/\\p\{M\}/g, '\u0300')
		.replace(/\\p\{(?:Zs|Cf|Pd|L|Cc)\}/g, 'a')
		.replace(/\\(.)/g, '$1');
	const words = plain.match(/[^()[\]{}|*+?^$]+/g) ?? [];
	return [...new Set(words)].slice(0, 8);
}

/** Texts that make an expression begin often, go far and end in vain. */
function* attack(expression: RegExp): Generator<Attack> {
	const words = wordsIn(expression);
	const pumps = [
		...CHARACTERS,
		...words,
		...words.slice(0, 4).flatMap((one) => words.slice(0, 4).map((other) => one + other)),
		...words.slice(0, 4).flatMap((word) => [' ', '.', '1', 'a'].map((end) => word + end)),
	];
	const beginnings = new Set(['', words[0] ?? '', words.slice(0, 2).join(''), words.join('')]);
	for (const pump of new Set(pumps))
		for (const before of beginnings)
			for (const after of ['', ' \u0000', '\n'])
				yield (length) =>
					before + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + after;
}

/** In milliseconds: the least of some tries, which is what the work itself takes. */
function timeOf(work: () => void, tries = TRIES): number {
	let least = Infinity;
	for (let tried = 0; tried < tries; tried++) {
		const begin = performance.now();
		work();
		least = Math.min(least, performance.now() - begin);
	}
	return least;
}

function look(text: string): void {
	let sum = 0;
	for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
	if (sum === 0) throw new Error('Nothing to look at');
}

/** What it takes on this machine, just now, to look at one character. */
const timeOfLook = () => timeOf(() => look('a'.repeat(LENGTHS[1]))) / LENGTHS[1];

/** What an expression takes for each character, with whoever looks for all that it matches. */
function costOf(expression: RegExp, text: string, tries?: number): number {
	const all = new RegExp(expression.source, [...new Set(`${expression.flags}g`)].join(''));
	return timeOf(() => void text.replace(all, ''), tries) / text.length;
}

type Attack = (length: number) => string;

const describe20 = (make: Attack) => JSON.stringify(make(20));

/** The texts that cost most, of those that do not already cost too much. */
function findWorst(expression: RegExp): Attack[] {
	const most = MOST_LOOKS_WHERE_SHORT * timeOfLook();
	const costs: Array<{ cost: number; make: Attack }> = [];
	for (const make of attack(expression)) {
		if (costOf(expression, make(SHORT), 1) > most && costOf(expression, make(SHORT)) > most)
			throw new Error(`Exponential: ${describe20(make)}`);
		costs.push({ cost: costOf(expression, make(LENGTHS[0]), 2), make });
	}
	costs.sort((one, other) => other.cost - one.cost);
	return costs.slice(0, 5).map(({ make }) => make);
}

function expectLinear(expression: RegExp): void {
	for (const make of findWorst(expression)) {
		const grows = (shorter: string, longer: string): boolean => {
			// What does next to nothing is not measured against nothing.
			const before = Math.max(costOf(expression, shorter), timeOfLook());
			return costOf(expression, longer) > MOST_GROWTH * before;
		};
		for (const [index, length] of LENGTHS.slice(1).entries()) {
			const texts = [make(LENGTHS[index]), make(length)] as const;
			// Again, so that a busy machine does not decide; it interrupts what takes long more often.
			let left = length === LENGTHS.at(-1) ? 6 : 2;
			while (left > 0 && grows(...texts)) left--;
			if (left === 0)
				throw new Error(`Worse than linear with ${length} characters like ${describe20(make)}`);
		}
	}
}

it('are found, and none is made of what the package reads', () => {
	expect(written.length).toBeGreaterThan(50);
	expect([...makers]).toEqual([]);
});

it.each([...new Map(written.map((expression) => [String(expression), expression]))])(
	'%s is linear',
	(_text, expression) => expectLinear(expression),
);

it.each([/\/+$/, /[.\s]+$/, /webhook.*not registered/i, /^https?:\/\/[^\s/?#]+\S*$/i, /^(a+)+$/])(
	'%s is not, and this is seen',
	(expression) => {
		expect(() => expectLinear(expression)).toThrow(/Worse than linear|Exponential/);
	},
);
