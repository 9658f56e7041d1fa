import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isUsableSecret } from '../webhooks/standardWebhooks';

/** What is kept of the webhook at the gateway, in n8n's static data of this node. */
export interface WebhookRecord {
	webhookId: string;
	/** Shown once, when the webhook is created (API document, "Webhook record"). */
	secret: string;
	url: string;
	events: string[];
	/** Base URL of the gateway that has it; an older record may not say. */
	gateway?: string;
	/** Whether questions may be parked, whose messages this trigger has to forward. */
	parked?: true;
}

/** Of static data, the one field that is no part of the record: it is the gateway's, whichever webhook there is. */
const CLOCK_LEAD = 'clockLeadSeconds';

/**
 * The record in static data, or as much of it as there is. n8n keeps the static data of a workflow as one text, and
 * whoever writes it last, wins: a polling trigger, an execution or an import can put an old record back.
 */
export function readStaticRecord(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): Partial<WebhookRecord> {
	return context.getWorkflowStaticData('node') as Partial<WebhookRecord>;
}

/** Writes the record where n8n saves it: from a hook, or with a delivery that starts no execution. */
export function writeStaticRecord(
	context: IHookFunctions | IWebhookFunctions,
	record: WebhookRecord,
): void {
	const staticData = context.getWorkflowStaticData('node');
	const lead = staticData[CLOCK_LEAD];
	// It may be the very object that is cleared, or have been read with an earlier lead.
	const fields = { ...record, ...(lead !== undefined && { [CLOCK_LEAD]: lead }) };
	clearStaticRecord(context);
	Object.assign(staticData, fields);
}

export function clearStaticRecord(context: IHookFunctions | IWebhookFunctions): void {
	const record: IDataObject = context.getWorkflowStaticData('node');
	for (const field of Object.keys(record)) if (field !== CLOCK_LEAD) delete record[field];
}

/** By how many seconds the gateway's clock was found ahead of ours at most, 0 where it never was. */
export function readClockLead(context: IWebhookFunctions): number {
	return Number(context.getWorkflowStaticData('node')[CLOCK_LEAD]) || 0;
}

/** Writes it where n8n saves it: with a delivery that starts no execution. */
export function writeClockLead(context: IWebhookFunctions, seconds: number): void {
	context.getWorkflowStaticData('node')[CLOCK_LEAD] = seconds;
}

/** Whether a record has everything that is needed to receive; a secret that was hidden, as in an export, is none. */
export function isComplete(record: Partial<WebhookRecord>): record is WebhookRecord {
	const { webhookId, secret, url } = record;
	return (
		webhookId !== undefined && secret !== undefined && isUsableSecret(secret) && url !== undefined
	);
}
