import type { INodeProperties } from 'n8n-workflow';
import { MessagingGatewayAccountApi } from '../../../credentials/MessagingGatewayAccountApi.credentials';
import { MessagingGatewayInstanceApi } from '../../../credentials/MessagingGatewayInstanceApi.credentials';

const account = new MessagingGatewayAccountApi();
const instance = new MessagingGatewayInstanceApi();

const namesIf = (
	{ properties }: { properties: INodeProperties[] },
	isWanted: (property: INodeProperties) => boolean | undefined,
) => properties.filter(isWanted).map(({ name }) => name);

it('credentials mask each field with a secret, and no other', () => {
	const isMasked = ({ typeOptions }: INodeProperties) => typeOptions?.password;
	expect(namesIf(account, isMasked)).toEqual(['accountToken', 'webhookSecret']);
	expect(namesIf(instance, isMasked)).toEqual(['instanceToken', 'accountToken', 'furtherNumbers']);
});

it.each([
	[account, 'Bearer svc_acct_a'],
	[instance, 'Bearer svc_inst_a'],
])('credentials add their own trimmed token to a request', async (credential, authorization) => {
	const tokens = { accountToken: ' svc_acct_a\n', instanceToken: ' svc_inst_a\n' };
	const request = { url: '/', headers: { Accept: '*/*' } };
	expect((await credential.authenticate(tokens, request)).headers).toEqual({
		Accept: '*/*',
		Authorization: authorization,
	});
});
