import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chain, makeEntrance, makeNode, makeNothing } from '../../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	publish,
	publishBehindEntrance,
	startPublished,
	type TriggerDraft,
	type TriggerWorkflow,
} from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { findFreePort } from '../../../host/ports';
import { waitFor } from '../../../host/waiting';
import type { GatewayEvent, WebhookRecord } from '../../../simulator';
import { ANA, BRUNO, makeAsk, publishAsk, type OpenQuestion } from '../drafts/asking';
import { makeMessage } from '../drafts/messages';

// Questions whose messages a published trigger of the same account hands on, so that their webhooks rest.

let host: Host;
let proxy: Server;
/** Whether anybody reaches what waits in n8n; its triggers are always reached. */
let reachesItself = true;
/** So many requests have come for what waits in n8n. */
let waitingRequests = 0;
const published: TriggerWorkflow[] = [];

beforeAll(async () => {
	const port = await findFreePort();
	proxy = createServer((incoming, outgoing) => {
		const { method, headers, url: path = '' } = incoming;
		const isWaiting = path.startsWith('/webhook-waiting/');
		if (isWaiting) waitingRequests++;
		if (isWaiting && !reachesItself) return outgoing.destroy();
		const onward = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(onward);
		return undefined;
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
	host = await startHost({
		n8n: { port, env: { N8N_WEBHOOK_URL: address } },
		gateway: { retryDelaysMs: Array<number>(400).fill(500) },
	});
});

afterEach(async () => {
	reachesItself = true;
	host.gateway.faults.clear();
	for (const { id } of published.splice(0)) await host.api.deleteWorkflow(id);
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
	proxy?.close();
});

/** Publishes a trigger, and waits until it has proven that deliveries to itself arrive. */
async function publishTrigger(parameters: TriggerDraft['parameters'] = {}): Promise<string> {
	const workflow = await createTriggerWorkflow(host, {
		parameters: { options: { ignoreAnswers: true }, ...parameters },
	});
	published.push(workflow);
	await publishAgain(workflow.id);
	return workflow.id;
}

async function publishAgain(id: string): Promise<void> {
	await host.api.publish(id);
	const lists = () => host.gateway.requests.filter(({ method }) => method === 'GET').length;
	const before = lists();
	await waitFor('the trigger to look after questions', () => lists() > before, 60_000);
}

const rests = ({ events }: WebhookRecord) => !events.includes('MESSAGE.RECEIVED');

async function untilRests(question: OpenQuestion): Promise<WebhookRecord> {
	await waitFor('the webhook to rest', () => rests(question.webhook()));
	return question.webhook();
}

async function askAndRest(): Promise<{ question: OpenQuestion; resting: WebhookRecord }> {
	const question = await (await publishAsk(host)).ask();
	const resting = await untilRests(question);
	// Killed before it has taken the news of the message, n8n would hear it again, and wake the webhook.
	await host.gateway.drained();
	return { question, resting };
}

const deliveriesTo = ({ id }: WebhookRecord) =>
	host.gateway.deliveries.filter(({ webhookId }) => webhookId === id);

function statusesOf({ id }: GatewayEvent): Array<number | null> {
	return host.gateway.deliveries
		.filter(({ eventId }) => eventId === id)
		.map(({ status }) => status);
}

async function untilNothingIsLeft(): Promise<void> {
	await waitFor('the webhooks of questions to go', () =>
		host.gateway.webhooks().every(({ url }) => !url.includes('/webhook-waiting/')),
	);
}

it('cost nothing for the messages of others, and get their answer from the trigger', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	const { question, resting } = await askAndRest();
	const { length } = deliveriesTo(resting);
	for (let index = 0; index < 5; index++) gateway.write(`chatter ${index}`, { phone: BRUNO });
	await gateway.drained();
	expect(await question.isOpen()).toBe(true);
	gateway.write('The answer', { phone: ANA });
	expect(await question.answer()).toMatchObject({ answered: true, text: 'The answer' });
	await gateway.drained();
	expect(deliveriesTo(resting)).toHaveLength(length);
	await untilNothingIsLeft();
	expect(await api.waitForExecutions(trigger, 5)).toHaveLength(5);
});

it('open for nobody else: what was not signed by this process is refused', async () => {
	const { gateway } = host;
	await publishTrigger();
	const { question, resting } = await askAndRest();
	const body = JSON.stringify({
		id: 'evt_1',
		type: 'MESSAGE.RECEIVED',
		data: { chat: { phone: ANA }, fromMe: false, text: 'yes' },
	});
	const other = gateway.createWebhook({ url: 'https://n8n.example.com/', events: ['A'] });
	const answer = await fetch(resting.url, {
		method: 'POST',
		headers: gateway.sign(body, other.secret),
		body,
	});
	expect(answer.status).toBe(401);
	expect(await question.isOpen()).toBe(true);
});

it('are answered after n8n was killed, by what came meanwhile', async () => {
	const { gateway, n8n } = host;
	await publishTrigger();
	const { question, resting } = await askAndRest();
	await n8n.kill();
	gateway.write('While it was down', { phone: ANA });
	await n8n.start();
	expect(await question.answer()).toMatchObject({ text: 'While it was down' });
	expect(deliveriesTo(resting).every(({ type }) => type !== 'MESSAGE.RECEIVED')).toBe(true);
	await untilNothingIsLeft();
}, 180_000);

it('are answered by what came while n8n shut down', async () => {
	const { gateway, api, n8n } = host;
	const work = makeNode(
		'n8n-nodes-base.wait',
		'Work',
		{ resume: 'timeInterval', amount: 20, unit: 'seconds' },
		{ typeVersion: 1.1 },
	);
	const busy = await publishBehindEntrance(host, [work, makeNothing()]);
	const trigger = await publishTrigger();
	const { question } = await askAndRest();
	await busy.start([{}]);
	await waitFor(
		'the execution that n8n waits for',
		async () => (await api.listExecutions(busy.id, ['running'])).length === 1,
	);
	const [{ url, secret }] = gateway.webhooks().filter(({ id }) => id !== question.webhook().id);
	const event = makeMessage(host, { text: 'While it stops' });
	const body = JSON.stringify(event);
	const headers = {
		...gateway.sign(event, secret),
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	};
	// It is on its way as n8n stops listening.
	const delivery = request(url, { method: 'POST', headers });
	const answered = once(delivery, 'response') as Promise<[IncomingMessage]>;
	delivery.write(body.slice(0, 10));
	const { length } = n8n.log();
	const shuttingDown = n8n.shutDown();
	await waitFor('n8n to stop', () => n8n.log().slice(length).includes('Stopping n8n'));
	delivery.end(body.slice(10));
	// The oldest n8n knows no trigger any more, and says so by itself: the gateway repeats it in both cases.
	expect([404, 503]).toContain((await answered)[0].statusCode);
	await shuttingDown;
	await n8n.start();
	await waitFor('the repeat to be taken', async () => {
		const again = { ...gateway.sign(event, secret), 'content-type': 'application/json' };
		return (await fetch(url, { method: 'POST', headers: again, body })).status === 200;
	});
	expect(await question.answer()).toMatchObject({ text: 'While it stops' });
	expect(await api.listExecutions(trigger)).toEqual([]);
	await api.deleteWorkflow(busy.id);
	await untilNothingIsLeft();
}, 180_000);

it('are answered by who quotes them, where the network hides whose chat it is', async () => {
	const { gateway, n8n } = host;
	await publishTrigger();
	const workflow = await publishAsk(host);
	const questions = [await workflow.ask(), await workflow.ask(), await workflow.ask()];
	for (const question of questions) await untilRests(question);
	const quote = (question: OpenQuestion, text: string) =>
		gateway.emit({
			type: 'MESSAGE.RECEIVED',
			data: {
				messageId: randomUUID(),
				// An ID of another kind than the chat has in MESSAGE.SENT.
				chat: { id: 'elsewhere@c.us', type: 'CONTACT' },
				sender: { id: 'elsewhere@c.us' },
				fromMe: false,
				text,
				quotedMessageId: question.sent.messageId,
				messageType: 'TEXT',
			},
		});
	quote(questions[0], 'First');
	expect(await questions[0].answer()).toMatchObject({ text: 'First' });
	await n8n.restart();
	for (const [index, text] of [
		[2, 'Third'],
		[1, 'Second'],
	] as const) {
		quote(questions[index], text);
		expect(await questions[index].answer()).toMatchObject({ text });
	}
	await untilNothingIsLeft();
}, 180_000);

it('are not missed by what comes before the gateway has told which there are', async () => {
	const { gateway, n8n } = host;
	await publishTrigger();
	const { question } = await askAndRest();
	await n8n.kill();
	gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		times: 'always',
		fault: { status: 503 },
	});
	await n8n.start();
	const early = gateway.write('Too early', { phone: ANA });
	await waitFor('the gateway to be told to repeat it', () => statusesOf(early).includes(503));
	expect(statusesOf(early)).not.toContain(200);
	gateway.faults.clear();
	expect(await question.answer()).toMatchObject({ text: 'Too early' });
	await untilNothingIsLeft();
}, 180_000);

