import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../../../lab/host/waiting';
import { PEOPLE, type FaultPlan } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { execute, start } from '../../support/engine';
import { gateway } from '../../support/engineAndGateway';
import {
	ANA,
	ask,
	breakNext,
	buildAsk,
	FILES,
	moveUnderPath,
	NAME,
	refusal,
	remove,
	stop,
	tryToAsk,
	write,
	type Asked,
} from './waitingExecutions';

const MINUTE = 60_000;
const APPROVAL = { responseType: 'approval' };
const SLOW = { kind: 'slow', delayMs: 300 } as const;

const untilOf = () =>
	gateway.webhooks().map(({ url }) => Number(new URL(url).searchParams.get('until')));

it('waits at an address that n8n has signed, and that tells no number', async () => {
	const { run, sent, webhook } = await ask();
	expect(sent).toBe('Shall we?');
	expect(run.waitTill).toBeInstanceOf(Date);
	expect(new URL(webhook.url).searchParams.has('signature')).toBe(true);
	expect(webhook.url).not.toContain(ANA);
});

it.each<[INodeParameters | undefined, number]>([
	[undefined, 24 * 60],
	[{ resumeAmount: 90, resumeUnit: 'minutes' }, 90],
	[{ resumeAmount: 2 }, 120],
	[{ resumeAmount: 365, resumeUnit: 'days' }, 365 * 24 * 60],
])('waits as long as the author chose: %j', async (values, minutes) => {
	const from = Date.now();
	const { run } = await ask({ options: values ? { limitWaitTime: { values } } : {} });
	for (const until of [Number(run.waitTill), ...untilOf()]) {
		expect(until).toBeGreaterThanOrEqual(from + minutes * MINUTE);
		expect(until).toBeLessThanOrEqual(Date.now() + minutes * MINUTE);
	}
});

it('reads the person asked as a number of the Default Country', async () => {
	const refusalFor = async (credential: { defaultCountry: string }) =>
		await refusal({ options: { person: '11 98765-4321' } }, [{}], credential);
	expect(await refusalFor({ defaultCountry: 'BR' })).toBe(' ');
	expect(await refusalFor({ defaultCountry: 'international' })).toMatch(/country code/);
	expect(await refusal({ options: { person: '11987654321' } })).toMatch(/country code/);
	for (const person of ['1@lid', '5511987654321'])
		expect(await refusal({ options: { person } })).toBe(' ');
});

const code = (text: string) => /(\d{3})1\. Yes$/m.exec(text)![1];

it('draws no number of the approvals before, whose answers may still come', async () => {
	const codes = new Set<string>();
	for (let each = 0; each < 60; each++) {
		codes.add(code((await ask(APPROVAL)).sent));
		gateway.reset({ webhooks: true });
	}
	expect(codes.size).toBe(60);
});

it('takes an answer that comes while the message is still going out', async () => {
	const until = async () => await Promise.resolve(gateway.write('At eight', { phone: ANA }));
	gateway.faults.add({
		match: { path: '/v1/messages/send-text' },
		fault: { kind: 'slow', until },
	});
	const asked = await ask();
	await gateway.drained();
	expect(asked.answer()).toMatchObject({ data: { text: 'At eight' } });
});

it('draws no number that is taken, or stands in the message', async () => {
	const all = Array.from({ length: 900 }, (_, index) => `${index + 100}`);
	const taken = [code((await ask(APPROVAL)).sent), code((await ask(APPROVAL)).sent)];
	const [free, quoted, ...rest] = all.filter((each) => !taken.includes(each));
	const lines = rest.map((each, index) =>
		index % 2 ? `${each}1. No` : `${[...each].join('\u200b')} ²`,
	);
	const message = ['Order', ...lines].join('\n');
	const { sent } = await ask({ ...APPROVAL, message: `${message}\n${quoted}2` });
	expect(code(sent)).toBe(free);
	expect(await refusal({ ...APPROVAL, message: `${message}\n${quoted}1 ${free}2` })).toMatch(
		/holds the number.*was not sent.*documentation/,
	);
});

