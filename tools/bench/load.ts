import { Agent, request } from 'node:http';
import { medianOf } from './report';

export interface Shot {
	headers: Record<string, string>;
	body: Buffer;
}

export interface Load {
	url: string;
	/** Deliveries under way at one time, each over a connection that is kept. */
	connections: number;
	/** How long to go on. */
	milliseconds: number;
	/** Makes the next delivery. */
	next(): Shot;
	/** The only status that may come back. */
	expect: number;
}

export interface LoadFigures {
	perSecond: number;
	/** Milliseconds of the median answer. */
	median: number;
}

/**
 * Delivers as fast as the answers come.
 * @throws when an answer has another status: figures of something that fails would be figures of nothing
 */
export async function drive({
	url,
	connections,
	milliseconds,
	next,
	expect,
}: Load): Promise<LoadFigures> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const times: number[] = [];
	const started = performance.now();
	const work = async () => {
		while (performance.now() - started < milliseconds) {
			const begun = performance.now();
			const status = await post(url, next(), agent);
			if (status !== expect) throw new Error(`${url} answered ${status} instead of ${expect}`);
			times.push(performance.now() - begun);
		}
	};
	try {
		await Promise.all(Array.from({ length: connections }, work));
		return {
			perSecond: (times.length * 1000) / (performance.now() - started),
			median: medianOf(times),
		};
	} finally {
		agent.destroy();
	}
}

function post(url: string, { headers, body }: Shot, agent: Agent): Promise<number> {
	return new Promise((resolve, reject) => {
		const outgoing = request(url, {
			method: 'POST',
			agent,
			headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
		});
		outgoing.once('error', reject);
		outgoing.once('response', (answer) => {
			answer.resume();
			answer.once('error', reject);
			answer.once('end', () => resolve(answer.statusCode ?? 0));
		});
		outgoing.end(body);
	});
}
