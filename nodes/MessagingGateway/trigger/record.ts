import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sharedMap, startedAt } from '../processState';
import { isUsableSecret } from '../webhooks/standardWebhooks';

/** The webhook that n8n asks for. */
export interface WantedWebhook {
	url: string;
	events: string[];
}

/** The webhook at the gateway, as n8n's static data of the trigger node keep it. */
export interface WebhookRecord extends WantedWebhook {
	webhookId: string;
	/** Shown once, when the webhook is created (API document, "Webhook record"). */
	secret: string;
	/** Base URL of the gateway that has it. */
	gateway: string;
}

/** All that this process knows of the webhook of one trigger node: plain data, with which a later load of the package goes on. */
export interface Registration {
	/** Undefined while the workflow is not published. */
	wanted?: WantedWebhook;
	/** Created or confirmed by the gateway in this process. It counts more than static data, which anybody may overwrite. */
	record?: WebhookRecord;
	/** The publication, removal or check under way. */
	change?: Promise<unknown>;
	/** Since when there is no record, in milliseconds as of `Date.now`. */
	unsureSince: number;
	/** When a delivery has last put the record back into static data. */
	putBackAt?: number;
	/** When the check has last recreated the webhook. */
	recreatedAt?: number;
	/** Ends the check. */
	closing?: AbortController;
}

const UNSURE_FOR_MS = 5 * 60_000;

const registrations = sharedMap<Registration>('registrations 1');

/** The part of n8n's contexts that names a trigger node. */
interface TriggerNode {
	getWorkflow(): { id?: string };
	getNode(): { id: string };
}

/** Names a trigger node in the maps of this process. */
export function triggerKeyOf(context: TriggerNode): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** The registration of a published trigger node. */
export function registrationOf(context: TriggerNode): Registration {
	const key = triggerKeyOf(context);
	const registration = registrations.get(key) ?? { unsureSince: startedAt };
	registrations.set(key, registration);
	return registration;
}

/** Whether a delivery that does not verify may be genuine: this process may not know the newest secret yet. */
export function isUnsure({ record, change, unsureSince }: Registration): boolean {
	if (change !== undefined) return true;
	return record === undefined && Date.now() - unsureSince < UNSURE_FOR_MS;
}

/** Lets changes of one webhook happen one after the other. Without a registration, as for a test event, there is only one. */
export async function change<T>(
	registration: Registration | undefined,
	work: () => Promise<T>,
): Promise<T> {
	if (registration === undefined) return await work();
	const mine = (registration.change ?? Promise.resolve()).then(work, work);
	registration.change = mine;
	try {
		return await mine;
	} finally {
		if (registration.change === mine) registration.change = undefined;
	}
}

/** Forgets the record of this process, so that static data decide until a new one is known. */
export function forgetRecord(registration: Registration): void {
	registration.record = undefined;
	registration.unsureSince = Date.now();
}

/** The record in static data, or as much of it as there is. n8n saves static data as a whole: the last writer wins. */
export function readSaved(
	context: IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): Partial<WebhookRecord> {
	return context.getWorkflowStaticData('node') as Partial<WebhookRecord>;
}

/** Writes the record into static data. n8n saves them after a hook, and after a delivery that starts no execution. */
export function writeSaved(
	context: IHookFunctions | IWebhookFunctions,
	record: WebhookRecord | undefined,
): void {
	const saved = context.getWorkflowStaticData('node');
	const fields = { ...record };
	for (const field of Object.keys(saved)) delete saved[field];
	Object.assign(saved, fields);
}

/** Whether a record has everything that is needed to receive. */
export function isComplete(record: Partial<WebhookRecord>): record is WebhookRecord {
	const { webhookId, secret, url } = record;
	return (
		webhookId !== undefined && secret !== undefined && isUsableSecret(secret) && url !== undefined
	);
}
