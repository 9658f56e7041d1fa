import { judgeLoss } from '../../../nodes/MessagingGateway/api/loss';

const because = (code: string, others: object = {}) => {
	const { reason, outcome, passing } = judgeLoss({ code, message: '', ...others });
	return [reason, outcome, passing];
};

// The names that Node, OpenSSL and n8n's helper have for what went wrong.

it.each([
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REVOKED',
	'CERT_UNTRUSTED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'HOSTNAME_MISMATCH',
])('%s is a certificate that nobody trusts', (code) => {
	expect(because(code)).toEqual(['certificate', 'rejected', false]);
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
	'%s is a gateway that was not reached, unless the request had left',
	(code) => {
		expect(because(code)).toEqual(['unreached', 'rejected', true]);
		expect(because(code, { syscall: 'connect' })).toEqual(['unreached', 'rejected', true]);
		for (const syscall of ['read', 'write']) {
			expect(because(code, { syscall })).toEqual(['cut', 'unknown', true]);
			// Older versions of n8n keep the words alone.
			expect(because(code, { message: `${syscall} ${code}` })).toEqual(['cut', 'unknown', true]);
		}
	},
);

it.each(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'])('%s is an answer too late', (code) => {
	expect(because(code)).toEqual(['late', 'unknown', true]);
	expect(because(code, { message: `connect ${code}` })).toEqual(['unreached', 'rejected', true]);
});

it.each([
	'wrong version number',
	'unsupported protocol',
	'sslv3 alert handshake failure',
	'no shared cipher',
	'tlsv1 unrecognized name',
	'dh key too small',
	'packet length too long',
])('TLS that says "%s" was never agreed on, and will not be', (message) => {
	for (const code of ['EPROTO', 'ERR_SSL_SOMETHING'])
		expect(because(code, { syscall: 'write', message })).toEqual(['unreached', 'rejected', false]);
	expect(because('ECONNRESET', { syscall: 'read', message })).toEqual(['cut', 'unknown', true]);
});

it.each([
	['Domain not allowed: gateway.example.com', true],
	['The domain "gateway.example.com" is not allowed', true],
	['Request blocked', true],
	['SSRF protection', true],
	['The domain is unknown', false],
	['Content not allowed', false],
])('%j is n8n’s own refusal: %s', (message, isRefusal) => {
	expect(because('', { message })).toEqual(
		isRefusal ? ['forbidden', 'rejected', false] : ['cut', 'unknown', true],
	);
});

it('is cancelled, and not to be repeated, where a person has cancelled it', () => {
	expect(because('ERR_CANCELED')).toEqual(['cancelled', 'unknown', false]);
});

it('is found however n8n wraps it, but never taken for a status', () => {
	expect(judgeLoss({ httpCode: 'ECONNREFUSED', messages: ['first', 'second'] })).toMatchObject({
		reason: 'unreached',
		code: 'ECONNREFUSED',
		text: 'first',
	});
	expect(judgeLoss({ httpCode: '502', code: 502 })).toMatchObject({ reason: 'cut', code: '' });
	const deep = [1, 2, 3, 4].reduce<object>((cause) => ({ cause }), { code: 'ENOTFOUND' });
	expect(judgeLoss(deep)).toMatchObject({ reason: 'unreached', code: 'ENOTFOUND' });
	const endless: { cause?: object } = {};
	endless.cause = endless;
	for (const thrown of [endless, undefined, 'text'])
		expect(judgeLoss(thrown)).toMatchObject({ reason: 'cut', outcome: 'unknown' });
});
