import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../../../nodes/MessagingGateway/api/access';
import { accountOf } from '../../../nodes/MessagingGateway/question/accounts';
import { admitToQuestion } from '../../../nodes/MessagingGateway/question/admit';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { signDelivery } from '../../../nodes/MessagingGateway/webhooks/standardWebhooks';

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

const EVENT = { id: 'evt_1', type: 'MESSAGE.RECEIVED', data: {} };
const BODY = JSON.stringify(EVENT);

/** What a trigger of an account tells question 1 of the event. */
const told = (account = mine, webhookId = 'wh_1') => account.forwarding.begin(webhookId, EVENT);

/** A delivery signed with a secret, to a node with an account credential. */
function deliverWith(secret: string, credential?: IDataObject, body = BODY): IWebhookFunctions {
	const rawHeaders = Object.entries(signDelivery(secret, 'evt_1', body)).flat();
	const getCredentials = async () =>
		credential ? await Promise.resolve(credential) : await Promise.reject(new Error('gone'));
	const getRequestObject = () => ({ rawHeaders, rawBody: Buffer.from(body) });
	return {
		getCredentials,
		getRequestObject,
		getNode: () => ({ parameters: {} }),
	} as unknown as IWebhookFunctions;
}

const CREDENTIAL = { baseUrl: GATEWAY, accountToken: TOKEN };

const renewed = accountOf(nameOf(GATEWAY, 'svc_acct_renewed'));
const RENEWED = { ...CREDENTIAL, accountToken: 'svc_acct_renewed' };

it.each<[string, string, string, Question, IDataObject | undefined]>([
	['the gateway', secretOf('webhook'), BODY, question(), CREDENTIAL],
	['a trigger of the account', mine.forwardSecret, told(), question(), CREDENTIAL],
	['one, where the credential is gone', mine.forwardSecret, told(), question(), undefined],
	[
		'one with the old token, where the token was renewed',
		mine.forwardSecret,
		told(),
		question(),
		RENEWED,
	],
	['one with the new token', renewed.forwardSecret, told(renewed), question(), RENEWED],
	[
		'a trigger, where an older version has asked',
		mine.forwardSecret,
		told(),
		question({ account: undefined }),
		CREDENTIAL,
	],
])('takes what is signed by %s', async (_whom, secret, body, asked, credential) => {
	expect(await admitToQuestion(deliverWith(secret, credential, body), asked)).toMatchObject({
		event: EVENT,
	});
});

const another = accountOf(nameOf(GATEWAY, 'svc_acct_stranger'));
const elsewhere = accountOf(nameOf('https://stranger.example.com', TOKEN));

it.each<[string, string, string, Question, IDataObject | undefined]>([
	['nobody', secretOf('nobody'), BODY, question(), CREDENTIAL],
	['another question’s webhook', secretOf('another'), BODY, question(), CREDENTIAL],
	[
		'a trigger of another account at the same gateway',
		another.forwardSecret,
		told(another),
		question(),
		CREDENTIAL,
	],
	[
		'a trigger with the same token at another gateway',
		elsewhere.forwardSecret,
		told(elsewhere),
		question(),
		CREDENTIAL,
	],
	[
		'any trigger, where nobody can tell the account',
		mine.forwardSecret,
		told(),
		question({ account: undefined }),
		undefined,
	],
	[
		'a trigger of the account, for another question',
		mine.forwardSecret,
		told(),
		question({ webhookId: 'wh_2' }),
		CREDENTIAL,
	],
	[
		'a trigger of the account, with a message of which the account knows nothing',
		mine.forwardSecret,
		BODY,
		question(),
		CREDENTIAL,
	],
])('refuses what is signed by %s', async (_whom, secret, body, asked, credential) => {
	expect(await admitToQuestion(deliverWith(secret, credential, body), asked)).toBeUndefined();
});

it('refuses what a trigger has forwarded, once the question has answered', async () => {
	const body = told();
	mine.forwarding.end('wh_1', EVENT);
	const again = deliverWith(mine.forwardSecret, CREDENTIAL, body);
	expect(await admitToQuestion(again, question())).toBeUndefined();
});

it('names the account by no secret, where nobody can tell which it is', async () => {
	const asked = question({ account: undefined });
	const admitted = await admitToQuestion(deliverWith(asked.secret), asked);
	expect(admitted?.event).toEqual(EVENT);
	expect(admitted?.account.fingerprint).toBe(nameOf('', asked.secret));
});
