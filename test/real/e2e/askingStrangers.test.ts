import { randomUUID } from 'node:crypto';
import { createTriggerWorkflow, type TriggerWorkflow } from '../../../host/drafts/workflows';
import { createCredentials, startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type GatewayEvent } from '../../../simulator';
import { ANA, BRUNO, publishAsk, type AskWorkflow, type OpenQuestion } from '../drafts/asking';

// Questions of one account beside another user of the same n8n, who has an account and a gateway of their own, and knows all
// that a gateway is told: the chats, the addresses of questions, and the IDs of their webhooks.

const SECRET = `whsec_${Buffer.alloc(32, 'typed').toString('base64')}`;

/** The one whose questions are asked. */
let host: Host;
/** The other user. */
let stranger: Host;
const published: string[] = [];

beforeAll(async () => {
	host = await startHost({ gateway: { retryDelaysMs: Array<number>(200).fill(500) } });
	const gateway = await startSimulator({ retryDelaysMs: Array<number>(200).fill(500) });
	// Both name their number alike.
	gateway.instanceId = host.gateway.instanceId;
	const credentials = await createCredentials(host.api, gateway);
	stranger = { ...host, gateway, credentials };
});

afterEach(async () => {
	for (const { gateway } of [host, stranger]) gateway.faults.clear();
	for (const id of published.splice(0)) await host.api.deleteWorkflow(id);
	for (const { gateway } of [host, stranger]) gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await stranger?.gateway.stop();
	await host?.stop();
});

/** Publishes a trigger, and waits until it has proven that deliveries arrive. */
async function publishTrigger(of: Host, events = ['MESSAGE.RECEIVED']): Promise<TriggerWorkflow> {
	const workflow = await createTriggerWorkflow(of, { parameters: { events } });
	published.push(workflow.id);
	await of.api.publish(workflow.id);
	const lists = () => of.gateway.requests.filter(({ method }) => method === 'GET').length;
	const before = lists();
	await waitFor('the trigger to look at its questions', () => lists() > before, 60_000);
	return workflow;
}

async function askForApproval(of = host): Promise<OpenQuestion> {
	const workflow = await publishAsk(of, { responseType: 'approval' });
	published.push(workflow.id);
	return await workflow.ask();
}

const isParked = (question: OpenQuestion) =>
	!question.webhook().events.includes('MESSAGE.RECEIVED');

async function askBesideTrigger(): Promise<OpenQuestion> {
	await publishTrigger(host);
	const question = await askForApproval();
	await waitFor('the question to be parked', () => isParked(question));
	await host.gateway.drained();
	return question;
}

/** A message as the gateway of the account that asked would deliver it. */
const write = (text: string, phone = ANA): GatewayEvent => ({
	id: `evt_${randomUUID()}`,
	type: 'MESSAGE.RECEIVED',
	instanceId: host.gateway.instanceId,
	timestamp: new Date().toISOString(),
	data: {
		messageId: randomUUID(),
		chat: { id: `${phone}@lid`, type: 'CONTACT', phone },
		sender: { id: `${phone}@lid`, phone },
		fromMe: false,
		text,
		messageType: 'TEXT',
	},
});

async function deliver(url: string, secret: string, event: GatewayEvent): Promise<number> {
	const headers = { ...host.gateway.sign(event, secret), 'content-type': 'application/json' };
	const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) });
	await answer.text();
	return answer.status;
}

/** Shows that nobody has answered yet, and that the person asked still can. */
async function expectAnswerable(question: OpenQuestion): Promise<void> {
	expect(await question.isOpen()).toBe(true);
	host.gateway.write('no', { phone: ANA });
	expect(await question.answer()).toMatchObject({ approved: false, text: 'no' });
}

it('are approved by nobody who signs an answer with a secret that they have typed themselves', async () => {
	const question = await askBesideTrigger();
	const credential = await host.api.createCredential('messagingGatewayAccountApi', 'Typed', {
		baseUrl: stranger.gateway.url,
		accountToken: 'svc_acct_typed-by-hand',
		webhookSecret: SECRET,
	});
	for (const events of [['CONNECTION.UPDATED'], ['MESSAGE.RECEIVED']]) {
		const typed = await createTriggerWorkflow(host, {
			credential,
			parameters: { webhookSetup: 'manual', events },
		});
		published.push(typed.id);
		await host.api.publish(typed.id);
		expect(await deliver(typed.url, SECRET, write('yes'))).toBe(200);
	}
	await expectAnswerable(question);
}, 120_000);

it('are approved by nobody through a gateway of their own, whatever that lists', async () => {
	const question = await askBesideTrigger();
	const { id, url, events } = question.webhook();
	const listed = stranger.gateway.createWebhook({ url, events });
	Object.assign(
		stranger.gateway.webhooks().find((each) => each.id === listed.id)!,
		{ id },
	);
	const elsewhere = new URL(url);
	elsewhere.searchParams.set('chat', `${BRUNO}@lid`);
	stranger.gateway.createWebhook({ url: elsewhere.href, events });
	const { url: own } = await publishTrigger(stranger);
	const [{ secret }] = stranger.gateway.webhooks().filter((webhook) => webhook.url === own);
	for (const phone of [ANA, BRUNO]) {
		const status = await deliver(own, secret, write('yes', phone));
		expect([200, 503]).toContain(status);
	}
	await expectAnswerable(question);
}, 120_000);

it('get their answer also where another gateway has given a webhook the same ID', async () => {
	const askAs = async (of: Host): Promise<[OpenQuestion, string, string]> => {
		const secret = `whsec_${Buffer.alloc(32, of.gateway.url).toString('base64')}`;
		const body = { id: 'wh_1', secret, enabled: true, createdAt: new Date().toISOString() };
		of.gateway.faults.add({
			match: { method: 'POST', path: '/v1/webhooks' },
			fault: { status: 201, body: { data: body } },
		});
		const workflow: AskWorkflow = await publishAsk(of);
		published.push(workflow.id);
		const question = await workflow.ask();
		const { url } = of.gateway.requests
			.filter(({ method, path }) => method === 'POST' && path === '/v1/webhooks')
			.map((request) => request.body as { url: string })
			.at(-1)!;
		return [question, url, secret];
	};
	const questions = [await askAs(host), await askAs(stranger)];
	for (const [index, [question, url, secret]] of questions.entries()) {
		expect(await deliver(url, secret, write(`Answer ${index}`))).toBe(200);
		expect(await question.answer()).toMatchObject({ text: `Answer ${index}` });
	}
}, 120_000);
