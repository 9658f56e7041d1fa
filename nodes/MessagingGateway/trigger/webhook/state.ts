import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sharedMap, startedAt } from '../../n8n/processState';
import type { Queue } from '../../n8n/waits';
import { isTest, type TriggerContext } from '../settings/settings';

export interface WantedWebhook {
	url: string;
	events: string[];
}

/** The webhook as n8n's static data keeps it; `gateway` is a base URL. */
export interface SavedWebhook extends WantedWebhook {
	webhookId: string;
	secret: string;
	gateway: string;
}

/** The webhook as this process knows it. Publications, removals and checks queue here. */
export interface WebhookState extends Queue {
	/** Undefined while the workflow is not published. */
	wanted?: WantedWebhook;
	/** Why a start of n8n has failed. It counts if it could not tell what is wanted. */
	startError?: Error;
	/** Created or confirmed by this process. It overrides static data, which may be old. */
	record?: SavedWebhook;
	unsureSince: number;
	putBackAt?: number;
	/** Whether a genuine event has come since the last check. */
	isHeard?: boolean;
	/** A start of n8n has recreated the webhook, and no check has said so yet. */
	isRecreatedAtStart?: boolean;
	/** Where the webhook before that one still receives, at another address of n8n. */
	leftBehindUrl?: string;
	lastAlarm?: { message: string; at: number };
	closing?: AbortController;
}

const UNSURE_FOR_MS = 5 * 60_000;

const states = sharedMap<WebhookState>('webhooks 1');

export function triggerKeyOf(context: TriggerContext): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** The state of a trigger node's webhook. A test event has its own, which is forgotten. */
export function webhookStateOf(context: TriggerContext, key = triggerKeyOf(context)): WebhookState {
	if (isTest(context)) return unknownState();
	const state = states.get(key) ?? { unsureSince: startedAt };
	states.set(key, state);
	return state;
}

/** The state of a webhook of which this process can know nothing: of a test, or of manual setup. */
export const unknownState = (): WebhookState => ({ unsureSince: -Infinity });

/** Whether a delivery that does not verify may have a secret that is not known here yet. */
export function isUnsure({ record, pending, unsureSince }: WebhookState): boolean {
	if (pending !== undefined) return true;
	return record === undefined && Date.now() - unsureSince < UNSURE_FOR_MS;
}

/** Lets static data decide until a new record is known. */
export function forgetRecord(state: WebhookState): void {
	state.record = undefined;
	state.unsureSince = Date.now();
}

/** A copy of static data. It may be old: n8n saves it as a whole, and the last writer wins. */
export function readSaved(context: TriggerContext): Partial<SavedWebhook> {
	return { ...(context.getWorkflowStaticData('node') as Partial<SavedWebhook>) };
}

/** Writes static data. n8n saves it after a hook, and after a delivery that starts no execution. */
export function writeSaved(context: IHookFunctions | IWebhookFunctions, webhook?: SavedWebhook) {
	const saved = context.getWorkflowStaticData('node');
	for (const field of Object.keys(saved)) delete saved[field];
	Object.assign(saved, webhook);
}
