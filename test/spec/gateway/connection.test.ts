import type { IDataObject } from 'n8n-workflow';
import {
	readConnection,
	readFurtherNumbers,
} from '../../../nodes/MessagingGateway/gateway/connection';
import type { GatewayError } from '../../../nodes/MessagingGateway/gateway/failure';

const GATEWAY = 'https://gateway.example.com';
const INSTANCE = { baseUrl: GATEWAY, instanceToken: 'svc_inst_own' };

const failureOf = (work: () => unknown) => {
	try {
		work();
	} catch (error) {
		return (error as GatewayError).failure;
	}
	throw new Error('Nothing was refused');
};

it.each([
	[GATEWAY, GATEWAY],
	[` ${GATEWAY}/ `, GATEWAY],
	[`${GATEWAY}///`, GATEWAY],
	[`${GATEWAY}/v1`, GATEWAY],
	[`${GATEWAY}/v1/`, GATEWAY],
	[`${GATEWAY}/tools/v1/`, `${GATEWAY}/tools`],
	[`${GATEWAY}/apiv1`, `${GATEWAY}/apiv1`],
	[`${GATEWAY}/v1/tools`, `${GATEWAY}/v1/tools`],
	['HTTP://Gateway.Example.com:80/Tools', 'http://gateway.example.com/Tools'],
])('reads the base URL %j as %j', (typed, read) => {
	expect(readConnection({ ...INSTANCE, baseUrl: typed }, 'instance').baseUrl).toBe(read);
});

it.each([
	'https://somebody@gateway.example.com',
	'https://:somebody@gateway.example.com',
	`${GATEWAY}/?key=somebody`,
	`${GATEWAY}/#somebody`,
	'ws://somebody.example.com',
	'somebody.example.com',
	'svc_inst_somebody',
	'https://',
	' ',
	undefined,
])('refuses the base URL %j without repeating it', (typed) => {
	const failure = failureOf(() => readConnection({ ...INSTANCE, baseUrl: typed }, 'instance'));
	expect(failure).toMatchObject({
		message: expect.stringMatching(/^'Base URL' must be the address of your gateway alone/),
		description: 'Open the credential of this node and correct it.',
		outcome: 'rejected',
		retryable: false,
	});
	expect(JSON.stringify(failure)).not.toContain('somebody');
});

describe('further numbers', () => {
	const read = (furtherNumbers: unknown) =>
		readFurtherNumbers({ furtherNumbers } as IDataObject).map(
			({ line, instanceId, token }) => `${line} ${instanceId} ${token}`,
		);

	it.each([
		['a line each', 'a, svc_inst_1\nb, svc_inst_2', ['1 a svc_inst_1', '2 b svc_inst_2']],
		['a flattened text', 'a svc_inst_1; b svc_inst_2;', ['1 a svc_inst_1', '2 b svc_inst_2']],
		['any separator', 'a:svc_inst_1\r\nb = svc_inst_2', ['1 a svc_inst_1', '2 b svc_inst_2']],
		['a column of a spreadsheet', 'a\tsvc_inst_1\n', ['1 a svc_inst_1']],
		['a token with separators', 'a, svc_inst_1=:,', ['1 a svc_inst_1=:,']],
		['notes and empty lines', '# Shop\n\na, svc_inst_1', ['3 a svc_inst_1']],
		['nothing', ' \n', []],
		['no text', undefined, []],
	])('are read from %s', (_what, text, numbers) => expect(read(text)).toEqual(numbers));

	it.each(['a', 'a, ', 'svc_inst_1', 'a, svc_acct_1', 'a, svc_inst_1 old', 'a, svc_inst_'])(
		'lose the line %j only',
		(line) => {
			const [bad, good] = read(`${line}\nb, svc_inst_2`);
			expect(bad).toMatch(/^1 \S* $/);
			expect(good).toBe('2 b svc_inst_2');
		},
	);
});

describe('a connection', () => {
	it('has the trimmed token of its kind, and the names of the credential', () => {
		const credential = {
			baseUrl: `${GATEWAY}/v1`,
			instanceToken: ' svc_inst_own\n',
			accountToken: 'svc_acct_own',
			webhooksPath: 'v1/Hooks/',
			instancesPath: ' ',
			presenceField: ' state ',
		};
		expect(readConnection(credential, 'account')).toMatchObject({
			kind: 'account',
			token: 'svc_acct_own',
		});
		expect(readConnection(credential, 'instance')).toEqual({
			kind: 'instance',
			token: 'svc_inst_own',
			baseUrl: GATEWAY,
			overrides: {
				webhooksPath: '/v1/Hooks',
				instancesPath: '/v1/instances',
				presenceField: 'state',
				pollParameter: 'messageId',
			},
		});
	});

	it('uses the token of the chosen number', () => {
		const credential = {
			...INSTANCE,
			instanceId: ' inst_own ',
			furtherNumbers: 'inst_2, svc_inst_second',
		};
		const tokenOf = (id?: string) => readConnection(credential, 'instance', id).token;
		expect([undefined, 'inst_own', 'inst_2'].map(tokenOf)).toEqual([
			'svc_inst_own',
			'svc_inst_own',
			'svc_inst_second',
		]);
	});

	it.each(['inst_22', '', 'INST_2', 'bad'])('refuses the unknown number %j', (instanceId) => {
		const credential = { ...INSTANCE, furtherNumbers: 'inst_2, svc_inst_second\nbad, svc_acct_1' };
		expect(failureOf(() => readConnection(credential, 'instance', instanceId))).toEqual({
			message: `The credential does not know the number "${instanceId}"`,
			description: expect.stringMatching(/'Further Numbers'.*'Instance ID'/),
			outcome: 'rejected',
			retryable: false,
		});
	});
});