it('shows the labels of the author', async () => {
	const values = { approveLabel: ' Reembolsar', disapproveLabel: '' };
	const { sent } = await ask({ ...APPROVAL, approvalOptions: { values } });
	expect(sent).toMatch(/\n\n\d{3}1\. Reembolsar\n\d{3}2\. No$/);
	const choices = 'Red, dark \n\nBlue\nRed, dark\nC\nD\nE\nF\nG\nH\nI';
	expect((await ask({ responseType: 'choice', choices })).sent).toMatch(
		/\n\n1\. Red, dark\n2\. Blue\n(?:.\. .\n){6}9\. I$/,
	);
});

it('a plain tool reviews no call of an agent', async () => {
	const { built } = buildAsk({}, { type: 'messagingGatewayTool' });
	const run = await execute(built, built.node(), [{ json: {} }], 'trigger');
	expect(JSON.stringify(run.data)).toContain('"isReview":false');
});

it('goes on without an answer with the input, but for its data', async () => {
	const input = { order: 42, data: { approved: true } };
	const asked = await ask({}, input);
	const node = asked.built.node();
	expect(await asked.timeOut()).toMatchObject([{ json: { order: 42 }, binary: FILES }]);
	expect((await asked.timeOut())[0].json).not.toHaveProperty('data');
	expect(input).toHaveProperty('data');
	expect(node.disabled).toBeUndefined();
});

it.each<[string, (asked: Asked) => unknown]>([
	['stopped', stop],
	['deleted', remove],
	[
		'answered, while the gateway failed',
		async () => {
			gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 503 } });
			await write('At eight');
			await waitFor('its fault', () => gateway.requests.some(({ status }) => status === 503));
		},
	],
])(
	'removes the webhook of a question that was %s, when the chat is asked again',
	async (_how, end) => {
		const asked = await ask();
		await end(asked);
		await ask();
		expect(gateway.webhooks().map(({ id }) => id)).not.toContain(asked.webhook.id);
	},
);

