import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { startHostOn, type Host } from '../../../host/host';
import { startQueueN8n, type QueueN8n } from '../../../host/queue';
import { waitFor } from '../../../host/waiting';
import { ANA, publishAsk } from '../drafts/asking';

// Approvals beside a published trigger, where the process that runs executions is another than the one that receives.

jest.setTimeout(600_000);

let host: Host;

afterEach(async () => {
	await host?.stop();
});

/** Two processors that receive, or a main process that does so itself. */
async function startQueue(processors: number): Promise<QueueN8n> {
	const env = processors === 0 ? { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'false' } : {};
	const n8n = await startQueueN8n({ processors, env });
	const { url: main } = n8n.main;
	if (processors === 0) n8n.proxy.spread({ main, processors: [main], by: 'turn' });
	return n8n;
}

it.each([
	['two processors that receive', 2],
	['a main process that receives', 0],
])('with %s, a yes decides what it quotes or the only one', async (_how, processors) => {
	host = await startHostOn(await startQueue(processors), {
		retryDelaysMs: Array<number>(200).fill(500),
	});
	const { api, gateway } = host;
	const trigger = await createTriggerWorkflow(host);
	await api.publish(trigger.id);
	const workflow = await publishAsk(host, { responseType: 'approval' });
	const [first, second] = [await workflow.ask(), await workflow.ask()];
	await gateway.drained();
	for (const question of [first, second])
		expect(question.webhook().events).toContain('MESSAGE.RECEIVED');

	gateway.write('yes', { phone: ANA });
	await gateway.drained();
	expect([await first.isOpen(), await second.isOpen()]).toEqual([true, true]);
	const requestsToQuote = () =>
		gateway.acceptedSends().filter(({ text }) => text?.includes('Please quote')).length;
	await waitFor('the person to be asked to quote', () => requestsToQuote() > 0);
	expect(requestsToQuote()).toBeLessThanOrEqual(Math.max(1, processors));
	const { id } = gateway.write('yes', { phone: ANA, quotedMessageId: first.sent.messageId });
	expect(await first.answer()).toMatchObject({ approved: true });
	await gateway.drained();
	expect(await second.isOpen()).toBe(true);
	const answers = gateway.deliveries.filter(({ eventId }) => eventId === id);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);

	await waitFor('the webhook of the first to go', () => gateway.webhooks().length === 2);
	gateway.write('no', { phone: ANA });
	expect(await second.answer()).toMatchObject({ approved: false });
	await waitFor('the webhook of the second to go', () => gateway.webhooks().length === 1);
	await api.waitForExecutions(trigger.id, 3);
});