it('get their messages themselves when the trigger is unpublished, and are parked again when it is back', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	const workflow = await publishAsk(host);
	const [first, second] = [await workflow.ask(), await workflow.ask()];
	await untilRests(first);
	await untilRests(second);
	await api.unpublish(trigger);
	expect([first, second].map((question) => rests(question.webhook()))).toEqual([false, false]);
	gateway.write('Direct', { phone: ANA, quotedMessageId: first.sent.messageId });
	expect(await first.answer()).toMatchObject({ text: 'Direct' });
	await publishAgain(trigger);
	await untilRests(second);
	gateway.write('Handed on', { phone: ANA });
	expect(await second.answer()).toMatchObject({ text: 'Handed on' });
	await untilNothingIsLeft();
});

it('are not left to a trigger that is unpublished while it takes them over', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	let isUnpublished = false;
	const untilUnpublished = async () => await waitFor('the unpublishing', () => isUnpublished);
	const takingOver = gateway.faults.add({
		match: { method: 'PATCH' },
		fault: { kind: 'slow', until: untilUnpublished },
	});
	const question = await (await publishAsk(host)).ask();
	await waitFor('the taking over', () => takingOver.hits === 1);
	await api.unpublish(trigger);
	isUnpublished = true;
	await gateway.drained();
	expect(rests(question.webhook())).toBe(false);
	gateway.write('Direct', { phone: ANA });
	expect(await question.answer()).toMatchObject({ text: 'Direct' });
	await untilNothingIsLeft();
});

