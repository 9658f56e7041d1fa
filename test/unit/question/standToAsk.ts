import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { Failure } from '../../../nodes/MessagingGateway/api/failure';
import { ask, type QuestionDraft } from '../../../nodes/MessagingGateway/question/ask';
import { gatewayContext, type Answered } from '../gatewayContext';

export const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;
export const HOUR = 3_600_000;
export const NOW = 1_800_000_000_000;

const draft: QuestionDraft = {
	to: '5511900000001',
	type: 'choice',
	labels: ['Red', 'Blue'],
	requireQuote: false,
	waitMs: HOUR,
	most: 20,
};

export const bodyOf = ({ body }: IHttpRequestOptions) =>
	(typeof body === 'string' ? JSON.parse(body) : body) as { url: string; events: string[] };

export const isCreation = ({ method, url }: IHttpRequestOptions) =>
	method === 'POST' && url.endsWith('/v1/webhooks');

/** A node that asks, in an execution of n8n, and all that happens meanwhile, in order. */
export function standToAsk({
	answers = () => undefined,
	items = [{ json: {} }],
	cancelled = false,
	credential = {},
	path = '/webhook-waiting/7/node',
	type = 'messagingGateway',
}: {
	answers?(request: IHttpRequestOptions): Answered | undefined;
	items?: object[];
	cancelled?: boolean;
	credential?: object;
	path?: string;
	type?: string;
} = {}) {
	const done: string[] = [];
	const kept: { question?: IDataObject } = {};
	const gateway = gatewayContext({
		answer: (request) => {
			const { method = 'GET', url } = request;
			done.push(`${method} ${new URL(url).pathname}`);
			const given = answers(request);
			if (given !== undefined) return given;
			if (!url.includes('/v1/')) return { status: 401 };
			if (method === 'GET') return { status: 200, body: { data: [] } };
			return { status: 200, body: { data: { ...bodyOf(request), id: 'wh_1', secret: SECRET } } };
		},
	});
	const waited: Date[] = [];
	const stop = new AbortController();
	const context = {
		...gateway,
		getNode: () => ({ id: 'node', name: 'Ask', type, parameters: {} }),
		getCredentials: async () => ({
			...(await gateway.getCredentials()),
			instanceToken: 'svc_inst_abcdefgh',
			...credential,
		}),
		getMode: () => 'trigger',
		getInputData: () => items,
		getExecutionId: () => '7',
		getContext: () => kept,
		getExecutionCancelSignal: () => stop.signal,
		getSignedResumeUrl: (parameters: Record<string, string>) =>
			`https://n8n.example.com${path}?${new URLSearchParams(parameters).toString()}&signature=x`,
		putExecutionToWait: async (until: Date) => {
			await new Promise((resolve) => setImmediate(resolve));
			waited.push(until);
		},
		logger: { ...gateway.logger, warn: (text: string) => done.push(text) },
	};
	const send = (outcome?: Failure['outcome']) => async (lines: string, begins: () => void) => {
		done.push(`send ${lines}`);
		if (cancelled) stop.abort();
		jest.setSystemTime(NOW + 5);
		begins();
		if (outcome === undefined) return await Promise.resolve('Q1');
		throw Object.assign(new Error('No'), { context: { outcome, passing: false } });
	};
	const put = async (sending: ReturnType<typeof send>, change: Partial<QuestionDraft> = {}) =>
		await ask(context as unknown as IExecuteFunctions, { ...draft, ...change }, sending);
	return { put, send, done, kept, waited, context: context as unknown as IExecuteFunctions };
}
