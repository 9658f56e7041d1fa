import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8nApi } from '../../../host/api';
import { startSimulator, type Simulator } from '../../../simulator';
import { moveWebhooks } from '../../../tools/demo/move';

// n8n and the gateway of the demo, at other ports than the last time.

const FORMER = 'http://127.0.0.1:5678';
const QUESTION = '/webhook-waiting/7/node?asked=5511900000001&until=1795390756101&signature=abc';

let n8n: Server;
let gateway: Simulator;

beforeAll(async () => {
	n8n = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	gateway = await startSimulator();
});

afterAll(async () => {
	await gateway.stop();
	n8n.close();
	n8n.closeAllConnections();
});

it('the webhooks of open questions move along, and those of what is gone are removed', async () => {
	const url = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
	for (const webhook of [
		`${FORMER}${QUESTION}`,
		`${FORMER}/webhook/abc/webhook`,
		'https://n8n.example.com/webhook-waiting/7/node',
	])
		gateway.createWebhook({ url: webhook, events: ['MESSAGE.RECEIVED'] });
	const [{ id, secret }] = gateway.webhooks();
	const move = await moveWebhooks(new N8nApi(url), gateway, url, [FORMER]);
	expect(move).toEqual({ published: [], failed: [], moved: 1, removed: 1 });
	expect(gateway.webhooks()).toMatchObject([
		{ id, secret, url: url + QUESTION },
		{ url: 'https://n8n.example.com/webhook-waiting/7/node' },
	]);
});