describe('refuses in words, before anything is sent:', () => {
	it.each<[string, INodeParameters, RegExp]>([
		[
			'more than 50 open questions',
			{ options: { maxOpenQuestions: 51 } },
			/Max Open Questions.*50/,
		],
		['one choice', { responseType: 'choice', choices: 'Red' }, /two to 9/],
		['ten choices', { responseType: 'choice', choices: [...'abcdefghij'].join('\n') }, /two to 9/],
		[
			'a choice of a page',
			{ responseType: 'choice', choices: `Red\n${'x'.repeat(501)}` },
			/at most 500 characters/,
		],
		[
			'labels that are the same',
			{ ...APPROVAL, approvalOptions: { values: { approveLabel: 'Ok', disapproveLabel: 'ok' } } },
			/must differ/,
		],
		...[0, 366].map((resumeAmount): [string, INodeParameters, RegExp] => [
			`a wait of ${resumeAmount} days`,
			{ options: { limitWaitTime: { values: { resumeAmount, resumeUnit: 'days' } } } },
			/Limit Wait Time/,
		]),
	])('%s', async (_what, parameters, words) => {
		expect(await refusal(parameters)).toMatch(words);
		expect(gateway.requests).toEqual([]);
	});

	it('a credential without Account Token', async () => {
		const words = /^The credential of this node has no ‘Account Token’.*svc_acct_/;
		expect(await refusal({}, [{}], { accountToken: '' })).toMatch(words);
		expect(gateway.requests).toEqual([]);
	});

	it('an n8n that the gateway cannot reach', async () => {
		const baseUrl = 'https://gateway.example.com';
		expect(await refusal({}, [{}], { baseUrl })).toMatch(
			/^The gateway cannot reach this n8n.*only this machine.*was not sent.*N8N_WEBHOOK_URL/,
		);
	});

	it('several items', async () => {
		expect(await refusal({}, [{}, {}])).toMatch(/one answer only.*was not sent.*Loop Over Items/);
		expect(gateway.requests).toEqual([]);
	});

	it('the 21st approval of a workflow until one is stopped, but no reply, and no other workflow', async () => {
		const open = [];
		for (let each = 0; each < 20; each++) open.push(await ask(APPROVAL));
		const refused = /^At most 20 approvals of a workflow .*was not sent.*Max Open Questions/;
		expect(await refusal(APPROVAL)).toMatch(refused);
		await ask();
		await ask(APPROVAL, {}, {}, gateway, 'another workflow');
		expect(gateway.acceptedSends()).toHaveLength(22);
		stop(open[19]);
		expect(await refusal(APPROVAL)).toBe(' ');
		expect(gateway.webhooks().map(({ id }) => id)).not.toContain(open[19].webhook.id);
	});

	it('the 201st question of an account, whichever workflow asks', async () => {
		const { webhook } = await ask(APPROVAL);
		for (let each = 1; each < 200; each++) {
			const other = new URL(webhook.url);
			other.searchParams.set('workflow', `workflow ${each}`);
			other.searchParams.set('by', 'another n8n');
			gateway.createWebhook({ url: other.href, events: ['MESSAGE.RECEIVED'] });
		}
		expect(await refusal(APPROVAL)).toMatch(/^At most 200 questions of an account/);
		expect(await refusal()).toMatch(/^At most 200 questions of an account/);
		expect(gateway.webhooks()).toHaveLength(200);
	});

	it.each([
		[
			'and a proxy strips it',
			401,
			'Invalid Form Link',
			/n8n would refuse.*not sent.*N8N_WEBHOOK_URL/,
		],
		['that reaches it', 409, 'The execution "1" is running already.', /^ $/],
		['of which another program says nothing', 401, 'Password', /^ $/],
	])('n8n under a path, %s', async (_what, status, words, refused) => {
		const { webhook } = await ask({ to: to('phone', PEOPLE[1].phone!) as never });
		moveUnderPath(status, words);
		expect(await refusal()).toMatch(refused);
		expect(gateway.acceptedSends()).toHaveLength(status === 401 && words !== 'Password' ? 1 : 2);
		// The execution of the first one is not over.
		expect(gateway.webhooks()).toContainEqual(expect.objectContaining({ id: webhook.id }));
	});

	it('the second of two approvals at once, if only one has a free number', async () => {
		const message = Array.from({ length: 899 }, (_, index) => `${index + 100}1`).join(' ');
		const refusals = [refusal({ ...APPROVAL, message }), refusal({ ...APPROVAL, message })];
		const words = [' ', expect.stringContaining('holds the number')];
		expect((await Promise.all(refusals)).sort()).toEqual(words);
	});

	it('one question too many, and n8n’s next try asks again', async () => {
		await ask({ to: to('phone', PEOPLE[1].phone!) as never });
		const { length } = gateway.requests;
		const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { built } = buildAsk({ options: { maxOpenQuestions: 1 } }, retried);
		await execute(built, built.node(), [{ json: {} }], 'trigger');
		const lists = gateway.requests.slice(length).filter(({ method }) => method === 'GET');
		expect(lists).toHaveLength(2);
	});

	it('one question too many, if n8n cannot reach itself to see which is stopped', async () => {
		await ask({ to: to('phone', PEOPLE[1].phone!) as never });
		await gateway.drained();
		breakNext();
		expect(await refusal({ options: { maxOpenQuestions: 1 } })).toMatch(
			/^At most 1 questions of a workflow/,
		);
		expect(gateway.webhooks()).toHaveLength(1);
	});
});

