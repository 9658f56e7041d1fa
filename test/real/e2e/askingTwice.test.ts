import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { createCredentials, startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { ANA, publishAsk, type OpenQuestion } from '../drafts/asking';

// Two n8n that use one account, each with a published trigger.

let first: Host;
let second: Host;
const hosts: Host[] = [];

beforeAll(async () => {
	first = await startHost({ gateway: { retryDelaysMs: Array<number>(200).fill(500) } });
	hosts.push(first);
	const other = await startHost({ n8n: {} });
	hosts.push(other);
	const { gateway } = first;
	second = { ...other, gateway, credentials: await createCredentials(other.api, gateway) };
	for (const host of [first, second]) {
		const { id } = await createTriggerWorkflow(host);
		await host.api.publish(id);
	}
});

afterEach(() => first.gateway.faults.clear());

afterAll(async () => {
	for (const host of hosts) await host.stop();
});

const isParked = (question: OpenQuestion) =>
	!question.webhook().events.includes('MESSAGE.RECEIVED');

/** Asks for an approval, and waits until the trigger of the same n8n forwards the answer. */
async function askAndPark(host: Host): Promise<OpenQuestion> {
	const question = await (await publishAsk(host, { responseType: 'approval' })).ask();
	await waitFor('the question to be parked', () => isParked(question), 60_000);
	await host.gateway.drained();
	return question;
}

/** Execution numbers of two n8n are alike, and the webhooks of both stand in one list. */
const webhookOf = (host: Host) => {
	const { port } = new URL(host.n8n.url);
	return host.gateway
		.webhooks()
		.filter(({ url }) => new URL(url).port === port && url.includes('/webhook-waiting/'));
};

it('an approval of one is decided once, and the other one leaves it alone', async () => {
	const question = await askAndPark(first);
	const [webhook] = webhookOf(first);
	const { id } = first.gateway.write('yes', { phone: ANA });
	expect(await question.answer()).toMatchObject({ approved: true });
	await first.gateway.drained();
	const answers = first.gateway.deliveries.filter(({ eventId }) => eventId === id);
	expect(answers.map(({ status }) => status)).toEqual([200, 200]);
	expect(answers.map(({ webhookId }) => webhookId)).not.toContain(webhook.id);
	await waitFor('its webhook to go', () => webhookOf(first).length === 0);
}, 180_000);

it('approvals of both in one chat are decided by who quotes, and by nobody else', async () => {
	const { gateway } = first;
	const mine = await askAndPark(first);
	const theirs = await (await publishAsk(second, { responseType: 'approval' })).ask();
	await waitFor('both to be asked', () => webhookOf(second).length === 1);
	await gateway.drained();
	gateway.write('yes', { phone: ANA });
	await gateway.drained();
	expect([await mine.isOpen(), await theirs.isOpen()]).toEqual([true, true]);
	gateway.write('yes', { phone: ANA, quotedMessageId: theirs.sent.messageId });
	expect(await theirs.answer()).toMatchObject({ approved: true });
	await gateway.drained();
	expect(await mine.isOpen()).toBe(true);
	await waitFor('their webhook to go', () => webhookOf(second).length === 0);
	gateway.write('no', { phone: ANA });
	expect(await mine.answer()).toMatchObject({ approved: false });
}, 180_000);
