import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { ANA, publishAsk } from '../drafts/asking';

// An n8n that receives for triggers under a path of two parts.

let host: Host;

beforeAll(async () => {
	host = await startHost({
		n8n: { env: { N8N_ENDPOINT_WEBHOOK: 'hooks/webhook' } },
		gateway: { retryDelaysMs: Array<number>(200).fill(500) },
	});
});

afterAll(async () => {
	await host?.stop();
});

afterEach(async () => {
	for (const { id } of await host.api.listWorkflows()) await host.api.deleteWorkflow(id);
	host.gateway.reset({ webhooks: true });
});

/** The trigger has proven that it can forward, and looks for questions of before. */
async function untilQuestionsAreListed(): Promise<void> {
	const lists = () => host.gateway.requests.filter(({ method }) => method === 'GET').length;
	const before = lists();
	await waitFor('the trigger to list the questions', () => lists() > before, 60_000);
}

it.each([
	['when the trigger was checked', async () => {}],
	['as soon as it was asked', untilQuestionsAreListed],
])(
	'finds a question again after a restart that was parked %s',
	async (_when, prepare) => {
		const { api, gateway, n8n } = host;
		const trigger = await createTriggerWorkflow(host);
		await api.publish(trigger.id);
		expect(gateway.webhooks()[0].url).toContain('/hooks/webhook/');
		await prepare();
		const asking = await publishAsk({ ...host, n8n: { ...n8n, url: `${n8n.url}/hooks` } });
		const question = await asking.ask();
		const isParked = () => !question.webhook().events.includes('MESSAGE.RECEIVED');
		await waitFor('the question to be parked', isParked, 60_000);
		await gateway.drained();
		await n8n.restart();
		gateway.write('Here I am', { phone: ANA });
		expect(await question.answer()).toMatchObject({ text: 'Here I am' });
	},
	300_000,
);
