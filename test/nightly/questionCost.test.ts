import { setTimeout as pause } from 'node:timers/promises';
import { BRUNO, publishAsk } from '../support/drafts/ask';
import { host, useHost } from '../support/host';
import { print } from '../support/print';

jest.setTimeout(900_000);

const MESSAGES = 20;
const MESSAGES_A_SECOND = 20;
const CONNECTIONS = 20;

// A gateway that waits: with 50 open questions, 20 messages a second are a thousand deliveries.
useHost({
	n8n: {},
	gateway: {
		deliveryTimeoutMs: 300_000,
		retryDelaysMs: Array<number>(100).fill(2_000),
		statusDelaysMs: { sent: null, delivered: null, read: null },
	},
});

/** Computing time of n8n's process while work is done, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<number> {
	const before = host.n8n.computing();
	await work();
	return host.n8n.computing() - before;
}

/** Posts something to each question as often as there are messages, several at a time. */
async function post(urls: string[], status: number): Promise<void> {
	const left = Array.from({ length: MESSAGES }, () => urls).flat();
	const connection = async (): Promise<void> => {
		for (let url = left.pop(); url !== undefined; url = left.pop()) {
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ id: 'evt', type: 'MESSAGE.RECEIVED', data: {} }),
			});
			await response.text();
			expect(response.status).toBe(status);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** Somebody writes who is asked nothing. Resolves when all deliveries are answered. */
async function letBrunoWrite(): Promise<void> {
	for (let count = 0; count < MESSAGES; count++) {
		host.gateway.write(`Hello ${count}`, { phone: BRUNO });
		await pause(1_000 / MESSAGES_A_SECOND);
	}
	await host.gateway.drained();
}

/** Takes n8n's signature off: n8n loads the execution, and refuses before it runs the node. */
function withoutSignature(url: string): string {
	const unsigned = new URL(url);
	unsigned.searchParams.delete('signature');
	return unsigned.href;
}

it('a message of somebody else costs an open question no request to the gateway', async () => {
	const { gateway } = host;
	const workflow = await publishAsk(host, {
		responseType: 'approval',
		options: { maxOpenQuestions: 50 },
	});
	let open = 0;

	for (const wanted of [10, 20, 50]) {
		for (; open < wanted; open++) await workflow.ask();
		await gateway.drained();
		const urls = gateway.webhooks().map(({ url }) => url);
		expect(urls).toHaveLength(wanted);
		const count = wanted * MESSAGES;

		const loading = await measure(async () => await post(urls.map(withoutSignature), 401));
		const refusing = await measure(async () => await post(urls, 401));

		gateway.requests.length = 0;
		gateway.deliveries.length = 0;
		const delivering = await measure(letBrunoWrite);
		const { length: tries } = gateway.deliveries;
		const { length: taken } = gateway.deliveries.filter(({ status }) => status === 200);

		const each = Object.entries({ loading, refusing, delivering }).map(
			([name, total]) => `${name} ${(total / count).toFixed(1)} ms`,
		);
		print(`${wanted} open questions, CPU a delivery: ${each.join(' · ')} (${tries} tries)`);
		expect(taken).toBe(count);
		expect(gateway.requests).toEqual([]);
	}
});
