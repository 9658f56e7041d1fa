import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT_KINDS } from '../../lab/bench/alphabets';
import { READERS, runReader, WIDE_READERS, type Reader } from '../../lab/bench/readers';
import { projectFolder } from '../../lab/host/places';

// No clock decides here: a machine may be busy. A reader whose time grows with the square of its
// text does not come to its end. `npm run bench` measures how the time of each reader grows.
const LENGTH = 512 * 1024;

// A reader takes seconds for all alphabets, and a busy machine ten times as long.
jest.setTimeout(180_000);

/** A letter at the end is what a search for the end of a text stumbles over. */
const TEXTS = TEXT_KINDS.filter(({ isBare }) => !isBare).map(({ write }) => write(LENGTH));

describe.each(READERS)('$name', (reader) => {
	it('comes to its end with a text of 512k characters of each alphabet', async () => {
		let ended = 0;
		for (const text of TEXTS) {
			await runReader(reader, text);
			ended += 1;
		}
		expect(ended).toBe(TEXTS.length);
	});
});

describe.each(WIDE_READERS)('$name', (reader) => {
	it('comes to its end with 64k fields or messages', async () => {
		await expect(runReader(reader, 'x'.repeat(LENGTH))).resolves.not.toBeInstanceOf(Error);
	});
});

const MARKS = '\u0301\u0316'.repeat(LENGTH / 2);

it('no reader hands a text of more than 500 characters to String.normalize, which is quadratic in marks', async () => {
	const lengths: number[] = [];
	const { normalize } = String.prototype;
	jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
		lengths.push(this.length);
		return normalize.call(this, form);
	});

	for (const reader of READERS) await runReader(reader, MARKS);

	expect(lengths).not.toEqual([]);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(500);
	jest.restoreAllMocks();
});

const DIGITS = '1'.repeat(LENGTH);

/** What becomes of a text that is longer than its reader allows. */
const OVER_A_LIMIT = [
	{
		name: 'readPhone',
		result: expect.objectContaining({ message: expect.stringContaining('is too long') }),
	},
	{ name: 'phoneKeyOf', result: DIGITS },
	{ name: 'fold', result: DIGITS },
	{ name: 'toPlainForm', result: DIGITS },
	{ name: 'parseTime', result: undefined },
	{
		name: 'readCountry',
		result: expect.objectContaining({ message: expect.stringContaining('is no country') }),
	},
	{ name: 'verifyDelivery of an ID', result: { kind: 'unsigned' } },
	{ name: 'verifyDelivery of a signature', result: { kind: 'unsigned' } },
	{ name: 'readAnswer', result: 'unclear' },
	{ name: 'readAnswer with such a label', result: 'unclear' },
];

it.each(OVER_A_LIMIT)('$name leaves 512k digits unread', async ({ name, result }) => {
	const reader = READERS.find((each) => each.name === name) as Reader;
	expect(await runReader(reader, DIGITS)).toEqual(result);
});

/** Functions beside the readers that read no such text, or pass it to one of the readers. */
const NO_READERS = [
	'GatewayError',
	'accountOf',
	'bearerOf',
	'changeData',
	'chatKeyOf',
	'composeUrl',
	'displayNameOf',
	'encrypt',
	'fingerprint',
	'isFromN8n',
	'isIdOfDigits',
	'isListable',
	'isManualSetup',
	'isObject',
	'isQuoting',
	'isSameChat',
	'isTest',
	'joinSentences',
	'keyOf',
	'leadsTo',
	'listCountries',
	'listLabels',
	'listQuestions',
	'objectIn',
	'ownToken',
	'ownerOf',
	'parsePhoneNumberFromString',
	'readCredentialSecret',
	'readField',
	'readFlag',
	'readGroup',
	'readItems',
	'readList',
	'readListing',
	'readOption',
	'readParameter',
	'readPause',
	'readQuestion',
	'readResult',
	'readSaved',
	'readSubscribedEvents',
	'readValues',
	'rejection',
	'statusStepOf',
	'tellOutcome',
	'textIn',
	'toMessageError',
];

it('each function beside a reader, or named like one, is a reader or known to read nothing', () => {
	const nodes = join(projectFolder, 'nodes', 'MessagingGateway');
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
	const sources = files.filter((file) => file.endsWith('.ts') && file !== 'libraries.ts');
	const readers = [...READERS, ...WIDE_READERS].map(({ name }) => name.split(' ')[0]);

	const missing = sources.flatMap((file) => {
		const names = namesOfFunctions(join(nodes, file));
		const isBesideReader = names.some((name) => readers.includes(name));
		const suspects = names.filter((name) => isBesideReader || /^(?:read|parse)/.test(name));
		return suspects.filter((name) => !readers.includes(name) && !NO_READERS.includes(name));
	});

	expect(missing).toEqual([]);
});

function namesOfFunctions(path: string): string[] {
	const exported = Object.entries(jest.requireActual<object>(path));
	return exported.filter(([, value]) => typeof value === 'function').map(([name]) => name);
}
