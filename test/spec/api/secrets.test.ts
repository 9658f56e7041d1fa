import {
	changeTexts,
	hideSecrets,
	hideWebhookSecrets,
	TooDeep,
} from '../../../nodes/MessagingGateway/api/secrets';

describe('a secret is hidden', () => {
	const token = 'svc_inst_0a/b+c="d"\\e.f~ç0123456789';
	const core = token.slice('svc_inst_'.length);
	const hide = hideSecrets([token, 'whsec_AAAABBBBCCCCDDDD+/==', '']);

	it.each([
		['as it is', core],
		['in JSON', JSON.stringify(core).slice(1, -1)],
		['in JSON that escapes slashes', JSON.stringify(core).slice(1, -1).replaceAll('/', '\\/')],
		['in a URL', encodeURIComponent(core)],
		[
			'in a URL with small letters',
			encodeURIComponent(core).replace(/%../g, (code) => code.toLowerCase()),
		],
	])('%s', (_where, written) => {
		expect(hide(`Bearer svc_inst_${written}, and again: ${written}${written}`)).toBe(
			'Bearer svc_inst_[hidden], and again: [hidden][hidden]',
		);
	});

	it('together with all others', () => {
		expect(hide(`${token} whsec_AAAABBBBCCCCDDDD+/== AAAABBBBCCCCDDDD%2B%2F%3D%3D`)).toBe(
			'svc_inst_[hidden] whsec_[hidden] [hidden]',
		);
	});

	it('and nothing else, nor anything where there is no secret', () => {
		expect(hide('svc_inst_ and 0a/b+c=')).toBe('svc_inst_ and 0a/b+c=');
		expect(hideSecrets(['', 'short'])('short')).toBe('short');
	});

	it('to its end, however long it is, and where it is cut off', () => {
		const long = 'ab1'.repeat(150);
		const hideLong = hideSecrets([`svc_inst_${long}`]);
		expect(hideLong(`svc_inst_${long}${long.slice(0, 300)} and so on`)).toBe(
			'svc_inst_[hidden][hidden] and so on',
		);
	});

	it('even with half a character in it', () => {
		expect(hideSecrets(['svc_inst_\ud800\ud8000123456789'])('anything')).toBe('anything');
	});
});

it('of two secrets, of which one holds the other, the longer is hidden whole', () => {
	const secrets = ['svc_inst_0123456789abcdef', 'svc_acct_0123456789abcdefghij'];
	for (const given of [secrets, secrets.toReversed()])
		expect(hideSecrets(given)('0123456789abcdefghij')).toBe('[hidden]');
});

it('what is short is a secret as a whole only, so that no word is taken for one', () => {
	const hide = hideSecrets(['svc_inst_password', 'whsec_0123456789abcde']);
	expect(hide('password 0123456789abcde')).toBe('password 0123456789abcde');
	expect(hide('svc_inst_password whsec_0123456789abcde')).toBe('[hidden] [hidden]');
});

it('hides each webhook secret that nobody has named', () => {
	const secret = `whsec_${'aA0+/_-='.repeat(2)}`;
	expect(hideWebhookSecrets(`${secret}, ${secret} and whsec_short`)).toBe(
		'whsec_[hidden], whsec_[hidden] and whsec_short',
	);
});

describe('in a parsed answer', () => {
	const loud = (text: string) => text.toUpperCase();

	it('all texts are changed, the names of fields too, and nothing else', () => {
		expect(
			changeTexts({ a: ['b', 1, null, true, { c: 'd' }], E: { F: 'G' }, h: undefined }, loud, 9),
		).toEqual({ A: ['B', 1, null, true, { C: 'D' }], E: { F: 'G' }, H: undefined });
	});

	it('no more levels are looked at than wanted', () => {
		expect(changeTexts([[1]], loud, 2)).toEqual([[1]]);
		expect(() => changeTexts([[[1]]], loud, 2)).toThrow(TooDeep);
		expect(() => changeTexts({ a: { b: {} } }, loud, 2)).toThrow(TooDeep);
	});
});
