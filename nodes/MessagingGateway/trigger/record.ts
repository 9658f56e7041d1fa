import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What is kept of the webhook at the gateway, in n8n's static data of this node: this and nothing else. */
export interface WebhookRecord {
	webhookId: string;
	/** Shown once, when the webhook is created (API document, "Webhook record"). */
	secret: string;
	url: string;
	events: string[];
}

/** The record, or as much of it as there is. */
export function readRecord(context: IHookFunctions | IWebhookFunctions): Partial<WebhookRecord> {
	return context.getWorkflowStaticData('node') as Partial<WebhookRecord>;
}

export function keepRecord(context: IHookFunctions, record: WebhookRecord): void {
	Object.assign(context.getWorkflowStaticData('node'), record);
}

export function clearRecord(context: IHookFunctions): void {
	const record = context.getWorkflowStaticData('node');
	for (const field of Object.keys(record)) delete record[field];
}
