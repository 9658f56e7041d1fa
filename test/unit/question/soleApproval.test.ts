import { Readable } from 'node:stream';
import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { Account } from '../../../nodes/MessagingGateway/question/account';
import { openAccount } from '../../../nodes/MessagingGateway/question/accounts';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { askForQuote, judgeConsent } from '../../../nodes/MessagingGateway/question/soleApproval';
import { sweepQuestions } from '../../../nodes/MessagingGateway/question/sweep';
import { messageFrom } from './asked';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const OWN = 'https://n8n.example.com/webhook-waiting/1/node';

const ANA = messageFrom(1);
const { phone: ANAS, id: ANAS_ID } = ANA.data.chat;
const { phone: BRUNOS } = messageFrom(2).data.chat;
const WRITTEN = { ...ANA, instanceId: 'inst_1', timestamp: new Date(NOW).toISOString() };

const question: Question = {
	webhookId: 'wh_own',
	secret: 'whsec_own',
	until: NOW + 60 * MINUTE,
	to: ANAS,
	type: 'approval',
	labels: ['Yes', 'No'],
	askedAt: NOW - 10 * MINUTE,
	sentAt: NOW - 10 * MINUTE,
	requireQuote: false,
	isReview: false,
};

/** The webhook of another question. */
const another = (to: string, { until = question.until, execution = 2, left = 0 } = {}) => ({
	id: `wh_${execution}`,
	url: `https://n8n.example.com/webhook-waiting/${execution}/node?asked=${to}&until=${until}&left=${left}&signature=abc`,
	events: ['MESSAGE.RECEIVED'],
});

const writtenBefore = (ms: number) => ({ timestamp: new Date(NOW - ms).toISOString() });

const warn = jest.fn();

/** n8n, a gateway that lists these webhooks, and executions of which these have ended. */
function stand(
	listed: object[] | undefined,
	ended: number[] = [],
	headers = {},
	onAsked: (url: string) => void = () => {},
) {
	const respond = (statusCode: number, body: object) => ({
		statusCode,
		headers,
		body: Readable.from([Buffer.from(JSON.stringify(body))]),
	});
	const isOver = (url: string) => ended.some((execution) => url.includes(`/${execution}/node`));
	return {
		getNode: () => ({ name: 'Ask', parameters: {}, credentials: {} }),
		getInstanceId: () => 'n8n',
		getCredentials: async () =>
			await Promise.resolve({
				baseUrl: 'https://gateway.example.com',
				accountToken: 'svc_acct_abcdefgh',
			}),
		logger: { warn },
		helpers: {
			httpRequestWithAuthentication: async () =>
				await Promise.resolve(listed ? respond(200, { data: listed }) : respond(502, {})),
			httpRequest: async ({ url }: IHttpRequestOptions) => {
				onAsked(url);
				return await Promise.resolve(
					isOver(url)
						? respond(409, { message: 'The execution has finished already.' })
						: respond(401, { error: 'Unauthorized' }),
				);
			},
		},
	} as unknown as IWebhookFunctions;
}

function newAccount(place: object = { chatId: ANAS_ID }): Account {
	const account = new Account('one', 'whsec_');
	account.note('wh_own', { to: ANAS, until: question.until, ...place });
	return account;
}

const judge = async (
	listed: object[] | undefined,
	{
		ended = [] as number[],
		headers = {},
		account = newAccount(),
		asked = {},
		event = {},
		onAsked = (_url: string) => {},
	} = {},
) =>
	await judgeConsent(
		stand(listed, ended, headers, onAsked),
		account,
		{ ...question, ...asked },
		{ ...WRITTEN, ...event },
		OWN,
	);

