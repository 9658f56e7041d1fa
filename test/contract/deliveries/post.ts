import { request } from 'node:http';
import type { Delivery } from './delivery';

/** Sends a delivery as it is, doubled headers included, and gives the answer's status and text. */
export async function post(
	url: string,
	delivery: Delivery,
): Promise<{ status: number; text: string }> {
	const { hostname, port, pathname, search } = new URL(url);
	const { headers, body } = delivery;

	return await new Promise((resolve, reject) => {
		const outgoing = request({
			hostname,
			port,
			// A kept connection may be closed at the other end at the very moment at which it is used again.
			agent: false,
			method: 'POST',
			path: pathname + search,
			headers: [
				'host',
				`${hostname}:${port}`,
				...headers.flat().map((text) => Buffer.from(text).toString('latin1')),
				'content-length',
				String(body.length),
			],
			timeout: 20_000,
		});

		outgoing.once('timeout', () => outgoing.destroy(new Error('No answer within 20 seconds')));
		outgoing.once('error', reject);

		outgoing.once('response', (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (text += chunk));
			response.once('error', reject);
			response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
		});

		outgoing.end(body);
	});
}

/** What n8n may find too large to read it all. */
const LARGE = 1_000_000;

/** Delivers what may be too large. n8n hangs up on that before it was all sent: then there is no answer. */
export async function postEvenIfTooLarge(
	url: string,
	delivery: Delivery,
): Promise<{ status: number; text: string } | undefined> {
	return await post(url, delivery).catch(async (error: unknown) => {
		if (delivery.body.length > LARGE) return undefined;
		return await Promise.reject(error as Error);
	});
}
