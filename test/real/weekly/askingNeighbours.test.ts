import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chain, lead, makeEntrance, makeNode, makeNothing } from '../../../host/drafts/nodes';
import { createTriggerWorkflow, publish, startPublished } from '../../../host/drafts/workflows';
import { outputOf } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { findFreePort } from '../../../host/ports';
import { waitFor } from '../../../host/waiting';
import { PEOPLE, type WebhookRecord } from '../../../simulator';
import {
	ANA,
	BRUNO,
	makeAsk,
	makeCall,
	publishAsk,
	publishCalledAsk,
	untilNothingIsLeft,
	untilOver,
	type OpenQuestion,
} from '../drafts/asking';

// What else there may be beside a question.

let host: Host;

beforeAll(async () => {
	host = await startHost({
		gateway: {
			// When the gateway tells that a message has left the number, each test decides.
			statusDelaysMs: { sent: null, delivered: null, read: null },
			retryDelaysMs: Array<number>(200).fill(500),
		},
	});
});

beforeEach(() => {
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
});

const asAna = { phone: ANA };
/** Ana's chat, where the network hides her number. */
const HIDDEN = { id: PEOPLE[0].id, type: 'CONTACT' };

const statusesOf = (eventId: string) =>
	host.gateway.deliveries.filter((made) => made.eventId === eventId).map(({ status }) => status);

/** The gateway tells that a message to Ana has left the number. */
async function tellSent(messageId: string): Promise<void> {
	const data = { messageId, chat: { ...HIDDEN, phone: ANA }, fromMe: true };
	host.gateway.emit({ type: 'MESSAGE.SENT', data });
	await host.gateway.drained();
}

async function untilWaiting(workflowId: string): Promise<void> {
	await waitFor(
		'a question to wait for its answer',
		async () => (await host.api.listExecutions(workflowId, ['waiting'])).length === 1,
	);
}

describe('of two questions in one chat', () => {
	const askTwice = async (): Promise<OpenQuestion[]> => {
		const workflow = await publishAsk(host, { responseType: 'approval' });
		const questions = [await workflow.ask('order 42'), await workflow.ask('order 43')];
		for (const { sent } of questions) await tellSent(sent.messageId);
		return questions;
	};

	it.each([0, 1])('the one that is quoted is answered: %i', async (index) => {
		const questions = await askTwice();
		const quotedMessageId = questions[index].sent.messageId;
		host.gateway.write('yes', { ...asAna, quotedMessageId });
		expect(await questions[index].answer()).toMatchObject({ approved: true });
		await host.gateway.drained();
		const other = questions[1 - index];
		expect(await other.isOpen()).toBe(true);

		// Also when that one is answered already, and what quotes neither answers neither.
		for (const quoted of [quotedMessageId, 'SOMETHING ELSE'])
			host.gateway.write('no', { ...asAna, quotedMessageId: quoted });
		await host.gateway.drained();
		expect(await other.isOpen()).toBe(true);
		host.gateway.write('no', asAna);
		expect(await other.answer()).toMatchObject({ approved: false });
		await untilNothingIsLeft(host.gateway);
	});

	it('also after a restart of n8n', async () => {
		const [first, second] = await askTwice();
		await host.n8n.restart();
		host.gateway.write('yes', { ...asAna, quotedMessageId: first.sent.messageId });
		expect(await first.answer()).toMatchObject({ approved: true });
		await host.gateway.drained();
		expect(await second.isOpen()).toBe(true);
		await host.api.stopExecution(second.executionId);
	});
});

