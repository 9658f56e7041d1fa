import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freeClosedPort, type Simulator } from '../../../lab/simulator';

/** A closed proxy refuses connections until it is opened; a mute one lets requests in and no answer out. */
export type ProxyKind = 'closed' | 'mute';

/** A second address of a gateway. */
export interface Proxy {
	url: string;
	open(): Promise<void>;
	close(): Promise<void>;
}

export async function startProxy(gateway: Simulator, kind: ProxyKind): Promise<Proxy> {
	const port = await freeClosedPort();
	const { port: gatewayPort, hostname } = new URL(gateway.url);
	const sockets = new Set<Socket>();

	const server = createServer((socket) => {
		const inner = connect(Number(gatewayPort), hostname);
		for (const end of [socket, inner]) {
			sockets.add(end);
			end.on('error', () => end.destroy()).on('close', () => sockets.delete(end));
		}

		socket.pipe(inner);
		if (kind === 'mute') inner.resume();
		else inner.pipe(socket);
	});

	const proxy: Proxy = {
		url: `http://127.0.0.1:${port}`,
		async open() {
			server.listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			if (!server.listening) return;
			server.close();
			await once(server, 'close');
		},
	};

	if (kind === 'mute') await proxy.open();
	return proxy;
}
