import { whySecretUnfit, whyTokenUnfit } from '../../../nodes/MessagingGateway/api/token';

const long = (length: number) => 'svc_acct_'.padEnd(length, 'a');

it.each<[unknown, string | undefined]>([
	[' svc_acct_a\n', undefined],
	[long(512), undefined],
	[long(513), 'has 513 characters'],
	['svc_acct_!~', undefined],
	['', 'is empty'],
	[undefined, 'is empty'],
	[7, 'is empty'],
	['svc_acct_', 'copy it whole'],
	['Bearer svc_acct_a', 'copy it whole'],
	['SVC_ACCT_a', 'copy it whole'],
	['svc_inst_a', 'This is an instance token'],
	['svc_acct_a b', 'a space or a line break'],
	['svc_acct_a\nb', 'a space or a line break'],
	['svc_acct_a\u200bb', 'which may be invisible'],
	['svc_acct_aç', 'which may be invisible'],
	['svc_acct_a\u0007', 'which may be invisible'],
])('the account token %.30j is unfit: %s', (token, why) => {
	const said = whyTokenUnfit(token, 'account');
	if (why === undefined) expect(said).toBeUndefined();
	else expect(said).toContain(why);
});

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

it.each<[string, string | undefined]>([
	[secretOf(24), undefined],
	[secretOf(23), '23 instead of at least 24 bytes'],
	[secretOf(25), undefined],
	[`whsec_${'a'.repeat(506)}`, undefined],
	[`whsec_${'a'.repeat(507)}`, 'has 513 characters'],
	[`${secretOf(25)}=`, 'not base64'],
	[`whsec_${'='.repeat(2)}${'a'.repeat(40)}`, 'not base64'],
	[`whsec_${'-'.repeat(40)}`, 'not base64'],
	[`${secretOf(24)}\n`, 'not base64'],
	[secretOf(24).slice(6), 'does not begin with whsec_'],
	['', 'does not begin with whsec_'],
])('the secret %.20j is unfit: %s', (secret, why) => {
	const said = whySecretUnfit(secret);
	if (why === undefined) expect(said).toBeUndefined();
	else expect(said).toContain(why);
});