it('are all woken when the trigger is unpublished, also those that the gateway does not change at once', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	const workflow = await publishAsk(host);
	const questions: OpenQuestion[] = [];
	for (let index = 0; index < 11; index++) questions.push(await workflow.ask());
	for (const question of questions) await untilRests(question);
	const match = { method: 'PATCH' };
	gateway.faults.add({ match, times: 5, fault: { status: 429 } });
	gateway.faults.add({ match, fault: 'cutBefore' });
	await api.unpublish(trigger);
	expect(questions.filter((question) => rests(question.webhook()))).toEqual([]);
	for (const { executionId } of questions) await api.stopExecution(executionId);
});

it('stay parked while another trigger of the account is published', async () => {
	const first = await publishTrigger();
	await publishTrigger({ options: { chatTypes: ['status'] } });
	const { question } = await askAndRest();
	await host.api.unpublish(first);
	expect(rests(question.webhook())).toBe(true);
	host.gateway.write('Through the other one', { phone: ANA });
	expect(await question.answer()).toMatchObject({ text: 'Through the other one' });
	await untilNothingIsLeft();
});

it('are forwarded an answer once by two triggers, neither of which has to ask for a repeat', async () => {
	const { gateway } = host;
	await publishTrigger({ options: {} });
	await publishTrigger({ options: {} });
	const { question } = await askAndRest();
	const answer = gateway.write('Once', { phone: ANA });
	expect(await question.answer()).toMatchObject({ text: 'Once' });
	await gateway.drained();
	expect(statusesOf(answer)).toEqual([200, 200]);
	await untilNothingIsLeft();
});

it('are answered by an edited message', async () => {
	const { gateway } = host;
	await publishTrigger();
	const workflow = await publishAsk(host, { responseType: 'choice', choices: 'Red\nBlue' });
	const question = await workflow.ask();
	await untilRests(question);
	await gateway.drained();
	const { data } = gateway.write('Bleu', { phone: ANA });
	await gateway.drained();
	expect(await question.isOpen()).toBe(true);
	gateway.emit({ type: 'MESSAGE.RECEIVED', data: { ...(data as object), text: 'Blue' } });
	expect(await question.answer()).toMatchObject({ choice: 'Blue' });
	await untilNothingIsLeft();
});

