/**
 * Faults in place of an ordinary answer.
 * - `status`: that status with `body` (default `{"error": …}`) and `headers`, once `until` has come to its end; the request is
 *   not acted on
 * - `html`, `empty`, `invalidJson`: an answer without a readable body (`status` default 200), not acted on
 * - `slow`: `delayMs` later, or once `until` has come to its end, then everything as usual
 * - `hang`: never an answer, the connection stays open; not acted on
 * - `cutBefore`: the connection ends before the request is acted on
 * - `cutAfter`: the request is acted on, then the connection ends without an answer
 * - `acceptThenStatus`: the request is acted on, but answered with `status` (default 502)
 * - `slowAnswer`: the request is acted on, and answered as usual `delayMs` later, or once `until` has come to its end
 * - `oneASecond`: as usual, if the last that was let through is a second away; else 429 with `Retry-After: 1`
 */
export type FaultKind =
	| 'status'
	| 'html'
	| 'empty'
	| 'invalidJson'
	| 'slow'
	| 'hang'
	| 'cutBefore'
	| 'cutAfter'
	| 'acceptThenStatus'
	| 'slowAnswer'
	| 'oneASecond';

export interface FaultDetails {
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	delayMs?: number;
	/** In place of a time: a wait that begins when the request is there. */
	until?: () => Promise<unknown>;
}

/** A kind alone, a kind with details, or just a status with its body. */
export type Fault =
	FaultKind | (FaultDetails & { kind: FaultKind }) | (FaultDetails & { status: number });

export interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	payload: string;
}

const REASONS: Record<number, string> = {
	400: 'The request is not valid',
	401: 'The token is not valid',
	403: 'The token has no access to this operation',
	404: 'Not found',
	429: 'Too many requests',
	500: 'Something went wrong inside the service',
	502: 'The network did not answer',
};

const HTML =
	'<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

export function kindOfFault(fault: Fault): FaultKind {
	if (typeof fault === 'string') return fault;
	return 'kind' in fault ? fault.kind : 'status';
}

export function detailsOfFault(fault: Fault): FaultDetails {
	return typeof fault === 'string' ? {} : fault;
}

/** The answer that a fault puts in place of the ordinary one. */
export function composeAnswer(fault: Fault): FaultAnswer {
	const { status, body, headers = {} } = detailsOfFault(fault);
	const json = { 'content-type': 'application/json; charset=utf-8', ...headers };

	switch (kindOfFault(fault)) {
		case 'html':
			return {
				status: status ?? 200,
				headers: { 'content-type': 'text/html', ...headers },
				payload: HTML,
			};
		case 'empty':
			return { status: status ?? 200, headers, payload: '' };
		case 'invalidJson':
			return { status: status ?? 200, headers: json, payload: '{"data": {"messageId": ' };
		default: {
			const code = status ?? 502;
			const wait: Record<string, string> = code === 429 ? { 'retry-after': '1' } : {};
			const payload = JSON.stringify(
				body ?? { error: REASONS[code] ?? `Refused with status ${code}` },
			);
			return { status: code, headers: { ...wait, ...json }, payload };
		}
	}
}
