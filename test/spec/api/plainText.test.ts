import { holdsSecret, quote, toPlainText } from '../../../nodes/MessagingGateway/api/plainText';

it.each([
	['line\r\nbreak\u0000\u0085s', 'line break s'],
	['\u202aa\u202eb\u2066c\u2069d', ' a b c d'],
	['<b>bold</b> <!-- --> <?x?> <A>', '‹b>bold‹/b> ‹!-- --> ‹?x?> ‹A>'],
	['1 < 2 <3 <', '1 < 2 <3 <'],
	['&lt;b&gt; &#60; &#x3c; & &; R&D', '＆lt;b＆gt; ＆#60; ＆#x3c; & &; R&D'],
	['SVC_ACCT_abc, whsec_a/+= and svc_inst_ab', 'SVC_ACCT_…, whsec_… and svc_inst_ab'],
])('%j is shown as %j', (text, shown) => {
	expect(toPlainText(text)).toBe(shown);
});

it('is no longer than a person reads, and never ends within a character', () => {
	expect(toPlainText('a'.repeat(500))).toBe('a'.repeat(500));
	expect(toPlainText('a'.repeat(501))).toBe(`${'a'.repeat(500)}…`);
	expect(toPlainText('ab😀d', 3)).toBe('ab…');
	expect(toPlainText('ab😀d', 4)).toBe('ab😀…');
	expect(quote('a'.repeat(101))).toBe(`"${'a'.repeat(100)}…"`);
});

it.each([
	['svc_inst_abc', true],
	['the Svc_Acct_0-1', true],
	['https://gateway.example.com/whsec_abc=', true],
	['svc_inst_', false],
	['svc_inst_ab c', false],
	['secret', false],
])('%j holds a secret: %s', (text, holds) => {
	expect(holdsSecret(text)).toBe(holds);
	// Asked again, it says the same.
	expect(holdsSecret(text)).toBe(holds);
});
