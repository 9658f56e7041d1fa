import { randomUUID } from 'node:crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';

export interface Answered {
	status: number;
	body?: unknown;
}

interface FakeGateway {
	/** A gateway or an account of its own if left out. */
	baseUrl?: string;
	accountToken?: string;
	/** Answers each request. One that it rejects gets no answer. */
	answer(request: IHttpRequestOptions): Answered | Promise<Answered>;
}

/** The parts of n8n that a request to a gateway needs, with a gateway that answers as told. */
export function gatewayContext({
	baseUrl = `https://${randomUUID()}.example.com`,
	accountToken = `svc_acct_${randomUUID()}`,
	answer,
}: FakeGateway) {
	const workflowId = randomUUID();
	return {
		getNode: () => ({ id: 'node', name: 'Trigger', parameters: {} }),
		getWorkflow: () => ({ id: workflowId }),
		getInstanceId: () => 'n8n',
		getCredentials: async () => await Promise.resolve({ baseUrl, accountToken }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
				const { status, body = {} } = await answer(request);
				return { statusCode: status, headers: {}, body };
			},
		},
		logger: { warn: () => {}, info: () => {}, error: () => {}, debug: () => {} },
	};
}
