import { publishDraft } from '../../lab/host/drafts/workflows';
import { startHostOn, type Host } from '../../lab/host/host';
import { startQueueN8n } from '../../lab/host/queue';
import { ANA, publishAsk, untilNothingIsLeft } from '../support/drafts/ask';
import { draftAnswering } from '../support/drafts/trigger';

let host: Host;

beforeAll(async () => {
	host = await startHostOn(await startQueueN8n());
});

afterAll(async () => await host?.stop());

describe('queue mode', () => {
	it('a workflow answers a message once, however often the gateway delivers it', async () => {
		const { api, gateway } = host;
		const id = await publishDraft(api, draftAnswering(host, []));

		gateway.setDelivery({ duplicate: 3 });
		gateway.write('Hello', { phone: ANA });
		await gateway.drained();
		await api.waitForExecutions(id, 1);
		expect(gateway.acceptedSends().map(({ text }) => text)).toEqual(['Answer to Hello']);

		gateway.setDelivery({ duplicate: 1 });
		await api.deleteWorkflow(id);
		expect(gateway.webhooks()).toEqual([]);
	});

	it('a worker asks, and the answer arrives through a webhook processor', async () => {
		const question = await (await publishAsk(host, { responseType: 'approval' })).ask();
		const [number] = /\d{3}1(?=\. Yes)/.exec(question.sent.text)!;
		await host.gateway.drained();
		const { id } = host.gateway.write(number, { phone: ANA });
		await host.gateway.drained();
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
		const taken = host.gateway.deliveries.filter(({ eventId }) => eventId === id);
		expect(taken.map(({ status }) => status)).toEqual([200]);
		await untilNothingIsLeft(host.gateway);
	});
});
