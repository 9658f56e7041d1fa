import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Parts {
	main: string;
	processors: string[];
	by: SpreadBy;
}

/** A load balancer in front of n8n's parts. */
export interface Proxy {
	url: string;
	/** Sends on what comes for webhooks to `processors`, and everything else to `main` (addresses). */
	spread(parts: Parts): void;
	stop(): Promise<void>;
}

/**
 * `turn`: the processors take turns, as load balancers do unless told otherwise. `event`: by a hash of the header
 * `webhook-id`, so that all deliveries of one event meet in one processor. `trigger`: by a hash of the path, so that all
 * deliveries to one trigger do.
 */
export type SpreadBy = 'turn' | 'event' | 'trigger';

/** Paths that n8n's webhook processors answer; test webhooks are the main process's. */
const PROCESSED = /^\/(webhook|webhook-waiting|form|form-waiting)(\/|$)/;

/** Starts a proxy that changes nothing about a request: its headers and bytes go on as they came. */
export async function startProxy(): Promise<Proxy> {
	let parts: Parts = { main: '', processors: [], by: 'turn' };
	let turn = 0;
	/** The processor that is to have a request, and after it those that get it when nobody listens there. */
	const candidatesFor = ({ url, headers }: IncomingMessage): string[] => {
		if (!PROCESSED.test(url ?? '/')) return [parts.main];
		const keys = { event: String(headers['webhook-id']), trigger: url?.split('?')[0] ?? '' };
		const first = parts.by === 'turn' ? turn++ : hashOf(keys[parts.by]);
		return parts.processors.map(
			(_, index) => parts.processors[(first + index) % parts.processors.length],
		);
	};
	const server = createServer((incoming, outgoing) => {
		void readAll(incoming).then(async (body) => {
			for (const target of candidatesFor(incoming)) {
				if (await forward(target, incoming, body, outgoing)) return;
			}
			if (!outgoing.headersSent) outgoing.writeHead(502).end('No part of n8n answers');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spread: (wanted) => (parts = wanted),
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Sends a request on. False when nobody listens there, so that another may have it; nothing has been answered then. */
function forward(
	target: string,
	incoming: IncomingMessage,
	body: Buffer,
	outgoing: ServerResponse,
): Promise<boolean> {
	const { hostname, port } = new URL(target);
	return new Promise((resolve) => {
		const onward = request({
			hostname,
			port,
			method: incoming.method,
			path: incoming.url,
			headers: headersFor(incoming, body),
		});
		// Whoever asked has gone: the part of n8n is to see that too.
		outgoing.once('close', () => onward.destroy());
		onward.once('response', (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			answer.pipe(outgoing);
			answer.once('error', () => outgoing.destroy());
			resolve(true);
		});
		onward.once('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'ECONNREFUSED') return resolve(false);
			if (outgoing.headersSent) outgoing.destroy();
			else outgoing.writeHead(502).end('This part of n8n broke the connection');
			resolve(true);
		});
		onward.end(body);
	});
}

/** Names and values in turn, doubled ones included; the body goes on in one piece. */
function headersFor({ rawHeaders, method }: IncomingMessage, body: Buffer): string[] {
	const kept: string[] = [];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at].toLowerCase();
		if (name === 'content-length' || name === 'transfer-encoding' || name === 'connection')
			continue;
		kept.push(rawHeaders[at], rawHeaders[at + 1]);
	}
	const isBare = body.length === 0 && (method === 'GET' || method === 'HEAD');
	return isBare ? kept : [...kept, 'content-length', String(body.length)];
}

function hashOf(text: string): number {
	return createHash('sha256').update(text).digest().readUInt32LE();
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
