import type { Simulator } from '../../simulator';

export interface CallOptions {
	/** Sent as JSON. */
	body?: unknown;
	/** Bearer token; null sends none. */
	token: string | null;
}

export interface CallAnswer {
	status: number;
	body: unknown;
}

/** A request to the API as any client makes it. */
export async function callGateway(
	simulator: Simulator,
	method: string,
	path: string,
	{ body, token }: CallOptions,
): Promise<CallAnswer> {
	const response = await fetch(simulator.url + path, {
		method,
		headers: {
			...(token !== null && { authorization: `Bearer ${token}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		body: body === undefined ? body : JSON.stringify(body),
	});
	return { status: response.status, body: await response.json() };
}
