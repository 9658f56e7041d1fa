import fc from 'fast-check';
import { quote, toPlainText } from '../../../nodes/MessagingGateway/gateway/failure';

it.each([
	['line\r\nbreak\u0000\u0085s', 'line break s'],
	['\u202aa\u202eb\u2066c\u2069d', ' a b c d'],
	['<b>bold</b> <!-- --> <?x?> <A>', '‹b>bold‹/b> ‹!-- --> ‹?x?> ‹A>'],
	['1 < 2 <3 <', '1 < 2 <3 <'],
	['&lt;b&gt; &#60; &#x3c; & &; R&D', '＆lt;b＆gt; ＆#60; ＆#x3c; & &; R&D'],
	['SVC_ACCT_abc, whsec_a/+= and svc_inst_abc', 'SVC_ACCT_…, whsec_… and svc_inst_…'],
	['svc_inst_3f-7_c1+/=. No', 'svc_inst_…. No'],
	['svc_inst_HEADER.PAY~LOAD.a%2Fb:1. No', 'svc_inst_…. No'],
	['It begins with svc_inst_.', 'It begins with svc_inst_.'],
])('shows %j as %j', (text, shown) => {
	expect(toPlainText(text)).toBe(shown);
});

it('shortens a text to what a person reads', () => {
	expect(toPlainText('a'.repeat(500))).toBe('a'.repeat(500));
	expect(toPlainText('a'.repeat(501))).toBe(`${'a'.repeat(500)}…`);
	expect(toPlainText('abcd', 3)).toBe('abc…');
	expect(quote('a'.repeat(101))).toBe(`"${'a'.repeat(100)}…"`);
});

it('shows no part of a token in any cut of any text', () => {
	expect(toPlainText('svc_inst_0123456789', 15)).toBe('svc_inst_……');
	const prefixes = fc.constantFrom('svc_acct_', 'svc_inst_', 'whsec_', 'WHSEC_');
	const keys = fc.stringMatching(/^[A-Za-z0-9+/]{8,40}={0,2}$/);
	const isBlanked = (before: string, prefix: string, key: string, after: string, max: number) =>
		!toPlainText(before + prefix + key + after, max).includes(prefix + key.slice(0, 3));
	const property = fc.property(fc.string(), prefixes, keys, fc.string(), fc.nat(120), isBlanked);
	fc.assert(property, { numRuns: 1_000, seed: 1 });
});
