/** A unit that is repeated, or several, each repeated before the next. */
type Alphabet = string[];

/** Marks in falling classes, Latin, Arabic and Hebrew marks, and letters that become marks. */
const MARKS: Alphabet[] = [
	['\u0345', '\u035D', '\u035C', '\u0301', '\u0316', '\u0591', '\u093C', '\u0334'],
	['\u0301\u0316'],
	['\u064B\u0651'],
	['\u05B0\u05BC\u0591'],
	['e\u0301'],
	['\uFF9E\u0301'],
	['ﷺ'],
	['ß'],
];

/** Signs that nobody sees, half a sign, and signs of several code points. */
const SIGNS: Alphabet[] = [
	['\u200B'],
	['\u200D'],
	['\u202E\u2066'],
	['\uFE0F\u20E3'],
	['\uD800'],
	['\0'],
	['👨‍👩‍👧'],
	['👍🏽'],
	['🇧🇷'],
];

const SPACES: Alphabet[] = [
	[' '],
	['\u00A0'],
	['\n'],
	['\n '],
	['\t,'],
	['1 '],
	['= '],
	['domain '],
];

/** What our own readers look for: paths, digits, separators, expressions, HTML, tokens. */
const SYNTAX: Alphabet[] =
	'/ /1 /. \\ . ..;/ - 1- ( 1 ٣ ३ 𝟗 １ + @ : , a, ; = { {a} [ % %2f " \' “ & &# < <a * _ # svc_inst_'
		.split(' ')
		.map((unit) => [unit]);

const ONE_AFTER_ANOTHER: Alphabet[] = [
	['a', '=', 'b', '\t'],
	['1', '/'],
	['\u00A0', '1', '\u00A0', '/'],
	['a', '.'],
	['1', '٣', '\u0301\u0316'],
];

const ALPHABETS: Alphabet[] = [...MARKS, ...SIGNS, ...SPACES, ...SYNTAX, ...ONE_AFTER_ANOTHER];

/** A kind of text that people and models may write, at any length. */
export interface TextKind {
	name: string;
	/** Whether nothing stands before and behind the signs of the alphabet. */
	isBare: boolean;
	write(length: number): string;
}

/** Every alphabet, bare and between two letters. */
export const TEXT_KINDS: TextKind[] = ALPHABETS.flatMap((alphabet) => {
	const name = alphabet.map((unit) => JSON.stringify(unit)).join(' ');
	const write = (length: number) => writeText(alphabet, length);
	return [
		{ name, isBare: true, write },
		{
			name: `${name} between letters`,
			isBare: false,
			write: (length: number) => `x${write(length)}x`,
		},
	];
});

function writeText(alphabet: Alphabet, length: number): string {
	const share = length / alphabet.length;
	return alphabet.map((unit) => unit.repeat(Math.ceil(share / unit.length))).join('');
}