beforeEach(() => void jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const ITSELF = { ...another(ANAS), id: 'wh_own' };
const QUOTING = { data: { ...ANA.data, quotedMessageId: 'M0' } };

type Judging = () => Promise<unknown>;

/** What n8n is asked of other questions, as the URL tells it. */
function noteAsked() {
	const asked: string[] = [];
	return { asked, onAsked: (url: string) => void asked.push(new URL(url).pathname) };
}

it.each<[string, Judging]>([
	['no other question is open', () => judge([ITSELF])],
	['the other one is of somebody else', () => judge([ITSELF, another(BRUNOS)])],
	['nobody waits for the other one any more', () => judge([another(ANAS)], { ended: [2] })],
	[
		'the time of the other one is long over',
		() => judge([another(ANAS, { until: NOW - 3 * MINUTE })]),
	],
	[
		'the time of the other one ended before it was written',
		() => judge([another(ANAS, { until: NOW - 1 })], { ended: [2] }),
	],
	[
		'the other one was asked after it was written',
		() => judge([another(ANAS, { left: NOW - 1 })], { event: writtenBefore(2 * MINUTE) }),
	],
	[
		'another webhook belongs to another system',
		() => judge([ITSELF, { id: 'wh_2', url: 'https://shop.example.com/hook' }]),
	],
	['the gateway shows no URL of the question alone', () => judge([{ id: 'wh_own' }])],
	['the message quotes the question', () => judge([another(ANAS)], { event: QUOTING })],
	['the question is no approval', () => judge([another(ANAS)], { asked: { type: 'reply' } })],
])('a yes decides where %s', async (_where, judging) => {
	expect(await judging()).toEqual({ decides: 'this' });
});

it.each<[string, string[], Judging]>([
	['another question is open in the chat', ['wh_2'], () => judge([ITSELF, another(ANAS)])],
	[
		'several are',
		['wh_2', 'wh_3'],
		() => judge([another(ANAS), another(ANAS, { execution: 3 })], { ended: [] }),
	],
	[
		'the time of the other one is over since it was written',
		['wh_2'],
		() =>
			judge([another(ANAS, { until: NOW - 1 })], {
				ended: [2],
				event: writtenBefore(MINUTE),
			}),
	],
	[
		'the time of the other one is long over, but was not when it was written',
		['wh_2'],
		() =>
			judge([another(ANAS, { until: NOW - 3 * MINUTE })], {
				ended: [2],
				event: writtenBefore(4 * MINUTE),
			}),
	],
	[
		'the clock of the gateway is ahead of the end of the other one, though the yes came before that',
		['wh_2'],
		async () => {
			const account = newAccount();
			account.looks.at(WRITTEN);
			jest.setSystemTime(NOW + 4 * MINUTE);
			return await judge([another(ANAS, { until: NOW + MINUTE })], {
				account,
				ended: [2],
				event: writtenBefore(-4 * MINUTE),
			});
		},
	],
	[
		'the gateway tells a moment after it was written that another question has left',
		['wh_2'],
		() => judge([ITSELF, another(ANAS, { left: NOW + 1_500 })]),
	],
	...[undefined, '', '***', 'https://n8n.example.com/***'].map(
		(url): [string, string[], Judging] => [
			`the gateway shows ${JSON.stringify(url)} as the URL of another webhook`,
			[],
			() => judge([ITSELF, { id: 'wh_2', url }]),
		],
	),
	[
		'the gateway has more webhooks than it lists',
		[],
		() => judge([ITSELF], { headers: { link: '<https://gateway.example.com/2>; rel="next"' } }),
	],
])('a yes may mean others where %s', async (_where, others, judging) => {
	expect(await judging()).toEqual({ decides: 'ambiguous', others });
});

const HIDINGS: Array<[string, (url: string) => string]> = [
	['cut off behind the path', (url) => url.split('?')[0]],
	['cut off in the middle', (url) => `${url.slice(0, 40)}…`],
	['without its signature', (url) => url.replace(/&signature=.*/, '')],
];

describe.each(HIDINGS)(
	'a yes may mean others where the address of another question is %s',
	(_how, hide) => {
		const { url, ...other } = another(ANAS);
		const listed = [ITSELF, { ...other, url: hide(url) }];

		it('and this process does not know it', async () => {
			expect(await judge(listed)).toEqual({ decides: 'ambiguous', others: [] });
		});

		it('and this process knows it', async () => {
			const account = newAccount();
			account.note('wh_2', { to: ANAS, until: question.until, chatId: ANAS_ID });
			expect(await judge(listed, { account })).toMatchObject({ decides: 'ambiguous' });
		});
	},
);

it('a yes that was deferred is judged by when it first came, whichever clock is ahead', async () => {
	const event = writtenBefore(-4 * MINUTE);
	const account = newAccount({});
	const asked = { sentAt: NOW - 1_000 };
	const listed = [ITSELF, another(ANAS, { until: NOW + 10_000 })];
	expect(await judge(listed, { account, asked, event })).toEqual({ decides: 'unknown' });
	jest.setSystemTime(NOW + 40_000);
	account.note('wh_own', { to: ANAS, until: question.until, chatId: ANAS_ID });
	const judging = judge(listed, { account, asked, event, ended: [2] });
	expect(await judging).toEqual({ decides: 'ambiguous', others: ['wh_2'] });
});

it.each<[string, object, number]>([
	['at once where it is known in which chat the question is', { chatId: ANAS_ID }, 1],
	['at once where it is known when the question has left', { leftAt: NOW - 1 }, 1],
	['after a minute where nobody has told', { instanceId: 'inst_1' }, MINUTE],
])('a yes decides %s', async (_when, place, ago) => {
	const account = newAccount(place);
	const judging = judge([ITSELF], { account, asked: { sentAt: NOW - ago } });
	expect(await judging).toEqual({ decides: 'this' });
});

it('nobody can tell while the gateway does not list anything in time', async () => {
	const context = stand([]);
	context.helpers.httpRequestWithAuthentication = (async () =>
		await new Promise<never>(() => {})) as never;
	const judging = judgeConsent(context, newAccount(), question, WRITTEN, OWN);
	await jest.advanceTimersByTimeAsync(3_500);
	expect(await judging).toEqual({ decides: 'unknown' });
});

it('the log says why a yes is deferred', async () => {
	warn.mockClear();
	await judge(undefined);
	expect(warn.mock.calls).toEqual([[expect.stringContaining('a yes or no is deferred')]]);
});

it('a question whose chat this process alone knows is open there', async () => {
	const account = newAccount();
	account.note('wh_2', { to: 'other@g.us', until: question.until, chatId: ANAS_ID });
	expect(await judge([another('other@g.us')], { account })).toMatchObject({ others: ['wh_2'] });
});

describe('n8n is asked', () => {
	const ENDED = [2, 3, 4];
	const others = ENDED.map((execution) => another(ANAS, { execution }));

	it('once of each question, however many approvals a message may decide', async () => {
		const { asked, onAsked } = noteAsked();
		const account = newAccount();
		account.looks.at(WRITTEN);
		jest.setSystemTime(NOW + 1);
		for (let times = 0; times < 2; times++)
			expect(await judge(others, { account, ended: ENDED, onAsked })).toEqual({ decides: 'this' });
		expect(asked).toHaveLength(3);
	});

	it('of ten at most', async () => {
		const { asked, onAsked } = noteAsked();
		const many = [...Array(15).keys()].map((index) => another(ANAS, { execution: index + 2 }));
		await judge(many, { ended: ENDED, onAsked });
		expect(asked).toHaveLength(10);
	});

	it('of none that another n8n has asked: that one is taken for open', async () => {
		const { asked, onAsked } = noteAsked();
		const elsewhere = { ...another(ANAS), url: another(ANAS).url.replace('n8n.', 'other.') };
		const judging = judge([elsewhere], { ended: ENDED, onAsked });
		expect(await judging).toEqual({ decides: 'ambiguous', others: ['wh_2'] });
		expect(asked).toEqual([]);
	});
});

it.each<[string, Judging]>([
	['the gateway lists nothing', () => judge(undefined)],
	[
		'another number may have asked',
		() => judge([ITSELF], { account: newAccount({}), asked: { sentAt: NOW - 1 } }),
	],
	[
		'the question has perhaps not left the chosen number yet',
		() =>
			judge([ITSELF], {
				account: newAccount({ instanceId: 'inst_1' }),
				asked: { sentAt: NOW - MINUTE + 1 },
			}),
	],
])('nobody can tell what a yes decides where %s', async (_where, judging) => {
	expect(await judging()).toEqual({ decides: 'unknown' });
});

it.each<[string, string, number, object]>([
	['counts', 'before', 4 * MINUTE, { decides: 'ambiguous', others: ['wh_2'] }],
	['does not count', 'after', 2 * MINUTE, { decides: 'this' }],
])('a question that was removed %s if the yes was written %s its end', async (...row) => {
	const [, , ago, comes] = row;
	const context = stand([ITSELF, another(ANAS, { until: NOW - 3 * MINUTE })]);
	const account = await openAccount(context);
	await sweepQuestions(context, OWN);
	jest.setSystemTime(NOW + 1);
	expect(await judge([ITSELF], { account, event: writtenBefore(ago) })).toEqual(comes);
});

it('a yes that has to quote starts no other workflow, also where the person was told so before', () => {
	const account = newAccount();
	const note = { to: ANAS, until: question.until };
	for (const id of ['evt_1', 'evt_2']) {
		const event = { ...WRITTEN, id };
		askForQuote({ context: stand([]), account, question, event, note });
		expect(account.looks.at(event).isTaken).toBe(true);
	}
});

describe('another question that has been decided', () => {
	const decide = (account: Account, webhookId: string, to = ANAS) =>
		account.decisions.claim(
			{ webhookId, type: 'approval' },
			{ to, until: question.until },
			{ ...messageFrom(3), id: `evt of ${webhookId}` },
		);

	it('counts if that was after the yes had come', async () => {
		const account = newAccount();
		account.looks.at(WRITTEN);
		decide(account, 'wh_2');
		expect(await judge([ITSELF], { account })).toEqual({ decides: 'ambiguous', others: ['wh_2'] });
	});

	it('counts if that was while n8n was asked about it', async () => {
		const account = newAccount();
		const onAsked = () => void decide(account, 'wh_2');
		const judging = judge([ITSELF, another(ANAS)], { account, ended: [2], onAsked });
		expect(await judging).toEqual({ decides: 'ambiguous', others: ['wh_2'] });
	});

	it('does not count if it was asked after the yes was written', async () => {
		const account = newAccount();
		account.looks.at(WRITTEN);
		const note = { to: ANAS, until: question.until, leftAt: NOW + 2 * MINUTE };
		const later = { ...messageFrom(3), id: 'evt later' };
		account.decisions.claim({ webhookId: 'wh_2', type: 'approval' }, note, later);
		expect(await judge([ITSELF], { account })).toEqual({ decides: 'this' });
	});

	it('does not count if that was before, or in another chat', async () => {
		const account = newAccount();
		decide(account, 'wh_2');
		jest.setSystemTime(NOW + 1);
		account.looks.at(WRITTEN);
		decide(account, 'wh_3', BRUNOS);
		expect(await judge([ITSELF], { account })).toEqual({ decides: 'this' });
	});
});
