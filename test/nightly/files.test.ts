import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential } from '../../host/api';
import { choose, GATEWAY_NODE, makeNode } from '../../host/drafts/nodes';
import { publishBehindEntrance } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { megabytes, watchLoad, type Load } from './watchLoad';

const SIZE = 50 * 1024 * 1024;
const FILES = 4;
const PIECE = Buffer.alloc(64 * 1024, 'a piece of a file ');

let host: Host;
let server: Server;
let url: string;
/** The bytes of each request body that came in. */
let received: number[] = [];
let instance: StoredCredential;

/** Gives a file of 50 MB to whoever asks, and takes whatever is sent. */
beforeAll(async () => {
	server = createServer((request, response) => {
		let bytes = 0;
		request.on('data', (chunk: Buffer) => (bytes += chunk.length));
		request.on('end', () => {
			if (request.method === 'POST') {
				received.push(bytes);
				response.writeHead(202, { 'content-type': 'application/json' });
				response.end('{ "messageId": "x" }');
				return;
			}
			response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': SIZE });
			let left = SIZE;
			const pour = (): void => {
				while (left > 0) {
					left -= PIECE.length;
					if (!response.write(PIECE)) return void response.once('drain', pour);
				}
				response.end();
			};
			pour();
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	host = await startHost({ n8n: {} });
	instance = await host.api.createCredential('messagingGatewayInstanceApi', 'Files', {
		baseUrl: url,
		instanceToken: host.gateway.instanceToken,
	});
});

afterAll(async () => {
	await host?.stop();
	server?.close();
	server?.closeAllConnections();
});

interface Figures extends Load {
	/** Milliseconds that the node worked. */
	time: number;
}

/** Runs the nodes in an n8n that has done nothing yet. The last of them is what is measured. */
async function measure(nodes: INode[]): Promise<Figures> {
	await host.n8n.restart();
	received = [];
	const workflow = await publishBehindEntrance(host, nodes);
	try {
		const { result, ...load } = await watchLoad(host, async () => {
			await workflow.start([...Array(FILES).keys()].map((n) => ({ n })));
			return (await host.api.waitForExecutions(workflow.id, 1, 300_000))[0];
		});
		const [run] = result.data.resultData.runData[nodes.at(-1)!.name];
		expect(run.error).toBeUndefined();
		return { ...load, time: run.executionTime };
	} finally {
		await host.api.deleteWorkflow(workflow.id);
	}
}

const tell = (what: string, { before, peak, longestWait, time }: Figures): void =>
	console.log(
		`${what}: ${FILES} files of ${megabytes(SIZE)} in ${time} ms, memory ${megabytes(before)} → ${megabytes(peak)}, others waited ${Math.round(longestWait)} ms at most`,
	);

const http = (name: string, parameters: INodeParameters): INode =>
	makeNode('n8n-nodes-base.httpRequest', name, { url, ...parameters }, { typeVersion: 4.2 });
const getFile = () =>
	http('File', { options: { response: { response: { responseFormat: 'file' } } } });
const request = (parameters: INodeParameters): INode =>
	makeNode(
		GATEWAY_NODE,
		'Send',
		{ resource: 'api', operation: 'request', path: '/v1/files', ...parameters },
		choose(instance),
	);
const send = (sendFiles: string): INode =>
	request({ method: 'POST', sendFiles, sendsMessage: true, options: { body: '{ "to": "1" }' } });
const POST = { method: 'POST', sendBody: true };

const RACES: Record<string, [ours: () => INode[], theirs: () => INode[], sent: number]> = {
	'sent as a form': [
		() => [getFile(), send('form')],
		() => [
			getFile(),
			http('Send', {
				...POST,
				contentType: 'multipart-form-data',
				bodyParameters: {
					parameters: [
						{ name: 'to', value: '1' },
						{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
					],
				},
			}),
		],
		SIZE,
	],
	'sent as base64': [
		() => [getFile(), send('base64')],
		() => [
			getFile(),
			// Its successor, Extract From File, needs a package that n8n 2.41 does not install.
			makeNode(
				'n8n-nodes-base.moveBinaryData',
				'Base64',
				{
					mode: 'binaryToJson',
					setAllData: false,
					destinationKey: 'data',
					options: { keepAsBase64: true },
				},
				{ typeVersion: 1.1 },
			),
			http('Send', {
				...POST,
				specifyBody: 'json',
				jsonBody: '={{ { to: "1", file: $json.data } }}',
			}),
		],
		(SIZE / 3) * 4,
	],
	received: [() => [request({})], () => [{ ...getFile(), name: 'Send' }], 0],
};

it.each(Object.entries(RACES))(
	'files of 50 MB, %s, take no more memory than with n8n’s own nodes, and n8n answers others meanwhile',
	async (what, [ours, theirs, sent]) => {
		const own = await measure(ours());
		tell(`${what}, Messaging Gateway`, own);
		expect(received.filter((bytes) => bytes > sent)).toHaveLength(sent > 0 ? FILES : 0);
		const other = await measure(theirs());
		tell(`${what}, n8n's nodes`, other);
		expect(received.filter((bytes) => bytes > sent)).toHaveLength(sent > 0 ? FILES : 0);
		console.log(`Memory beside n8n's nodes, ${what}: ${(own.peak / other.peak).toFixed(2)}`);
		expect(own.peak / other.peak).toBeLessThan(1.1);
		// Of four files in memory as a whole, this would be twice as much and more.
		expect(own.peak - own.before).toBeLessThan(FILES * SIZE);
	},
	900_000,
);
