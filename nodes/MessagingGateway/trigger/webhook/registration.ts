import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { quote } from '../../gateway/plainText';
import { whySecretUnfit } from '../../gateway/secrets';
import { sharedMap, startedAt } from '../../processState';
import type { Queue } from '../../waits';
import { isTest, type TriggerContext } from '../settings/settings';

export interface WantedWebhook {
	url: string;
	events: string[];
}

/** The webhook as n8n's static data keeps it; `gateway` is a base URL. */
export interface WebhookRecord extends WantedWebhook {
	webhookId: string;
	secret: string;
	gateway: string;
}

/** This process's data about the webhook of a trigger node. Its queue holds publications, removals and checks. */
export interface Registration extends Queue {
	/** Undefined while the workflow is not published. */
	wanted?: WantedWebhook;
	/** The webhook that this process has created or confirmed. It overrides static data, which other writers may overwrite. */
	record?: WebhookRecord;
	/** Since when there has been no record. */
	unsureSince: number;
	putBackAt?: number;
	recreatedAt?: number;
	/** A start of n8n has recreated the webhook, and no alarm has said so yet. */
	isRecreatedAtStart?: boolean;
	closing?: AbortController;
	/** Saves a failed execution. Only the process that checks the webhook can. */
	raiseAlarm?(alarm: Alarm): void;
}

export interface Alarm {
	message: string;
	advice: string;
}

const UNSURE_FOR_MS = 5 * 60_000;

const registrations = sharedMap<Registration>('registrations 1');

export function triggerKeyOf(context: TriggerContext): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** The registration of a trigger node. A test event has none: it gets an empty one, which is forgotten. */
export function registrationOf(context: TriggerContext): Registration {
	if (isTest(context)) return { unsureSince: -Infinity };
	const key = triggerKeyOf(context);
	const registration = registrations.get(key) ?? { unsureSince: startedAt };
	registrations.set(key, registration);
	return registration;
}

/** Whether a delivery that does not verify may be genuine: this process may not know the newest secret yet. */
export function isUnsure({ record, pending, unsureSince }: Registration): boolean {
	if (pending !== undefined) return true;
	return record === undefined && Date.now() - unsureSince < UNSURE_FOR_MS;
}

/** Lets static data decide until a new record is known. */
export function forgetRecord(registration: Registration): void {
	registration.record = undefined;
	registration.unsureSince = Date.now();
}

/** A copy of the record in static data. It may be old or incomplete: n8n saves them as a whole, and the last writer wins. */
export function readSaved(context: TriggerContext): Partial<WebhookRecord> {
	return { ...(context.getWorkflowStaticData('node') as Partial<WebhookRecord>) };
}

/** The record that counts: the one of this process, or else that in static data. */
export function recordOf(registration: Registration, context: TriggerContext) {
	return registration.record ?? readSaved(context);
}

/** Writes the record into static data. n8n saves it after a hook, and after a delivery that starts no execution. */
export function writeSaved(context: IHookFunctions | IWebhookFunctions, record?: WebhookRecord) {
	const saved = context.getWorkflowStaticData('node');
	for (const field of Object.keys(saved)) delete saved[field];
	Object.assign(saved, record);
}

/** Throws if n8n would respond 404 to every delivery: without a `webhookId`, it looks for the decoded name of the trigger. */
export function requireServed(context: Pick<TriggerContext, 'getNode'>): void {
	const { name, webhookId } = context.getNode();
	if (webhookId !== undefined || encodeURIComponent(name) === name) return;
	throw new Error(
		`n8n does not serve the URL of this trigger. The trigger has no webhookId, so its name ${quote(name)} is in the URL, with spaces or signs. Rename the trigger, e.g. to Received, or give it a webhookId (a UUID) in the workflow’s file. Then publish the workflow again.`,
	);
}

export function isComplete(record: Partial<WebhookRecord>): record is WebhookRecord {
	return record.webhookId !== undefined && whySecretUnfit(record.secret ?? '') === undefined;
}
