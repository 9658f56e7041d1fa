import { draftAnswering, publish } from '../../host/drafts/workflows';
import { startHostOn, type Host } from '../../host/host';
import { startQueueN8n } from '../../host/queue';
import { ANA, publishAsk } from '../real/drafts/asking';

let host: Host;

beforeAll(async () => {
	host = await startHostOn(await startQueueN8n());
});

afterAll(async () => await host?.stop());

describe('in queue mode', () => {
	it('answers a message once, however often it is delivered', async () => {
		const { api, gateway } = host;
		const id = await publish(api, draftAnswering(host, []));
		gateway.setDelivery({ duplicate: 3 });
		gateway.write('Hello', { phone: ANA });
		await gateway.drained();
		await api.waitForExecutions(id, 1);
		expect(gateway.acceptedSends().map(({ text }) => text)).toEqual(['Answer to Hello']);
		gateway.setDelivery({ duplicate: 1 });
		await api.deleteWorkflow(id);
		expect(gateway.webhooks()).toEqual([]);
	});

	it('goes on with the answer to a question', async () => {
		const workflow = await publishAsk(host);
		const question = await workflow.ask();
		host.gateway.write('Tomorrow', { phone: ANA });
		expect(JSON.stringify(await question.answer())).toContain('Tomorrow');
	});
});
