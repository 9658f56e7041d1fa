import {
	NumberList,
	openNumbers,
	putToken,
	readFurtherNumbers,
	readOption,
	resolveToken,
	UnknownNumber,
} from '../../../nodes/MessagingGateway/api/numbers';

const A = 'svc_inst_aaaaaaaaaaaaaaaa';
const B = 'svc_inst_bbbbbbbbbbbbbbbb';
const pairsIn = (text: string) => readFurtherNumbers(text).map(({ id, token }) => [id, token]);
const BOTH = [
	['inst_1', A],
	['inst_2', B],
];

describe('the list of further numbers', () => {
	it.each([
		['a comma', `inst_1, ${A}\ninst_2, ${B}`],
		['a comma without a space', `inst_1,${A}\ninst_2,${B}`],
		['a tab, as of a spreadsheet', `inst_1\t${A}\ninst_2\t${B}`],
		['spaces', `inst_1   ${A}\ninst_2 ${B}`],
		['an equals sign', `inst_1=${A}\ninst_2 = ${B}`],
		['a colon', `inst_1: ${A}\ninst_2:${B}`],
		['several of them', `inst_1 :=, ${A}\ninst_2\t,\t${B}`],
	])('takes %s between ID and token', (_what, text) => {
		expect(pairsIn(text)).toEqual(BOTH);
	});

	it.each([
		['line breaks of Windows', `inst_1, ${A}\r\ninst_2, ${B}\r\n`],
		['those of an old Mac', `inst_1, ${A}\rinst_2, ${B}`],
		['those of Unicode', `inst_1, ${A}\u2028\u2029inst_2, ${B}`],
		['semicolons', `inst_1, ${A}; inst_2, ${B}`],
		['semicolons and line breaks', `inst_1, ${A};\ninst_2, ${B};`],
		['blank lines', `\n\n  \ninst_1, ${A}\n\t\ninst_2, ${B}\n\n`],
		['notes', `# shops; of the north\ninst_1, ${A}\n  #inst_3, svc_inst_c\ninst_2, ${B}`],
		['a note before a semicolon', `# shops; inst_1, ${A}; inst_2, ${B}`],
		['blanks around', `  inst_1, ${A}  \n\tinst_2, ${B}\t`],
		['a comma at the end', `inst_1, ${A},\ninst_2, ${B} ,`],
		['a mark of the encoding in front', `\ufeffinst_1, ${A}\ninst_2, ${B}`],
		['the same line twice', `inst_1, ${A}\ninst_2, ${B}\ninst_2, ${B}`],
	])('takes %s', (_what, text) => {
		expect(new Map(pairsIn(text) as Array<[string, string]>)).toEqual(
			new Map(BOTH as Array<[string, string]>),
		);
		expect(() => new NumberList(text)).not.toThrow();
	});

	it.each([
		'inst:1',
		'a=b',
		'shop,1',
		'__proto__',
		'constructor',
		'42',
		'9f0c-4e',
		'loja_é',
		'a#b',
	])('takes the ID %j as it is', (id) => {
		expect(pairsIn(`${id}, ${A}`)).toEqual([[id, A]]);
		expect(new NumberList(`${id}, ${A}`).find(id)).toBe(A);
	});

	it.each(['', ' ', '\n\n', '# nothing yet', '#', ';', ';;\n;'])('is empty: %j', (text) => {
		expect(pairsIn(text)).toEqual([]);
	});

	it.each<[string, string, string]>([
		['no ID', `inst_1, ${A}\n, ${B}`, 'line 2'],
		['only a token', B, 'line 1'],
		['only an ID', `inst_1, ${A}\n\n# note\ninst_2`, 'line 4'],
		['no separator', `inst_2${B}`, 'line 1'],
		['an account token', 'inst_2, svc_acct_bbbbbbbbbbbbbbbb', 'line 1'],
		['the wrong order', `${B}, inst_2`, 'line 1'],
		['a name in between', `inst_2 Shop Centro, ${B}`, 'line 1'],
		['something behind', `inst_2, ${B} Shop Centro`, 'line 1'],
		['quotation marks', `"inst_2","${B}"`, 'line 1'],
		['a token that is only its beginning', 'inst_2, svc_inst_', 'line 1'],
		['an endless token', `inst_2, svc_inst_${'b'.repeat(2_000)}`, 'line 1'],
		['a comma within the token', 'inst_2, svc_inst_bbbb,bbbb', 'line 1'],
		['an invisible character behind the token', `inst_2, ${B}\u200b`, 'line 1'],
		['a typographic quotation mark', `inst_2, ${B}”`, 'line 1'],
		['an invisible character in the ID', `inst\u200b_2, ${B}`, 'line 1'],
		[
			'nothing between semicolons to blame but the third',
			`inst_1, ${A}; ; inst_2`,
			'entry 3 of line 1',
		],
		['JSON', `{"inst_1":"${A}"}`, 'line 1'],
	])('names the line that has %s, and never its text', (_what, text, place) => {
		let said = '';
		try {
			readFurtherNumbers(text);
		} catch (error) {
			said = (error as Error).message;
		}
		expect(said).toBe(
			`In Further Numbers, ${place} cannot be read. A line holds an instance ID and its token, e.g. inst_1, svc_inst_…`,
		);
	});

	it.each([
		['without anything between', `inst_1, ${A}inst_2, ${B}`],
		['with a space', `inst_1, ${A} inst_2, ${B}`],
		['behind a note', `# shops inst_1, ${A}inst_2, ${B}`],
		['behind a note, and one alone', `# shops of the northinst_1, ${A}`],
	])('refuses what a field of one line has flattened, %s', (_how, text) => {
		const read = () => readFurtherNumbers(text);
		expect(read).toThrow(
			/^In Further Numbers, line 1 holds several numbers: the editor has probably removed the line breaks\. Put a semicolon/,
		);
		expect(read).not.toThrow(/aaaa|bbbb/);
	});

	it('refuses one ID with two tokens', () => {
		const read = () => new NumberList(`inst_1, ${A}\n\ninst_1, ${B}`);
		expect(read).toThrow(
			'In Further Numbers, line 3 has the instance ID of line 1, but another token. Remove one of them.',
		);
	});

	it('takes a thousand numbers, and no more', () => {
		const listOf = (count: number) =>
			[...Array(count).keys()].map((index) => `inst_${index}, svc_inst_${index}x`).join('\n');
		expect(readFurtherNumbers(listOf(1_000))).toHaveLength(1_000);
		expect(() => readFurtherNumbers(listOf(1_001))).toThrow(
			'Further Numbers holds 1001 numbers, and a credential takes at most 1000.',
		);
	});
});

