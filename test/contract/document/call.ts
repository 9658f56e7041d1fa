import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import type { RecordedRequest } from '../../../lab/simulator';

/** One request as docs/api.md shows it. */
export interface DocumentedRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
	path: string;
	/** Left out where docs/api.md shows none: then none may be sent. */
	query?: Record<string, string>;
	/** The whole body; left out where docs/api.md shows none: then not a single byte may be sent. */
	body?: unknown;
	token: 'account' | 'instance';
}

/** A request with the token of the number, unless it needs the other one. */
export function request(
	endpoint: string,
	body?: unknown,
	token: DocumentedRequest['token'] = 'instance',
): DocumentedRequest {
	const [method, path] = endpoint.split(' ') as [DocumentedRequest['method'], string];
	return { method, path, ...(body !== undefined && { body }), token };
}

/** A request as docs/api.md writes it, and nothing of what it does not. */
export const describeRequest = (made: RecordedRequest): DocumentedRequest => ({
	method: made.method as DocumentedRequest['method'],
	path: made.path,
	...(Object.keys(made.query).length > 0 && { query: made.query as Record<string, string> }),
	...(made.rawBody !== '' && { body: made.body }),
	token: made.token as DocumentedRequest['token'],
});

/** What a person fills in, the requests that must come of it, and what the node must put out. */
export interface DocumentedCall {
	resource: string;
	operation: string;
	/** What is special about this call. */
	title: string;
	parameters?: Record<string, NodeParameterValueType>;
	/** In their order. */
	requests: DocumentedRequest[];
	/** One per item that is put out. Jest's matchers stand for what the gateway makes up. */
	output: IDataObject[];
	/** What the output panel must say beside the items. */
	hint?: RegExp;
	/** What the gateway answers to the last request, as far as that is not 200 with the output in `data`. */
	answer?: Partial<DocumentedAnswer>;
}

/** Jest's matchers stand for what the gateway makes up. */
export interface DocumentedAnswer {
	status: number;
	body: unknown;
}

/** What the gateway answers to the last request of a call (API 1.4). */
export function answerOf({ operation, output, answer }: DocumentedCall): DocumentedAnswer {
	const data = /^get(All|Instances)$/.test(operation) ? output : output[0];
	return { status: 200, body: { data }, ...answer };
}

/** A recipient as the editor stores it. */
export function to(mode: 'phone' | 'id' | 'list', value: string): NodeParameterValueType {
	return { __rl: true, mode, value };
}
