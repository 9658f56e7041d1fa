import type { Simulator } from '../../lab/simulator';

/** A request to the API as any client makes it, with a body as JSON. A token that is null is not sent. */
export async function callGateway(
	simulator: Simulator,
	method: string,
	path: string,
	{ body, token }: { body?: unknown; token: string | null },
): Promise<{ status: number; body: unknown }> {
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