describe('the question of a loop', () => {
	it('is asked for each item, and what the gateway did not delete gets in nobody’s way', async () => {
		const { api, gateway, n8n } = host;
		const path = randomUUID();
		const loop = makeNode(
			'n8n-nodes-base.splitInBatches',
			'Loop',
			{ options: {} },
			{ typeVersion: 3 },
		);
		const ask = makeAsk(host.credentials, { message: '={{ $json.order }}?' });
		const nodes = [...makeEntrance(path), loop, ask, makeNothing('Done')];
		const id = await publish(api, {
			name: path,
			nodes,
			connections: {
				...chain(nodes.slice(0, 3)),
				Loop: { main: [lead(['Done']), lead(['Ask'])] },
				Ask: { main: [lead(['Loop'])] },
			},
		});
		gateway.faults.add({ match: { method: 'DELETE' }, times: 'always', fault: { status: 500 } });
		await startPublished(n8n.url, path, { items: [{ order: 1 }, { order: 2 }, { order: 3 }] });
		const replies = ['a', 'b', 'c'];
		for (const [index, reply] of replies.entries()) {
			await waitFor('the question', () => gateway.acceptedSends().length === index + 1);
			await untilWaiting(id);
			gateway.write(reply, asAna);
			await gateway.drained();
		}
		const [execution] = await api.waitForExecutions(id, 1);
		expect(gateway.acceptedSends().map(({ text }) => text)).toEqual(['1?', '2?', '3?']);
		expect(outputOf(execution, 'Done')[0].map(({ json }) => json.text)).toEqual(replies);
		expect(gateway.deliveries.map(({ status }) => status)).not.toContain(401);
	});
});

describe('a workflow', () => {
	it('that waits for another one which asks goes on with the answer', async () => {
		const { api, gateway, n8n } = host;
		const subId = await publishCalledAsk(host);
		const path = randomUUID();
		const nodes = [...makeEntrance(path), makeCall(subId), makeNothing()];
		const id = await publish(api, { name: path, nodes, connections: chain(nodes) });
		await startPublished(n8n.url, path, { items: [{}] });
		await untilWaiting(subId);
		gateway.write('At eight', asAna);
		const [execution] = await api.waitForExecutions(id, 1);
		expect(outputOf(execution, 'Next')[0]).toMatchObject([{ json: { text: 'At eight' } }]);
		await untilNothingIsLeft(host.gateway);
	});

	it('that was changed and unpublished meanwhile goes on as it was', async () => {
		const { api, gateway } = host;
		const workflow = await publishAsk(host);
		const question = await workflow.ask();
		const { nodes } = await api.getWorkflow(workflow.id);
		const others = nodes.filter(({ name }) => name !== 'Ask');
		await api.updateWorkflow(workflow.id, { nodes: others, connections: chain(others) });
		await api.publish(workflow.id);
		await api.unpublish(workflow.id);
		gateway.write('Still there', asAna);
		expect(await question.answer()).toMatchObject({ text: 'Still there' });
		await untilNothingIsLeft(host.gateway);
	});
});

it('an answer from a hidden number waits until the gateway has told whose chat it is', async () => {
	const { gateway } = host;
	const question = await (await publishAsk(host)).ask();
	const write = (chat: object, text: string) =>
		gateway.emit({
			type: 'MESSAGE.RECEIVED',
			data: { messageId: randomUUID(), chat, sender: chat, fromMe: false, text },
		}).id;
	const other = write({ ...HIDDEN, id: PEOPLE[3].id }, 'Somebody else');
	const early = write(HIDDEN, 'Early');
	for (const id of [other, early]) {
		await waitFor('an answer', () => typeof statusesOf(id)[0] === 'number');
		expect(statusesOf(id)[0]).toBe(503);
	}
	const { messageId } = question.sent;
	gateway.emit({ type: 'MESSAGE.SENT', data: { messageId, chat: HIDDEN, fromMe: true } });
	expect(await question.answer()).toMatchObject({ text: 'Early' });
	await untilNothingIsLeft(host.gateway);
});

