import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayEvent } from './event';
import { keepTrackOf } from './running';

export interface Received {
	headers: IncomingHttpHeaders;
	rawBody: Buffer;
	event: GatewayEvent;
}

export interface Receiver {
	/** Where to have deliveries sent. */
	url: string;
	received: Received[];
	/** Answers from now on; 200 unless told otherwise. */
	answerWith(answer: (received: Received, response: ServerResponse, count: number) => void): void;
	stop(): Promise<void>;
}

/** A receiver of webhook deliveries that keeps what it gets, for tests of the simulator itself. */
export async function startReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	let answer = (_: Received, response: ServerResponse, __: number): void => {
		response.end();
	};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const rawBody = Buffer.concat(chunks);
			const event = JSON.parse(rawBody.toString()) as GatewayEvent;
			const entry = { headers: request.headers, rawBody, event };
			received.push(entry);
			answer(entry, response, received.length);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return keepTrackOf<Receiver>({
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		answerWith: (next) => (answer = next),
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	});
}
