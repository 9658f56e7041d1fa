import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8nApi } from '../../../host/api';
import { TRIGGER_NODE } from '../../../host/drafts/nodes';
import { startSimulator, type Simulator } from '../../../simulator';
import { moveWebhooks } from '../../../tools/demo/move';

// n8n and the gateway of the demo, at other ports than the last time.

const FORMER = 'http://127.0.0.1:5678';
const QUESTION = '/webhook-waiting/7/node?asked=5511900000001&until=1795390756101&signature=abc';

/** Published, with a draft that somebody has changed since. */
const PUBLISHED = {
	id: '1',
	name: 'Answers',
	versionId: 'draft',
	activeVersionId: 'published',
	activeVersion: { nodes: [{ type: TRIGGER_NODE }] },
	nodes: [],
};

let n8n: Server;
let gateway: Simulator;
let workflows: Array<typeof PUBLISHED> = [];
const changes: string[] = [];

beforeAll(async () => {
	n8n = createServer(async (request, response) => {
		const { method, url = '' } = request;
		const body = (await request.toArray()).join('');
		if (method === 'POST') changes.push(`${url.split('/').at(-1)} ${body}`);
		const status = changes.at(-1)?.startsWith('activate') ? 'published' : 'not_published';
		const data = url.endsWith('/workflows') ? workflows : { ...workflows[0], status, triggers: [] };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
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

it('a workflow is published again as it is published, and not as its draft is', async () => {
	workflows = [PUBLISHED];
	const url = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
	const move = await moveWebhooks(new N8nApi(url), gateway, url, [FORMER]);
	expect(move).toMatchObject({ published: ['Answers'], failed: [] });
	expect(changes).toEqual(['deactivate {}', 'activate {"versionId":"published"}']);
});