describe('a message that', () => {
	it('was surely not sent leaves no webhook', async () => {
		gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: { status: 422 } });
		const { run } = await tryToAsk();
		expect(run.data.resultData.error).toBeDefined();
		expect(run.waitTill).toBeUndefined();
		expect(gateway.webhooks()).toEqual([]);
	});

	it('may have been sent is not sent again, and its answer counts', async () => {
		gateway.faults.add({
			match: { path: '/v1/messages/send-text' },
			fault: { kind: 'acceptThenStatus', status: 502 },
		});
		const asked = await ask(APPROVAL);
		const hints = asked.run.data.resultData.runData[NAME][0].hints ?? [];
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/may have been sent/),
		]);
		// It tells nothing about the question.
		const data = { messageId: 'another', chat: { id: 'another@lid' }, fromMe: true };
		gateway.emit({ type: 'MESSAGE.SENT', instanceId: 'inst_another', data });
		const [, number] = /(\d{3}1)\./.exec(asked.sent)!;
		await write(number);
		expect(asked.answer()).toMatchObject({ data: { approved: true } });
		expect(gateway.acceptedSends()).toHaveLength(1);
	});

	it('may have been sent, and has to be quoted, fails', async () => {
		gateway.faults.add({
			match: { path: '/v1/messages/send-text' },
			fault: { kind: 'acceptThenStatus', status: 502 },
		});
		expect(await refusal({ options: { requireQuotedReply: true } })).toMatch(/may have been sent/i);
		expect(gateway.webhooks()).toEqual([]);
	});
});

it.each<[string, FaultPlan]>([
	['its webhook is created', { match: { method: 'POST', path: '/v1/webhooks' }, fault: SLOW }],
	['it goes out', { match: { path: '/v1/messages/send-text' }, fault: 'hang' }],
])('leaves nothing at the gateway if it is cancelled while %s', async (_when, plan) => {
	const before = gateway.requests.length;
	gateway.faults.add(plan);
	const { built } = buildAsk();
	const execution = start(built, built.node(), [{ json: {} }], 'trigger');
	const isAsked = ({ path }: { path: string }) => path === plan.match?.path;
	await waitFor('the request', () => gateway.requests.slice(before).some(isAsked));
	execution.cancel();
	expect((await execution).waitTill).toBeUndefined();
	const isDeleted = () => gateway.requests.some(({ method }) => method === 'DELETE');
	await waitFor('the webhook to go', () => isDeleted() && gateway.webhooks().length === 0);
});

it('waits also if the gateway does not tell when it created the webhook', async () => {
	const data = { id: 'wh_0', secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
	const match = { method: 'POST', path: '/v1/webhooks' };
	gateway.faults.add({ match, fault: { status: 200, body: { data } } });
	const { run } = await tryToAsk();
	const [, askedAt] = /"askedAt":(\d+)/.exec(JSON.stringify(run.data))!;
	expect(Date.now() - Number(askedAt)).toBeLessThan(MINUTE);
});

it('sends nothing if the webhook cannot be created, and the next question goes out', async () => {
	gateway.faults.add({ match: { method: 'POST', path: '/v1/webhooks' }, fault: { status: 503 } });
	const refusals = [await refusal(), await refusal()].sort();
	expect(refusals).toEqual([' ', expect.stringMatching(/The message was not sent\./)]);
	expect(gateway.acceptedSends()).toHaveLength(1);
});

it('deletes the webhooks of questions that are over, and no others', async () => {
	const { webhook } = await ask();
	const past = String(Date.now() - 10 * MINUTE);
	const moved = new URL(webhook.url);
	moved.searchParams.set('until', past);
	gateway.moveWebhook(webhook.id, moved.href);
	const foreign = new URL(moved);
	foreign.searchParams.set('by', 'another');
	const others = [
		foreign.href,
		'https://example.com/hook',
		moved.href.replace('127.0.0.1', 'localhost'),
	];
	for (const url of others) gateway.createWebhook({ url, events: ['MESSAGE.RECEIVED'] });
	await ask();
	const urls = gateway.webhooks().map(({ url }) => url);
	expect(urls).toEqual(expect.arrayContaining(others));
	expect(urls).not.toContain(moved.href);
	expect(urls).toHaveLength(4);
});