describe('the token that a request goes by', () => {
	const typed = { instanceToken: ` ${A} `, accountToken: 'svc_acct_1', furtherNumbers: '' };
	const list = new NumberList(`inst_1, ${A}\ninst_2, ${B}`);

	it.each([
		['of an account, whatever is chosen', 'account', 'inst_2', 'svc_acct_1'],
		['of the first number, where nothing is chosen', 'instance', undefined, A],
		['of the first number, where it is chosen', 'instance', 'inst_1', A],
		['of another number', 'instance', 'inst_2', B],
	] as const)('is that %s', (_what, kind, instanceId, token) => {
		expect(resolveToken(typed, kind, list, instanceId)).toBe(token);
	});

	it.each(['inst_3', 'INST_2', 'inst_', '__proto__', ''])(
		'is never the first one instead of that of %j',
		(instanceId) => {
			expect(() => resolveToken(typed, 'instance', list, instanceId)).toThrow(UnknownNumber);
		},
	);
});

describe('whether a list holds another number', () => {
	it.each([
		['nothing', '', false],
		['the first one alone', `inst_1, ${A}`, false],
		['another one', `inst_2, ${B}`, true],
		['both', `inst_1, ${A}\ninst_2, ${B}`, true],
	])('%s', (_what, text, expected) => {
		expect(new NumberList(text).holdsOther(A)).toBe(expected);
	});
});

it('a list is read once for all items of an execution, and anew where the credential says something else', () => {
	const execution = {};
	const open = (furtherNumbers: string) => openNumbers({ furtherNumbers }, execution);
	const first = open(`inst_1, ${A}`);
	expect(open(`inst_1, ${A}`)).toBe(first);
	expect(openNumbers({ furtherNumbers: `inst_1, ${A}` }, {})).not.toBe(first);
	expect(open(`inst_1, ${B}`).find('inst_1')).toBe(B);
});

it.each([
	[undefined, ''],
	[{}, ''],
	[{ options: {} }, ''],
	[{ options: { instanceId: ' inst_1 ' } }, 'inst_1'],
	[{ options: { instanceId: '={{ $json.instanceId }}' } }, '={{ $json.instanceId }}'],
	[{ options: '={{ {} }}' }, ''],
])('reads the option of a node: %j', (parameters, expected) => {
	expect(readOption(parameters)).toBe(expected);
});

it('a credential signs with the chosen token, and without those of other numbers', () => {
	const typed = {
		baseUrl: 'x',
		instanceToken: A,
		accountToken: 'a',
		furtherNumbers: `inst_2, ${B}`,
	};
	expect(putToken(typed, 'instance', B)).toEqual({
		baseUrl: 'x',
		instanceToken: B,
		accountToken: 'a',
	});
	expect(typed.furtherNumbers).toContain(B);
});
