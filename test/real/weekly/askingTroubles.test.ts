import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { outputOf } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import type { Fault } from '../../../simulator';
import {
	catalogue,
	deliver,
	makeEvent,
	post,
	postEvenIfTooLarge,
	type Kit,
} from '../../oracle/catalogue';
import { to } from '../../oracle/document';
import { ANA, publishAsk, untilNothingIsLeft, type OpenQuestion } from '../drafts/asking';

// What may happen between a question and its answer.

let host: Host;

beforeAll(async () => {
	host = await startHost({
		n8n: {},
		// The number that the events of the catalogue come from, so that nothing but their signature speaks against them.
		gateway: { instanceId: 'inst_1', retryDelaysMs: Array<number>(200).fill(500) },
	});
});

beforeEach(() => {
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
});

const asAna = { phone: ANA };
const WEBHOOKS = { path: '/v1/webhooks' };
const SEND = { path: '/v1/messages/send-text' };

async function answerTo(question: OpenQuestion, text: string): Promise<void> {
	await host.gateway.drained();
	host.gateway.write(text, asAna);
	expect(await question.answer()).toMatchObject({ answered: true, text });
}

describe('n8n', () => {
	it('killed between question and answer goes on with an answer that came meanwhile', async () => {
		const question = await (await publishAsk(host)).ask();
		await host.n8n.kill();
		host.gateway.write('While it was down', asAna);
		await host.n8n.start();
		expect(await question.answer()).toMatchObject({ text: 'While it was down' });
		await untilNothingIsLeft(host.gateway);
	}, 180_000);

	it('killed between webhook and message leaves nothing behind after the next question, and sends nothing twice', async () => {
		const workflow = await publishAsk(host);
		host.gateway.faults.add({ match: SEND, fault: 'hang' });
		await workflow.start();
		await waitFor('the send', () => host.gateway.requests.some(({ path }) => path === SEND.path));
		await host.n8n.kill();
		host.gateway.faults.clear();
		await host.n8n.start();
		const question = await workflow.ask();
		expect(host.gateway.webhooks()).toEqual([question.webhook()]);
		await answerTo(question, 'Now');
		await untilNothingIsLeft(host.gateway);
	}, 180_000);
});

describe('an execution that was', () => {
	const ends: Array<[string, (question: OpenQuestion) => Promise<void>]> = [
		['stopped', async ({ executionId }) => await host.api.stopExecution(executionId)],
		[
			'deleted',
			async ({ executionId }) =>
				await host.api.request('POST', '/executions/delete', { ids: [executionId] }),
		],
	];

	it.each(ends)('%s leaves nothing behind after the next question', async (_how, end) => {
		const workflow = await publishAsk(host);
		const first = await workflow.ask();
		await end(first);
		const second = await workflow.ask();
		await host.gateway.drained();
		expect(host.gateway.webhooks()).toEqual([second.webhook()]);
		await answerTo(second, 'Still there');
		await untilNothingIsLeft(host.gateway);
	});

	it('stopped leaves nothing behind after the next publication, nor is anything of others touched', async () => {
		const { gateway } = host;
		const { origin } = new URL(host.n8n.url);
		const others = [
			'https://n8n.example.com/webhook-waiting/1/node?asked=1&until=1&signature=1',
			`${origin}/webhook-waiting/999/node?signature=1`,
			`${origin}/webhook/999/node`,
		].map((url) => gateway.createWebhook({ url, events: ['QRCODE.UPDATED'] }).id);
		const question = await (await publishAsk(host)).ask();
		await host.api.stopExecution(question.executionId);
		const trigger = await createTriggerWorkflow(host);
		await host.api.publish(trigger.id);
		await waitFor(
			'the question to be swept',
			() => !gateway.webhooks().some(({ url }) => url.includes('asked=5')),
		);
		await host.api.unpublish(trigger.id);
		expect(gateway.webhooks().map(({ id }) => id)).toEqual(others);
	});
});

