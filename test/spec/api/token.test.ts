import { whySecretUnfit, whyTokenUnfit } from '../../../nodes/MessagingGateway/api/token';

it.each(['svc_acct_a', 'svc_acct_!~', `svc_acct_${'a'.repeat(500)}`])(
	'takes the account token %.20j',
	(token) => expect(whyTokenUnfit(token, 'account')).toBeUndefined(),
);

it.each([
	['', "'Account Token' is empty. Paste the token that begins with svc_acct_."],
	['svc_inst_a', "'Account Token' holds a token of the other kind (svc_inst_…)"],
	['svc_acct_', 'holds no whole token'],
	[`svc_acct_${'a'.repeat(501)}`, 'holds no whole token'],
	['Bearer svc_acct_a', 'holds no whole token'],
	['SVC_ACCT_a', 'holds no whole token'],
	['svc_acct_a b', 'has no blanks'],
	['svc_acct_a\nb', 'has no blanks'],
	['svc_acct_a\u200bb', 'holds no whole token'],
])('refuses the account token %.20j by the name of its field', (token, words) => {
	const reason = whyTokenUnfit(token, 'account');
	expect(reason).toContain(words);
	expect(reason).toContain('svc_acct_');
	if (token.length > 20) expect(reason).not.toContain(token.slice(9));
});

it('refuses an account token as instance token', () => {
	expect(whyTokenUnfit('svc_acct_a', 'instance')).toMatch(
		/^'Instance Token' holds .*\(svc_acct_…\)/,
	);
	expect(whyTokenUnfit('svc_inst_a', 'instance')).toBeUndefined();
});

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

it.each<[string, string | undefined]>([
	[secretOf(24), undefined],
	[secretOf(25), undefined],
	[secretOf(23), 'shorter than 24 bytes'],
	[`whsec_${'a'.repeat(506)}`, undefined],
	[`whsec_${'a'.repeat(507)}`, 'not base64'],
	[`whsec_${'-'.repeat(40)}`, 'not base64'],
	[`${secretOf(24)}\n`, 'not base64'],
	[secretOf(24).slice(6), 'does not begin with whsec_'],
	['', 'does not begin with whsec_'],
])('judges the webhook secret %.20j', (secret, words) => {
	const reason = whySecretUnfit(secret);
	if (words === undefined) expect(reason).toBeUndefined();
	else expect(reason).toContain(words);
});
