import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OddRecord {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
	secret: string;
}

export interface OddAnswer {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

export interface Oddity {
	/** What a listing answers, instead of all records in `data`. */
	list?(records: OddRecord[], query: URLSearchParams, origin: string): OddAnswer;
	/** What every deletion answers, instead of deleting. */
	remove?(): OddAnswer;
	/** What is kept of a new webhook, instead of what was sent. */
	store?(wanted: Pick<OddRecord, 'url' | 'events'>): Pick<OddRecord, 'url' | 'events'>;
}

/** A gateway that does, where the API document leaves something open, otherwise than the simulator. */
export interface OddGateway {
	url: string;
	accountToken: string;
	records: OddRecord[];
	/** Method and address of every request, e.g. `GET /v1/webhooks?page=2`. */
	requests: string[];
	stop(): Promise<void>;
}

const PATH = '/v1/webhooks';

export async function startOddGateway({ list, remove, store }: Oddity = {}): Promise<OddGateway> {
	const records: OddRecord[] = [];
	const requests: string[] = [];
	let origin = '';

	async function act(request: IncomingMessage, url: URL): Promise<OddAnswer> {
		if (request.method === 'GET' && url.pathname === PATH) {
			const listed = records.map((record) => ({ ...record, secret: '' }));
			return list?.(listed, url.searchParams, origin) ?? { body: { data: listed } };
		}
		if (request.method === 'POST' && url.pathname === PATH) {
			let text = '';
			for await (const part of request) text += String(part);
			const wanted = JSON.parse(text) as Pick<OddRecord, 'url' | 'events'>;
			const record = {
				...(store?.(wanted) ?? wanted),
				id: randomUUID(),
				enabled: true,
				secret: `whsec_${randomBytes(32).toString('base64')}`,
			};
			records.push(record);
			return { body: { data: record } };
		}
		const at = records.findIndex(({ id }) => url.pathname === `${PATH}/${id}`);
		if (request.method !== 'DELETE' || at === -1) return { status: 404, body: { error: 'No' } };
		if (remove) return remove();
		records.splice(at, 1);
		return { body: { data: { success: true } } };
	}

	const server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		void act(request, new URL(request.url ?? '', origin)).then(({ status, headers, body }) => {
			response.writeHead(status ?? 200, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: origin,
		accountToken: `svc_acct_${randomUUID()}`,
		records,
		requests,
		stop: async () => {
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
