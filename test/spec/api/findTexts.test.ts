import { findTexts } from '../../../nodes/MessagingGateway/api/findTexts';
import { HIDDEN, hideSecrets } from '../../../nodes/MessagingGateway/api/secrets';

const shown = (wanted: string[], text: string, enough = 100) =>
	findTexts(wanted, enough)(text).map(([from, to]) => text.slice(from, to));

it.each<[string, string[], string, string[]]>([
	['nothing', ['abc'], 'ab ac bc', []],
	['one', ['abc'], 'xabcx', ['abc']],
	['one behind the other', ['abc'], 'abcabc', ['abc', 'abc']],
	['several', ['abc', 'xyz'], 'xyz, abc and xyz', ['xyz', 'abc', 'xyz']],
	['the longer of two that begin alike', ['ab', 'abcd'], 'abcd abc', ['abcd', 'ab']],
	['what another one holds', ['bc', 'abcd'], 'abce abcd', ['bc', 'abcd']],
	['what begins in the middle of another', ['aab', 'abc'], 'aaabc', ['aabc']],
	['what begins again at once', ['abab', 'abcabd'], 'ababcabd', ['ababcabd']],
	['two that overlap, as one', ['abc', 'cde'], 'abcde', ['abcde']],
	['all of one letter', ['aaa'], 'aaaaab', ['aaaaa']],
])('finds %s', (_what, wanted, text, expected) => {
	expect(shown(wanted, text)).toEqual(expected);
});

it('finds of a long one the beginning, as far as it stands there', () => {
	expect(shown(['abcdefgh'], 'abcdef abcde abc', 5)).toEqual(['abcdef', 'abcde']);
});

describe('the tokens of a thousand numbers', () => {
	const cores = [...Array(1_000).keys()].map((index) =>
		`${String(index).padStart(4, '0')}5f${index * 7_919}`.padEnd(40, 'abcdef0123456789'),
	);
	const secrets = cores.map((core) => `svc_inst_${core}`);
	const hide = hideSecrets(secrets);

	it('are hidden, each wherever it stands', () => {
		const text = cores.map((core, index) => `${index}: ${core}`).join(', ');
		expect(hide(text)).toBe(cores.map((_, index) => `${index}: ${HIDDEN}`).join(', '));
		expect(hide(`Bearer ${secrets[7]}${cores[8]}!`)).toBe(`Bearer svc_inst_${HIDDEN}${HIDDEN}!`);
		expect(hide(cores[9].slice(1))).toBe(cores[9].slice(1));
	});

	it('are hidden in JSON and in URLs too', () => {
		const odd = secrets.map((secret) => `${secret}"/+=`);
		const hideOdd = hideSecrets(odd);
		const core = odd[500].slice('svc_inst_'.length);
		for (const form of [core, JSON.stringify(core).slice(1, -1), encodeURIComponent(core)])
			expect(hideOdd(`<${form}>`)).toBe(`<${HIDDEN}>`);
	});
});
