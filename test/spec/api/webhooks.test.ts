import { connect } from '../../../nodes/MessagingGateway/api/connection';
import { gatewayOf, type GatewayContext } from '../../../nodes/MessagingGateway/api/gateway';
import { createWebhook, listWebhooks } from '../../../nodes/MessagingGateway/api/webhooks';
import { gatewayContext, type Answered } from '../../support/gatewayContext';

const WHOLE = {
	id: 'wh_1',
	url: 'https://n8n.example.com/webhook/hook',
	events: ['MESSAGE.RECEIVED'],
	enabled: true,
};

const CREDENTIAL = { baseUrl: 'https://gateway.example.com', accountToken: 'svc_acct_1' };

function accountThatAnswers(answered: Answered) {
	const context = gatewayContext({ answer: () => answered }) as unknown as GatewayContext;
	return gatewayOf(context, connect(CREDENTIAL, 'account'));
}

async function list(...listed: object[]) {
	const account = accountThatAnswers({ status: 200, body: { data: listed } });
	return (await listWebhooks(account)).webhooks;
}

it('reads a webhook as it is listed', async () => {
	expect(await list(WHOLE, { ...WHOLE, enabled: false })).toEqual([
		WHOLE,
		{ ...WHOLE, enabled: false },
	]);
});

it.each([
	['url', ''],
	['events', undefined],
	// Nothing tells that it is not.
	['enabled', true],
] as const)('where the list has no %s, it is taken for %s', async (field, taken) => {
	const { [field]: _, ...others } = WHOLE;
	expect(await list(others)).toEqual([{ ...WHOLE, [field]: taken }]);
});

it.each([null, 'MESSAGE.RECEIVED', [null], [{ type: 'MESSAGE.RECEIVED' }], ['a', null]])(
	'knows no events from %j',
	async (events) => {
		expect(await list({ ...WHOLE, events })).toEqual([{ ...WHOLE, events: undefined }]);
	},
);

it.each([{}, { id: '' }])('leaves out a webhook without an ID: %j', async (change) => {
	const { id: _, ...others } = WHOLE;
	expect(await list({ ...others, ...change })).toEqual([]);
});

it.each([
	['a minute ago', new Date(Date.now() - 60_000).toISOString(), 60],
	['in a minute', new Date(Date.now() + 60_000).toISOString(), 0],
	['nothing', undefined, 0],
])('measures the gateway’s clock by a creation that says %s', async (_what, createdAt, seconds) => {
	const body = { data: { id: 'wh_1', secret: 'whsec_a', createdAt } };
	const account = accountThatAnswers({ status: 201, body });
	const { clockLagMs } = await createWebhook(account, WHOLE.url, WHOLE.events);
	expect(Math.round(clockLagMs / 1000)).toBe(seconds);
});