describe('an answer starts no workflow that ignores answers', () => {
	const startTrigger = async () => {
		const { api } = host;
		const trigger = await createTriggerWorkflow(host, {
			parameters: { options: { ignoreAnswers: true } },
		});
		await api.publish(trigger.id);
		return trigger;
	};

	const expectNothingStarted = async ({ id, url }: { id: string; url: string }) => {
		const { api, gateway } = host;
		const { id: laterId } = gateway.write('Not asked', { phone: BRUNO });
		await waitFor('a later message to start one', () =>
			gateway.deliveries.some(
				(made) => made.eventId === laterId && made.url === url && made.status === 200,
			),
		);
		const started = await api.waitForExecutions(id, 1);
		expect(started.flatMap((execution) => outputOf(execution, 'Trigger')[0])).toMatchObject([
			{ json: { text: 'Not asked' } },
		]);
		await api.unpublish(id);
	};

	it('where it comes first after a start of n8n', async () => {
		const { gateway, n8n } = host;
		const trigger = await startTrigger();
		const question = await (await publishAsk(host)).ask();
		await tellSent(question.sent.messageId);
		await waitFor(
			'the trigger to forward its messages',
			() => question.webhook().events?.includes('MESSAGE.RECEIVED') === false,
		);
		await n8n.restart();
		gateway.write('Yes', asAna);
		expect(await question.answer()).toMatchObject({ text: 'Yes' });
		await gateway.drained();
		await expectNothingStarted(trigger);
	});

	it('where the trigger has it before the question, which gets it too', async () => {
		const { gateway } = host;
		const trigger = await startTrigger();
		const question = await (await publishAsk(host)).ask();
		const event = {
			id: randomUUID(),
			type: 'MESSAGE.RECEIVED',
			instanceId: gateway.instanceId,
			timestamp: new Date().toISOString(),
			data: {
				messageId: randomUUID(),
				chat: { ...HIDDEN, phone: ANA },
				fromMe: false,
				text: 'Yes',
			},
		};
		const deliverTo = async ({ url, secret }: WebhookRecord): Promise<number> => {
			const headers = { ...gateway.sign(event, secret), 'content-type': 'application/json' };
			return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })).status;
		};
		const [webhook] = gateway.webhooks().filter(({ url }) => url === trigger.url);
		const itsOwn = question.webhook();
		expect(itsOwn.events).toContain('MESSAGE.RECEIVED');
		expect(await deliverTo(webhook)).toBe(200);
		expect(await question.answer()).toMatchObject({ text: 'Yes' });
		expect(await deliverTo(itsOwn)).toBe(200);
		await expectNothingStarted(trigger);
	});
});

it('a second question that nobody answers does not pass for answered by what the first one was told', async () => {
	const { api, gateway, n8n } = host;
	const path = randomUUID();
	const limit = { limitWaitTime: { values: { resumeAmount: 0.05, resumeUnit: 'minutes' } } };
	const nodes = [
		...makeEntrance(path),
		makeAsk(host.credentials, { responseType: 'approval' }),
		makeAsk(host.credentials, { responseType: 'approval', options: limit }, { name: 'Manager' }),
		makeNothing(),
	];
	const id = await publish(api, { name: path, nodes, connections: chain(nodes) });
	await startPublished(n8n.url, path, { items: [{}] });
	await untilWaiting(id);
	await tellSent(gateway.acceptedSends()[0].messageId);
	const { id: eventId } = gateway.write('yes', asAna);
	await waitFor('the second question', () => gateway.acceptedSends().length === 2);
	await untilWaiting(id);
	await untilOver(gateway);
	await n8n.restart();
	const [execution] = await api.waitForExecutions(id, 1);
	const [[{ json }]] = outputOf(execution, 'Next');
	expect(json).toEqual({
		text: 'yes',
		chatInput: 'yes',
		event: expect.objectContaining({ id: eventId }) as object,
	});
});

describe('an n8n whose address has a path', () => {
	let elsewhere: Host;
	let proxy: Server;

	beforeAll(async () => {
		const port = await findFreePort();
		// As proxies do for one that is not alone at its address.
		proxy = createServer((incoming, outgoing) => {
			const { method, headers, url = '' } = incoming;
			const path = url.replace(/^\/n8n/, '');
			const onward = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			});
			onward.on('error', () => outgoing.writeHead(502).end());
			incoming.pipe(onward);
		});
		proxy.listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/n8n/`;
		elsewhere = await startHost({ n8n: { port, env: { N8N_WEBHOOK_URL: address } } });
	});

	afterAll(async () => {
		await elsewhere?.stop();
		proxy?.close();
	});

	it('asks nothing that nobody could answer, and says why', async () => {
		const error = await (await publishAsk(elsewhere)).askInVain();
		expect(error.message).toBe('No answer could reach this n8n');
		expect(error.description).toMatch(
			/^Nothing was sent.*\/n8n\/.*N8N_WEBHOOK_URL.*without a path/,
		);
		expect(elsewhere.gateway.requests).toEqual([]);
	});
});
