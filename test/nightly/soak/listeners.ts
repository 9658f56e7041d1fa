import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A small HTTP server of a test. */
export interface Listener {
	url: string;
	close(): void;
}

async function listen(answer: RequestListener): Promise<Listener> {
	const server = createServer(answer);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Is told by the workflow what runs, past n8n's database, which a kill -9 may leave behind. */
export async function listenToRuns(heard: (ids: string[]) => void): Promise<Listener> {
	return await listen((request, response) => {
		// Cut off by the end of n8n, it says nothing.
		json(request).then(
			(ids) => {
				heard(ids as string[]);
				response.end('{}');
			},
			() => response.destroy(),
		);
	});
}

/** A feed with these entries, the oldest first. */
export async function serveFeed(entries: readonly string[]): Promise<Listener> {
	return await listen((_request, response) => {
		const items = entries.map((title, index) => {
			const date = new Date(1_700_000_000_000 + index * 60_000).toUTCString();
			return `<item><title>${title}</title><guid>${title}</guid><pubDate>${date}</pubDate></item>`;
		});
		response.setHeader('content-type', 'application/rss+xml');
		response.end(
			`<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>${items.join('')}</channel></rss>`,
		);
	});
}
