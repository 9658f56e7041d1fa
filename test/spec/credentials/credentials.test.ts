import type { ICredentialType } from 'n8n-workflow';
import { MessagingGatewayAccountApi } from '../../../credentials/MessagingGatewayAccountApi.credentials';
import { MessagingGatewayInstanceApi } from '../../../credentials/MessagingGatewayInstanceApi.credentials';

const TOKENS = {
	accountToken: ' svc_acct_a\n',
	instanceToken: ' svc_inst_a\n',
	webhookSecret: 'x',
};

interface Expected {
	credential: ICredentialType & Pick<MessagingGatewayAccountApi, 'authenticate'>;
	name: string;
	displayName: string;
	required: string[];
	masked: string[];
	filled: Record<string, string>;
	authorization: string;
}

const account: Expected = {
	credential: new MessagingGatewayAccountApi(),
	name: 'messagingGatewayAccountApi',
	displayName: 'Messaging Gateway Account Token API',
	required: ['baseUrl', 'accountToken'],
	masked: ['accountToken', 'webhookSecret'],
	filled: { webhooksPath: '/v1/webhooks', instancesPath: '/v1/instances' },
	authorization: 'Bearer svc_acct_a',
};
const instance: Expected = {
	credential: new MessagingGatewayInstanceApi(),
	name: 'messagingGatewayInstanceApi',
	displayName: 'Messaging Gateway Instance Token API',
	required: ['baseUrl', 'instanceToken'],
	masked: ['instanceToken', 'accountToken', 'furtherNumbers'],
	filled: {
		webhooksPath: '/v1/webhooks',
		presenceField: 'presence',
		pollParameter: 'messageId',
	},
	authorization: 'Bearer svc_inst_a',
};

describe.each([account, instance])('the credential $displayName', (expected) => {
	const { credential } = expected;
	const { properties } = credential;

	it('keeps its names', () => {
		expect(credential).toMatchObject({ name: expected.name, displayName: expected.displayName });
	});

	it('requires the address and its token', () => {
		const required = properties.filter((property) => property.required);
		expect(required.map(({ name }) => name)).toEqual(expected.required);
	});

	it('masks each field with a secret, and no other', () => {
		const masked = properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(masked.map(({ name }) => name)).toEqual(expected.masked);
	});

	it('fills in the assumed names, and nothing else', () => {
		const filled = properties.filter(({ default: value }) => value !== '');
		expect(Object.fromEntries(filled.map(({ name, default: value }) => [name, value]))).toEqual(
			expected.filled,
		);
	});

	it('adds its own trimmed token to a request', async () => {
		const request = { url: '/', headers: { Accept: '*/*' } };
		expect((await credential.authenticate(TOKENS, request)).headers).toEqual({
			Accept: '*/*',
			Authorization: expected.authorization,
		});
	});
});
