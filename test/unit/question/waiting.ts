import { randomUUID } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { receiveReply } from '../../../nodes/MessagingGateway/question/receive';
import { signDelivery } from '../../../nodes/MessagingGateway/webhooks/standardWebhooks';
import { gatewayContext, type Answered } from '../gatewayContext';

export const ANA = { id: '1@lid', phone: '5511900000001' };
const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;
export const MINUTE = 60_000;

/** An execution of n8n that waits for the answer to a question, and the gateway through which that was asked. */
export function startWaiting(
	asked: Partial<Question> = {},
	answers: (request: IHttpRequestOptions) => Answered | undefined = () => undefined,
) {
	const now = Date.now();
	const webhookId = `wh_${randomUUID()}`;
	const question: Question = {
		webhookId,
		secret: SECRET,
		until: now + 60 * MINUTE,
		to: ANA.phone,
		messageId: 'Q1',
		type: 'reply',
		labels: [],
		askedAt: now - 10 * MINUTE,
		sentAt: now - 10 * MINUTE,
		requireQuote: false,
		isReview: false,
		...asked,
	};
	const requests: Array<{ what: string; body: IDataObject }> = [];
	const said: string[] = [];
	const answer = (request: IHttpRequestOptions): Answered => {
		const { method = 'GET', url, body } = request;
		const told = (typeof body === 'string' ? JSON.parse(body) : (body ?? {})) as IDataObject;
		requests.push({ what: `${method} ${new URL(url).pathname}`, body: told });
		const usual =
			method === 'GET' ? [] : method === 'POST' ? { messageId: 'A1' } : { id: webhookId, ...told };
		return answers(request) ?? { status: 200, body: { data: usual } };
	};
	const gateway = gatewayContext({ answer });
	const getCredentials = jest.fn(async () => ({
		...(await gateway.getCredentials()),
		instanceToken: 'svc_inst_abcdefgh',
	}));

	/** Delivers an event, and gives what n8n and the gateway are told of it. */
	async function deliver(
		event: IDataObject,
		{ secret = SECRET, until = question.until, query = {}, kept = question as unknown } = {},
	) {
		const body = JSON.stringify(event);
		const rawHeaders = Object.entries(signDelivery(secret, String(event.id), body)).flat();
		const response = {
			statusCode: 200,
			headersSent: false,
			writableEnded: false,
			status(code: number) {
				response.statusCode = code;
				return { json: () => (response.headersSent = true) };
			},
			end: () => (response.writableEnded = true),
			setHeader: () => {},
			removeHeader: () => {},
		};
		const context = {
			...gateway,
			getCredentials,
			logger: {
				...gateway.logger,
				warn: (text: string) => said.push(text),
				error: (text: string) => said.push(text),
			},
			evaluateExpression: () => kept,
			getQueryData: () => ({ asked: question.to, until: String(until), ...query }),
			getRequestObject: () => ({ rawHeaders, rawBody: Buffer.from(body) }),
			getResponseObject: () => response,
			getSignedResumeUrl: (parameters: Record<string, string>) =>
				`https://n8n.example.com/webhook-waiting/7/node?${new URLSearchParams(parameters).toString()}&signature=x`,
		};
		const { workflowData, webhookResponse } = await receiveReply.call(
			context as unknown as IWebhookFunctions,
		);
		return {
			item: workflowData?.[0]?.[0]?.json,
			told: (webhookResponse as { message: string } | undefined)?.message ?? response.statusCode,
			/** Answers as n8n does once the execution goes on, or cannot. */
			goOn(status = 200) {
				response.statusCode = status;
				response.end();
			},
		};
	}
	return { deliver, question, requests, said, webhookId, gateway, getCredentials };
}

let count = 0;
export const message = (text: string | undefined, data: IDataObject = {}) => {
	const number = ++count;
	return {
		id: `evt_${number}`,
		type: 'MESSAGE.RECEIVED',
		timestamp: new Date().toISOString(),
		data: { messageId: `M${number}`, chat: ANA, sender: ANA, text, ...data },
	} as IDataObject;
};
export const deletions = (requests: Array<{ what: string }>) =>
	requests.filter(({ what }) => what.startsWith('DELETE '));
