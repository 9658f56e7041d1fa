import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../../../nodes/MessagingGateway/api/access';
import { accountOf } from '../../../nodes/MessagingGateway/question/accounts';
import { admitToQuestion } from '../../../nodes/MessagingGateway/question/admit';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { signDelivery } from '../../../nodes/MessagingGateway/webhooks/signature';

const GATEWAY = 'https://gateway.example.com';
const TOKEN = 'svc_acct_abcdefgh';

const nameOf = (baseUrl: string, token: string) => fingerprint({ baseUrl, token });
const mine = accountOf(nameOf(GATEWAY, TOKEN));
const secretOf = (fill: string) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;

const question = (change: Partial<Question> = {}): Question => ({
	account: mine.fingerprint,
	webhookId: 'wh_1',
	secret: secretOf('webhook'),
	until: Infinity,
	to: '5511900000001',
	type: 'approval',
	labels: ['Yes', 'No'],
	askedAt: 0,
	requireQuote: false,
	isReview: false,
	...change,
});

const BODY = JSON.stringify({ id: 'evt_1', type: 'MESSAGE.RECEIVED', data: {} });

/** A delivery signed with a secret, to a node with an account credential. */
function deliverWith(secret: string, credential?: IDataObject): IWebhookFunctions {
	const rawHeaders = Object.entries(signDelivery(secret, 'evt_1', BODY)).flat();
	const getCredentials = async () =>
		credential ? await Promise.resolve(credential) : await Promise.reject(new Error('gone'));
	const getRequestObject = () => ({ rawHeaders, rawBody: Buffer.from(BODY) });
	return {
		getCredentials,
		getRequestObject,
		getNode: () => ({ parameters: {} }),
	} as unknown as IWebhookFunctions;
}

const CREDENTIAL = { baseUrl: GATEWAY, accountToken: TOKEN };

it.each<[string, string, Question, IDataObject | undefined]>([
	['the gateway', secretOf('webhook'), question(), CREDENTIAL],
	['a trigger of the account', mine.forwardSecret, question(), CREDENTIAL],
	['one, where the credential is gone', mine.forwardSecret, question(), undefined],
	[
		'one with the old token, where the token was renewed',
		mine.forwardSecret,
		question(),
		{ ...CREDENTIAL, accountToken: 'svc_acct_renewed' },
	],
	[
		'one with the new token',
		accountOf(nameOf(GATEWAY, 'svc_acct_renewed')).forwardSecret,
		question(),
		{ ...CREDENTIAL, accountToken: 'svc_acct_renewed' },
	],
	[
		'a trigger, where an older version has asked',
		mine.forwardSecret,
		question({ account: undefined }),
		CREDENTIAL,
	],
])('takes what is signed by %s', async (_whom, secret, asked, credential) => {
	expect(await admitToQuestion(deliverWith(secret, credential), asked)).toBeDefined();
});

it.each<[string, string, Question, IDataObject | undefined]>([
	['nobody', secretOf('nobody'), question(), CREDENTIAL],
	['another question’s webhook', secretOf('another'), question(), CREDENTIAL],
	[
		'a trigger of another account at the same gateway',
		accountOf(nameOf(GATEWAY, 'svc_acct_stranger')).forwardSecret,
		question(),
		CREDENTIAL,
	],
	[
		'a trigger with the same token at another gateway',
		accountOf(nameOf('https://stranger.example.com', TOKEN)).forwardSecret,
		question(),
		CREDENTIAL,
	],
	[
		'any trigger, where nobody can tell the account',
		mine.forwardSecret,
		question({ account: undefined }),
		undefined,
	],
])('refuses what is signed by %s', async (_whom, secret, asked, credential) => {
	expect(await admitToQuestion(deliverWith(secret, credential), asked)).toBeUndefined();
});