it('cost n8n no more than two requests each for a yes that may mean any of them', async () => {
	const { gateway, api } = host;
	await publishTrigger({ options: {} });
	const workflow = await publishAsk(host, { responseType: 'approval' });
	const questions: OpenQuestion[] = [];
	for (let index = 0; index < 16; index++) questions.push(await workflow.ask());
	for (const question of questions) await untilRests(question);
	await gateway.drained();
	const before = waitingRequests;
	const yes = gateway.write('yes', { phone: ANA });
	await waitFor('the answer to be taken', () => statusesOf(yes).at(-1) === 200);
	await gateway.drained();
	const tries = statusesOf(yes).length;
	expect(waitingRequests - before).toBeLessThanOrEqual(2 * questions.length * tries);
	for (const question of questions) expect(await question.isOpen()).toBe(true);
	for (const { executionId } of questions) await api.stopExecution(executionId);
}, 180_000);

it('are not parked where no trigger gets messages, and are woken with the next question where it could not be told', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	const { question } = await askAndRest();
	gateway.faults.add({ match: { method: 'PATCH' }, times: 'always', fault: { status: 500 } });
	await api.unpublish(trigger);
	expect(rests(question.webhook())).toBe(true);
	gateway.faults.clear();
	await publishTrigger({ events: ['CONNECTION.UPDATED'] });
	await waitFor('the webhook to wake', () => !rests(question.webhook()));
	const other = await (await publishAsk(host)).ask();
	await gateway.drained();
	expect(rests(other.webhook())).toBe(false);
	for (const asked of [question, other]) {
		gateway.write('At last', { phone: ANA, quotedMessageId: asked.sent.messageId });
		expect(await asked.answer()).toMatchObject({ text: 'At last' });
	}
	await untilNothingIsLeft();
});

it('are woken where their trigger was taken away behind n8n’s back', async () => {
	const { gateway, api } = host;
	const trigger = await publishTrigger();
	const { question } = await askAndRest();
	gateway.faults.add({ match: { method: 'PATCH' }, times: 'always', fault: { status: 500 } });
	await api.unpublish(trigger);
	gateway.faults.clear();
	gateway.setConnection('LOGGED_OUT');
	gateway.setPairing('GENERATED');
	gateway.setConnection('CONNECTED');
	await waitFor('the webhook to wake', () => !rests(question.webhook()));
	gateway.write('Good morning', { phone: ANA });
	expect(await question.answer()).toMatchObject({ text: 'Good morning' });
	await untilNothingIsLeft();
});

it('lose no answer while n8n does not reach itself', async () => {
	const { gateway } = host;
	await publishTrigger();
	const { question } = await askAndRest();
	reachesItself = false;
	const answer = gateway.write('Hard to bring', { phone: ANA });
	await waitFor('the webhook to wake', () => !rests(question.webhook()));
	await waitFor('the gateway to be told to repeat it', () => statusesOf(answer).includes(503));
	expect(await question.isOpen()).toBe(true);
	reachesItself = true;
	expect(await question.answer()).toMatchObject({ text: 'Hard to bring' });
	await gateway.drained();
	expect(statusesOf(answer).at(-1)).toBe(200);
	await untilNothingIsLeft();
});

it('keep nothing from the trigger when their time is over and the execution works on', async () => {
	const { gateway, api, n8n } = host;
	const trigger = await publishTrigger();
	const path = randomUUID();
	const limitWaitTime = { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } };
	const works = { resume: 'timeInterval', amount: 60, unit: 'seconds' };
	const nodes = [
		...makeEntrance(path),
		makeAsk(host.credentials, { options: { limitWaitTime } }),
		makeNode('n8n-nodes-base.wait', 'Work', works, { typeVersion: 1.1 }),
		makeNothing(),
	];
	const id = await publish(api, { name: path, nodes, connections: chain(nodes) });
	await startPublished(n8n.url, path, { items: [{}] });
	const resting = () => gateway.webhooks().some(rests);
	await waitFor('the webhook to rest', resting);
	const isWorking = async () => (await api.listExecutions(id, ['running'])).length === 1;
	await waitFor('n8n to notice that the time is over', isWorking, 120_000);
	gateway.write('Something else', { phone: ANA });
	await api.waitForExecutions(trigger, 1);
	expect(await isWorking()).toBe(true);
}, 180_000);

it('may be more than twenty, asked all at once', async () => {
	const { gateway, api } = host;
	await publishTrigger();
	const workflow = await publishAsk(host);
	await workflow.ask();
	for (let index = 1; index < 25; index++) await workflow.start();
	await waitFor(
		'all to be asked',
		async () => (await api.listExecutions(workflow.id, ['waiting'])).length === 25,
		120_000,
	);
	await gateway.drained();
	expect(gateway.acceptedSends()).toHaveLength(25);
	for (const { id } of await api.listExecutions(workflow.id)) await api.stopExecution(id);
}, 180_000);
