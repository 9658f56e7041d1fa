import { MessagingGatewayInstanceApi } from '../../../credentials/MessagingGatewayInstanceApi.credentials';

const credential = new MessagingGatewayInstanceApi();
const TOKEN = 'svc_inst_abcdefghijklmnopqrstuvwx';

it('masks each field that holds a token, and no other', () => {
	const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(masked.map(({ name }) => name)).toEqual([
		'instanceToken',
		'accountToken',
		'furtherNumbers',
	]);
});

it('asks for the address and the token, and for nothing else', () => {
	const required = credential.properties.filter((property) => property.required);
	expect(required.map(({ name }) => name)).toEqual(['baseUrl', 'instanceToken']);
});

it('is filled in with the usual path, and with nothing else', () => {
	const filled = credential.properties.filter(({ default: value }) => value !== '');
	expect(filled.map(({ name, default: value }) => [name, value])).toEqual([
		['webhooksPath', '/v1/webhooks'],
	]);
});

it('has room for a number a line', () => {
	const several = credential.properties.filter(({ typeOptions }) => (typeOptions?.rows ?? 1) > 1);
	expect(several.map(({ name }) => name)).toEqual(['furtherNumbers']);
});

it('lends its own token, and none of the others', async () => {
	const fields = {
		instanceToken: ` ${TOKEN} `,
		accountToken: 'svc_acct_x',
		furtherNumbers: 'a, b',
	};
	const request = { url: '/', headers: { Accept: '*/*' } };
	expect((await credential.authenticate(fields, request)).headers).toEqual({
		Accept: '*/*',
		Authorization: `Bearer ${TOKEN}`,
	});
});

it('lends no token of the other kind', async () => {
	const fields = { instanceToken: 'svc_acct_abcdefghijklmnopqrstuvwx' };
	await expect(credential.authenticate(fields, { url: '/' })).rejects.toThrow('account token');
});
