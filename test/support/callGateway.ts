import type { Simulator } from '../../simulator';

export interface CallOptions {
	/** Sent as JSON; a string is sent as it is. */
	body?: unknown;
	/** Bearer token; null sends none. */
	token: string | null;
	headers?: Record<string, string>;
}

export interface CallAnswer {
	status: number;
	body: unknown;
	headers: Headers;
}

/** A request to the API as any client makes it. */
export async function callGateway(
	simulator: Simulator,
	method: string,
	path: string,
	{ body, token, headers = {} }: CallOptions,
): Promise<CallAnswer> {
	const response = await fetch(simulator.url + path, {
		method,
		headers: {
			...(token !== null && { authorization: `Bearer ${token}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
