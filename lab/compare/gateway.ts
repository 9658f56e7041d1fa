import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** The response to one request. */
export interface Answer {
	isSuccess: boolean;
	/** 0 if there was none. */
	status: number;
	/** Parsed JSON, or undefined. */
	body: unknown;
	/** Its beginning on one line, without tokens. */
	words: string;
}

const TIMEOUT_MS = 30_000;
const HOLD_MS = 4_000;
const WORDS_SHOWN = 160;
const SECRETS = /\b(svc_acct_|svc_inst_|whsec_)[^\s"']+/g;

/** Answers the function that makes one request, e.g. `GET /v1/groups`, and never throws. */
export function createClient(baseUrl: string, tokens: { account: string; instance: string }) {
	const known = { ...tokens, unknown: 'svc_inst_of_nobody' };
	const shorten = (text: string) =>
		text
			.replaceAll(tokens.account, '…')
			.replaceAll(tokens.instance, '…')
			.replace(SECRETS, '$1…')
			.replace(/\s+/g, ' ')
			.slice(0, WORDS_SHOWN);
	return async (token: keyof typeof known, request: string, body?: object): Promise<Answer> => {
		const [method, path] = request.split(' ');
		const json: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
		try {
			const response = await fetch(baseUrl.replace(/\/+$/, '') + path, {
				method,
				headers: { authorization: `Bearer ${known[token]}`, ...json },
				...(body && { body: JSON.stringify(body) }),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const { ok: isSuccess, status } = response;
			const text = await response.text();
			return { isSuccess, status, body: parse(text), words: shorten(`${status} ${text}`) };
		} catch (error) {
			const { message, cause } = error as Error;
			return {
				isSuccess: false,
				status: 0,
				body: undefined,
				words: shorten(`${cause ?? message}`),
			};
		}
	};
}

export type Client = ReturnType<typeof createClient>;

/** Sends a text that a person may ignore. */
export const sendText = async (ask: Client, to: string): Promise<Answer> =>
	await ask('instance', 'POST /v1/messages/send-text', {
		to,
		text: 'A test of n8n-nodes-messaging-gateway. You can ignore it.',
	});

/** Whether a value has fields of these types. */
export function fits(value: unknown, fields: Record<string, string[]>): boolean {
	const record = (value ?? {}) as Record<string, unknown>;
	return Object.entries(fields).every(([type, names]) =>
		names.every((name) => typeof record[name] === type),
	);
}

/** Answers the parsed JSON, or undefined. */
export function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Receives deliveries on a port of 127.0.0.1. It answers the first one after four seconds, to see whether the gateway
 * delivers more meanwhile.
 */
export async function startReceiver(port: number) {
	const received = {
		deliveries: [] as Array<{ raw: string; headers: IncomingHttpHeaders }>,
		/** Whether the second delivery came before the first was answered; undefined if it came long after, or not. */
		hasOverlapped: undefined as boolean | undefined,
		stop: () => void server.close().closeAllConnections(),
	};
	let firstAt = 0;
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { deliveries } = received;
		deliveries.push({ raw: Buffer.concat(chunks).toString(), headers: request.headers });
		if (deliveries.length === 1) firstAt = performance.now();
		const waited = performance.now() - firstAt;
		if (deliveries.length === 2 && waited < 1.5 * HOLD_MS)
			received.hasOverlapped = waited < HOLD_MS;
		const wait = deliveries.length === 1 ? HOLD_MS : 0;
		setTimeout(() => response.writeHead(200).end(), wait);
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return received;
}
