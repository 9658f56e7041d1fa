import { MessagingGatewayAccountApi } from '../../../credentials/MessagingGatewayAccountApi.credentials';

const credential = new MessagingGatewayAccountApi();
const TOKEN = 'svc_acct_abcdefghijklmnopqrstuvwx';

it('masks each field that holds a secret, and no other', () => {
	const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(masked.map(({ name }) => name)).toEqual(['accountToken', 'webhookSecret']);
});

it('asks for the address and the token, and for nothing else', () => {
	const required = credential.properties.filter((property) => property.required);
	expect(required.map(({ name }) => name)).toEqual(['baseUrl', 'accountToken']);
});

it('is filled in with the usual paths, and with nothing else', () => {
	const filled = credential.properties.filter(({ default: value }) => value !== '');
	expect(filled.map(({ name, default: value }) => [name, value])).toEqual([
		['webhooksPath', '/v1/webhooks'],
		['instancesPath', '/v1/instances'],
	]);
});

it('lends its own token, and never the secret of a webhook', async () => {
	const fields = { accountToken: TOKEN, webhookSecret: 'whsec_abc' };
	expect((await credential.authenticate(fields, { url: '/' })).headers).toEqual({
		Authorization: `Bearer ${TOKEN}`,
	});
});

it('lends no token of the other kind', async () => {
	const fields = { accountToken: 'svc_inst_abcdefghijklmnopqrstuvwx' };
	await expect(credential.authenticate(fields, { url: '/' })).rejects.toThrow('instance token');
});