describe('a gateway', () => {
	const refusing: Array<[string, { path: string; method: string }, Fault]> = [
		['lists no webhooks', { ...WEBHOOKS, method: 'GET' }, { status: 500 }],
		['makes no webhook', { ...WEBHOOKS, method: 'POST' }, { status: 403 }],
		['makes one without a word', { ...WEBHOOKS, method: 'POST' }, 'cutAfter'],
		['takes no message', { ...SEND, method: 'POST' }, { status: 400 }],
		['hangs up before it takes the message', { ...SEND, method: 'POST' }, { status: 429 }],
	];

	it.each(refusing)(
		'that %s is asked again with Retry On Fail, and nothing is sent twice',
		async (_what, match, fault) => {
			const { gateway } = host;
			const workflow = await publishAsk(host);
			gateway.faults.add({ match, fault });
			const error = await workflow.askInVain();
			expect(error.message).toMatch(/not sent/);
			expect(gateway.acceptedSends()).toEqual([]);
			expect(gateway.webhooks()).toEqual([]);

			const retrying = await publishAsk(
				host,
				{},
				{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			);
			if (
				match.path === SEND.path &&
				typeof fault === 'object' &&
				'status' in fault &&
				fault.status === 400
			)
				return;
			if (typeof fault === 'object' && 'status' in fault && fault.status === 403) return;
			gateway.faults.add({ match, fault });
			const question = await retrying.ask();
			expect(gateway.acceptedSends()).toHaveLength(1);
			await waitFor('one webhook', () => gateway.webhooks().length === 1);
			await answerTo(question, 'Asked once');
			await untilNothingIsLeft(host.gateway);
		},
	);

	it.each<[string, Fault]>([
		['hangs up after it took the message', 'cutAfter'],
		['takes the message and answers 502', 'acceptThenStatus'],
	])('that %s is not asked again: the answer is waited for', async (_what, fault) => {
		const { gateway } = host;
		const workflow = await publishAsk(
			host,
			{},
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		);
		gateway.faults.add({ match: SEND, fault });
		const question = await workflow.ask();
		expect(gateway.acceptedSends()).toHaveLength(1);
		expect(host.n8n.log()).toContain(
			'The message may have been sent. The workflow waits for the answer',
		);
		await answerTo(question, 'It came');
		expect(gateway.acceptedSends()).toHaveLength(1);
		await untilNothingIsLeft(host.gateway);
	});

	it('that deletes nothing when the answer is there does not keep it, and the next question does', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host);
		const question = await workflow.ask();
		gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 500 } });
		await answerTo(question, 'Yes');
		await waitFor('the attempt', () => gateway.requests.some(({ method }) => method === 'DELETE'));
		const next = await workflow.ask();
		await gateway.drained();
		expect(gateway.webhooks()).toEqual([next.webhook()]);
		await answerTo(next, 'Yes again');
		await untilNothingIsLeft(host.gateway);
	});

	it('that changes no webhooks is understood all the same', async () => {
		const { gateway } = host;
		gateway.faults.add({ match: { method: 'PATCH' }, times: 'always', fault: { status: 404 } });
		const question = await (await publishAsk(host)).ask();
		await answerTo(question, 'Yes');
		await untilNothingIsLeft(host.gateway);
	});
});

describe('a stranger', () => {
	const phone = '5511987654321';

	it('resumes nothing and ends nothing with any delivery of the catalogue', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host, { to: to('phone', phone) });
		const old = await workflow.ask();
		const oldSecret = old.webhook().secret;
		await host.api.stopExecution(old.executionId);
		// What was genuine once may not be the answer, or nothing could be replayed.
		const elsewhere = await (await publishAsk(host)).ask();
		const asked = await workflow.ask();
		await gateway.drained();
		for (const entry of catalogue.filter(({ holds }) => holds === undefined)) {
			const question = entry.before ? elsewhere : asked;
			const { url, secret } = question.webhook();
			const kit: Kit = {
				secret,
				oldSecret,
				otherSecret: elsewhere.webhook().secret,
				now: Math.floor(Date.now() / 1000),
			};
			if (question === elsewhere) kit.otherSecret = asked.webhook().secret;
			for (const genuine of entry.before?.(kit) ?? [])
				expect((await post(url, genuine)).status).toBe(200);
			const delivery = entry.make(kit);
			const answer = await postEvenIfTooLarge(url, delivery);
			if (answer === undefined) continue;
			const { status, text } = answer;
			// An address beside it, and other methods, are answered by n8n, in its own way.
			if (entry.answeredBy !== 'trigger') continue;
			const answers = [...entry.answers];
			if (entry.before) answers.push(200);
			// For a node of version 1, n8n unpacks every body itself. While it is busy with a large one, it may say 503.
			if (entry.group === 'transport') answers.push(500, 503);
			const isExpected = answers.includes(status);
			expect([entry.name, status, isExpected]).toEqual([entry.name, status, true]);
			// With something behind it, the address is no longer the one that n8n has signed.
			if (status === 401 && delivery.suffix === undefined)
				expect(text).toBe('{"error":"Unauthorized"}');
		}
		for (const question of [asked, elsewhere]) expect(await question.isOpen()).toBe(true);

		const changed = new URL(asked.webhook().url);
		changed.searchParams.set('asked', ANA);
		const kit = {
			secret: asked.webhook().secret,
			oldSecret,
			otherSecret: '',
			now: Math.floor(Date.now() / 1000),
		};
		const genuine = deliver(kit, { event: makeEvent() });
		expect((await post(changed.href, genuine)).status).toBe(401);
		expect(await asked.isOpen()).toBe(true);

		const { url } = asked.webhook();
		expect((await post(url, genuine)).status).toBe(200);
		expect(await asked.answer()).toMatchObject({ answered: true, text: 'Olá! 👋' });

		// The recorded answer, to the next question and to the one that has it.
		const next = await workflow.ask();
		expect((await post(next.webhook().url, genuine)).status).toBe(401);
		expect((await post(url, genuine)).status).toBe(200);
		expect(await next.isOpen()).toBe(true);
		await host.api.stopExecution(next.executionId);
		await answerTo(elsewhere, 'Mine');
	}, 180_000);
});

it('goes on with what came in when nobody has answered in time', async () => {
	const workflow = await publishAsk(host, {
		options: { limitWaitTime: { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } } },
	});
	// What would pass for an answer is left behind, wherever it came from.
	await workflow.start([{ note: 'order 43', answered: true, choice: 'a', approved: true }]);
	const [execution] = await host.api.waitForExecutions(workflow.id, 1, 120_000);
	expect(outputOf(execution, 'Next')[0].map(({ json }) => json)).toEqual([{ note: 'order 43' }]);
}, 150_000);
