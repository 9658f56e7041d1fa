import { createHmac, randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData, Logger } from 'n8n-workflow';
import { receive } from '../../../../nodes/MessagingGateway/trigger/delivery/receive';
import { subscriptionFor } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import type { GatewayEvent } from '../../../../nodes/MessagingGateway/webhooks/event';

export const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

interface Posting {
	secret?: string;
	/** Unix seconds; now when left out. */
	sentAt?: number;
}

export interface Posted {
	/** What the trigger hands to n8n. */
	answer: IWebhookResponseData;
	/** What the sender was told so far: 200 where that is left to n8n. */
	status(): number;
	/** Ends the response as n8n does. */
	end(statusCode: number): void;
}

/** A trigger with these parameters, as n8n hands a delivery to it. */
export function publish(parameters: IDataObject = {}, mode: 'webhook' | 'manual' = 'webhook') {
	const workflowId = randomUUID();
	const record = { webhookId: 'wh_1', secret: SECRET, url: 'https://n8n.example.com', events: [] };
	const logged: Record<'error' | 'warn' | 'info', string[]> = { error: [], warn: [], info: [] };
	const logger = {
		error: (message: string) => logged.error.push(message),
		warn: (message: string) => logged.warn.push(message),
		info: (message: string) => logged.info.push(message),
	} as unknown as Logger;
	return {
		parameters,
		logged,
		subscription: () =>
			subscriptionFor({ workflowId, nodeId: 'node', test: mode === 'manual' }, logger),
		async post(
			event: GatewayEvent,
			{ secret = SECRET, sentAt = Math.floor(Date.now() / 1000) }: Posting = {},
		): Promise<Posted> {
			const body = JSON.stringify(event);
			let told = 200;
			const response = {
				headersSent: false,
				writableEnded: false,
				statusCode: 200,
				end: () => response,
				setHeader: () => response,
				removeHeader: () => {},
				status: (code: number) => ({
					json: () => {
						response.headersSent = true;
						told = code;
					},
				}),
			};
			const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
			const digest = createHmac('sha256', key).update(`${event.id}.${sentAt}.${body}`);
			const headers = {
				'webhook-id': event.id,
				'webhook-timestamp': String(sentAt),
				'webhook-signature': `v1,${digest.digest('base64')}`,
			};
			const context = {
				getMode: () => mode,
				getNode: () => ({ id: 'node', parameters: {} }),
				getWorkflow: () => ({ id: workflowId }),
				getWorkflowStaticData: () => record,
				getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
				getRequestObject: () => ({
					rawHeaders: Object.entries(headers).flat(),
					rawBody: Buffer.from(body),
				}),
				getResponseObject: () => response,
				logger,
			};
			const answer = await receive.call(context as unknown as IWebhookFunctions);
			return {
				answer,
				status: () => told,
				end: (statusCode) => {
					response.statusCode = statusCode;
					response.end();
				},
			};
		},
	};
}
