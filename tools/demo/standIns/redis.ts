import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands in for Redis: it counts, and forgets when the demo stops. */
export interface RedisStandIn {
	port: number;
	stop(): Promise<void>;
}

interface Entry {
	value: string;
	/** Milliseconds since 1970; absent when it never goes. */
	goneAt?: number;
}

const LINE_END = '\r\n';
const OK = `+OK${LINE_END}`;
const NOTHING = `$-1${LINE_END}`;
const number = (value: number) => `:${value}${LINE_END}`;
/** Whatever its encoding, it is kept as bytes, one sign each. */
const text = (value: string) => `$${value.length}${LINE_END}${value}${LINE_END}`;

/** Starts a server that understands of Redis what n8n's Redis node needs to count, to keep a value, and to forget it. */
export async function startRedis(port: number): Promise<RedisStandIn> {
	const entries = new Map<string, Entry>();
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		let waiting = '';
		socket.setEncoding('latin1').on('data', (chunk: string) => {
			waiting += chunk;
			for (let read = readCommand(waiting); read !== undefined; read = readCommand(waiting)) {
				waiting = waiting.slice(read.length);
				socket.write(answer(entries, read.words), 'latin1');
			}
		});
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		stop: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The first command of what has come, as Redis clients send it: an array of texts, each behind its length. */
function readCommand(come: string): { words: string[]; length: number } | undefined {
	const head = /^\*(\d+)\r\n/.exec(come);
	if (head === null) return undefined;
	let position = head[0].length;
	const words: string[] = [];
	while (words.length < Number(head[1])) {
		const size = /^\$(\d+)\r\n/.exec(come.slice(position, position + 16));
		if (size === null) return undefined;
		const begin = position + size[0].length;
		position = begin + Number(size[1]) + LINE_END.length;
		if (come.length < position) return undefined;
		words.push(come.slice(begin, position - LINE_END.length));
	}
	return { words, length: position };
}

function answer(entries: Map<string, Entry>, [command, key = '', value = '']: string[]): string {
	const entry = entries.get(key);
	const isThere = entry !== undefined && (entry.goneAt ?? Infinity) > Date.now();
	if (!isThere) entries.delete(key);
	switch (command.toUpperCase()) {
		case 'INCR': {
			const next = Number(isThere ? entry.value : 0) + 1;
			entries.set(key, { ...(isThere && entry), value: String(next) });
			return number(next);
		}
		case 'EXPIRE':
			if (isThere) entry.goneAt = Date.now() + Number(value) * 1000;
			return number(isThere ? 1 : 0);
		case 'GET':
			return isThere ? text(entry.value) : NOTHING;
		case 'SET':
			entries.set(key, { value });
			return OK;
		case 'DEL':
			entries.delete(key);
			return number(isThere ? 1 : 0);
		case 'TYPE':
			return `+${isThere ? 'string' : 'none'}${LINE_END}`;
		case 'PING':
			return `+PONG${LINE_END}`;
		case 'SELECT':
		case 'QUIT':
			return OK;
		default:
			return `-ERR The demo's stand-in for Redis does not know ${command}${LINE_END}`;
	}
}
