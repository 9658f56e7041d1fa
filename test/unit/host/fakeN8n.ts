import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came: `GET /workflows`, and its body, if there was one. */
export interface Asked {
	line: string;
	body?: unknown;
	headers: Record<string, string | string[] | undefined>;
}

/** An n8n that answers as told. */
export interface FakeN8n {
	url: string;
	asked: Asked[];
	stop(): void;
}

/** What it answers: what stands in `data`, or all there is to say. */
export type Told = { data: unknown } | { status: number; text: string; cookies?: string[] };

/** Starts one; the line names method and path, without `/rest` before it. */
export async function startFakeN8n(tell: (line: string, asked: Asked) => Told): Promise<FakeN8n> {
	const asked: Asked[] = [];
	const server = createServer(async (request, response) => {
		const text = (await request.toArray()).join('');
		const line = `${request.method} ${decodeURIComponent(request.url ?? '').replace(/^\/rest/, '')}`;
		const entry = {
			line,
			headers: request.headers,
			...(text !== '' && { body: JSON.parse(text) as unknown }),
		};
		asked.push(entry);
		const told = tell(line, entry);
		if ('data' in told) return void response.end(JSON.stringify(told));
		if (told.cookies) response.setHeader('set-cookie', told.cookies);
		response.writeHead(told.status).end(told.text);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
