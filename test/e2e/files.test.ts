import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, choose, GATEWAY_NODE, makeNode, makeStart } from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import { outputOf } from '../../host/executions';
import { startHost, type Host } from '../../host/host';

const SEND_PICTURE = '/v1/simulator-invention/send-picture';
const TO = '5511900000001';
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

let host: Host;

beforeAll(async () => {
	host = await startHost();
});

afterEach(() => host.gateway.reset());

afterAll(async () => {
	await host?.stop();
});

const sentPictures = () =>
	host.gateway
		.chats()
		.flatMap(({ messages }) => messages)
		.flatMap(({ text, picture }) => (picture ? [{ text, ...picture }] : []));

async function upload(path: string, fields: Record<string, string | File>): Promise<Response> {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	return await fetch(host.n8n.url + path, { method: 'POST', body: form });
}

/** What a file is to n8n, which keeps it on disk. */
const picture = (name = 'Pão de queijo.png') => new File([PNG], name, { type: 'image/png' });

function makeRequest(name: string, parameters: INodeParameters): INode {
	return makeNode(
		GATEWAY_NODE,
		name,
		{ resource: 'api', operation: 'request', ...parameters },
		choose(host.credentials.instance),
	);
}

const sendPicture = (caption: string, input: string, others: INodeParameters): INode =>
	makeRequest(caption, {
		method: 'POST',
		path: SEND_PICTURE,
		files: { file: [{ input, field: 'picture.data' }] },
		sendsMessage: true,
		options: { body: JSON.stringify({ to: TO, caption }) },
		...others,
	});

it('go out in every form, come back, and go out again', async () => {
	const path = randomUUID();
	const fromStart = "={{ $('Start').item.binary.picture }}";
	const asForm = (input: string) => ({
		sendFiles: 'form',
		files: { file: [{ input, field: 'picture' }] },
	});
	const nodes = [
		makeStart(path, { responseMode: 'lastNode' }),
		sendPicture('form', 'picture', asForm('picture')),
		sendPicture('base64', fromStart, { sendFiles: 'base64' }),
		sendPicture('data URL', fromStart, { sendFiles: 'dataUrl' }),
		makeRequest('Get It Back', {
			path: "=/v1/simulator-invention/files/{{ $('form').item.json.messageId }}",
		}),
		sendPicture('again', 'data', asForm('data')),
	];
	const id = await publish(host.api, { name: 'Files', nodes, connections: chain(nodes) });
	expect((await upload(`/webhook/${path}`, { picture: picture() })).status).toBe(200);

	const [execution] = await host.api.waitForExecutions(id, 1, 60_000);
	expect(execution.status).toBe('success');
	const [[back]] = outputOf(execution, 'Get It Back');
	expect(back).toMatchObject({
		json: { fileName: 'Pão de queijo.png', mimeType: 'image/png', fileSize: `${PNG.length} B` },
		binary: { data: { mimeType: 'image/png', fileName: 'Pão de queijo.png' } },
		pairedItem: { item: 0 },
	});
	const base64 = PNG.toString('base64');
	const named = { fileName: 'Pão de queijo.png', mediaType: 'image/png', base64 };
	const unnamed = { ...named, fileName: 'picture' };
	expect(sentPictures()).toEqual([
		{ text: 'form', ...named },
		{ text: 'base64', ...unnamed },
		{ text: 'data URL', ...unnamed },
		{ text: 'again', ...named },
	]);
	await host.api.deleteWorkflow(id);
});
