import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { ANA, publishAsk, type OpenQuestion } from '../drafts/asking';

// Several questions that are open in one chat, an approval among them.

let host: Host;

beforeAll(async () => {
	host = await startHost({ gateway: { retryDelaysMs: Array<number>(200).fill(500) } });
});

afterEach(() => {
	host.gateway.faults.clear();
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	await host?.stop();
});

const asAna = { phone: ANA };

const approvalsOf = async () => await publishAsk(host, { responseType: 'approval' });

const requestsToQuote = () =>
	host.gateway.acceptedSends().filter(({ text }) => text?.includes('Please quote')).length;

async function expectToBeQuoted(questions: OpenQuestion[]): Promise<void> {
	const { gateway } = host;
	for (const text of ['yes', 'no', 'Sim']) {
		gateway.write(text, asAna);
		await gateway.drained();
	}
	for (const question of questions) expect(await question.isOpen()).toBe(true);
	await waitFor('the person to be told', () => requestsToQuote() > 0);
	expect(requestsToQuote()).toBe(1);

	const [first, ...others] = questions;
	gateway.write('yes', { ...asAna, quotedMessageId: first.sent.messageId });
	expect(await first.answer()).toMatchObject({ approved: true });
	await gateway.drained();
	for (const question of others) expect(await question.isOpen()).toBe(true);
}

it('are decided by nobody who quotes none, and each by who quotes it', async () => {
	const { gateway } = host;
	const workflow = await approvalsOf();
	const questions = [await workflow.ask(), await workflow.ask(), await workflow.ask()];
	await gateway.drained();
	await expectToBeQuoted(questions);

	const another = await workflow.ask();
	await gateway.drained();
	gateway.write('yes', asAna);
	await waitFor(
		'the person to be told again, since another one was asked',
		() => requestsToQuote() === 2,
	);
	await gateway.drained();
	for (const question of [questions[1], questions[2], another]) {
		expect(await question.isOpen()).toBe(true);
		await host.api.stopExecution(question.executionId);
	}
}, 120_000);

it('also beside a trigger, which ignores each of these answers; the last one needs no quote', async () => {
	const { api, gateway } = host;
	const parameters = { options: { ignoreAnswers: true } };
	const trigger = await createTriggerWorkflow(host, { parameters });
	await api.publish(trigger.id);
	const workflow = await approvalsOf();
	const questions = [await workflow.ask(), await workflow.ask()];
	const isParked = (question: OpenQuestion) =>
		!question.webhook().events.includes('MESSAGE.RECEIVED');
	await waitFor('both to be parked', () => questions.every(isParked), 60_000);
	await gateway.drained();
	await expectToBeQuoted(questions);
	gateway.write('no', asAna);
	expect(await questions[1].answer()).toMatchObject({ approved: false });
	gateway.write('Something else', asAna);
	await api.waitForExecutions(trigger.id, 1);
	await gateway.drained();
	expect(await api.listExecutions(trigger.id)).toHaveLength(1);
	await api.deleteWorkflow(trigger.id);
}, 120_000);

it('do not count when nobody waits for them any more', async () => {
	const { api, gateway } = host;
	const workflow = await approvalsOf();
	const stopped = await workflow.ask();
	const open = await workflow.ask();
	await api.stopExecution(stopped.executionId);
	await gateway.drained();
	gateway.write('yes', asAna);
	expect(await open.answer()).toMatchObject({ approved: true });
	expect(requestsToQuote()).toBe(0);
}, 120_000);

it('an answer is deferred until the gateway has said whether there is another one', async () => {
	const { gateway } = host;
	const question = await (await approvalsOf()).ask();
	await gateway.drained();
	gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		times: 'always',
		fault: { status: 503 },
	});
	const { id } = gateway.write('yes', asAna);
	const statuses = () =>
		gateway.deliveries.filter(({ eventId }) => eventId === id).map(({ status }) => status);
	await waitFor('it to be deferred', () => statuses().includes(503));
	expect(statuses()).not.toContain(200);
	expect(await question.isOpen()).toBe(true);
	gateway.faults.clear();
	expect(await question.answer()).toMatchObject({ approved: true });
}, 120_000);
