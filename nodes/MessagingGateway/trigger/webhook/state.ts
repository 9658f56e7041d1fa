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

/**
 * The state of a trigger's webhook in this process. Publications, removals and checks queue here,
 * and only they change what is known.
 */
export interface WebhookState extends Queue {
	knowledge: Knowledge;
	sinceLastCheck: SinceLastCheck;
	/** Ends the checks that run now. */
	closing?: AbortController;
}

/**
 * Until a publication or a start of n8n, the webhook is *not published* here, then *unsure*. It is
 * *known* once the gateway's list shows it as wanted, or has created it. It becomes *unsure* again
 * while it is replaced, or if n8n switches the trigger off, and *not published* when it is deleted.
 */
type Knowledge = NotPublished | Unsure | Known;

/** n8n still starts, or publishes in another process, or a person has unpublished the workflow. */
interface NotPublished {
	kind: 'not published';
	since: number;
	/** A start of n8n could not even tell which webhook is wanted. */
	startError?: Error;
}

/** The gateway may have the wanted webhook or another one. Static data have its secret, or nobody. */
interface Unsure {
	kind: 'unsure';
	since: number;
	wanted: WantedWebhook;
}

interface Known {
	kind: 'known';
	wanted: WantedWebhook;
	/** Created or confirmed by this process. It overrides static data, which may be old. */
	record: SavedWebhook;
	/** When a delivery has put the record back into static data. */
	putBackAt?: number;
}

/** Events and changes since the last check, which makes use of them. */
interface SinceLastCheck {
	/** Whether a genuine event has come. */
	isHeard: boolean;
	/** A start of n8n has recreated the webhook, and no alarm has said so yet. */
	recreation?: Creation;
}

export interface Creation {
	/** The URL of an earlier webhook of this trigger that still receives, at another address of n8n. */
	leftBehindUrl: string | undefined;
}

const UNSURE_FOR_MS = 5 * 60_000;

const states = sharedMap<WebhookState>('webhooks 2');

export function triggerKeyOf(context: TriggerContext): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** The state of a trigger node's webhook. A test event has its own, which is forgotten. */
export function webhookStateOf(context: TriggerContext, key = triggerKeyOf(context)): WebhookState {
	if (isTest(context)) return unknownState();

	const state = states.get(key) ?? notPublishedSince(startedAt);
	states.set(key, state);
	return state;
}

/** The state of a webhook of which this process can know nothing: of a test, or of manual setup. */
export const unknownState = (): WebhookState => notPublishedSince(-Infinity);

function notPublishedSince(since: number): WebhookState {
	return {
		knowledge: { kind: 'not published', since },
		sinceLastCheck: { isHeard: false },
	};
}

/** Whether a delivery that does not verify may have a secret that is not known here yet. */
export function isUnsure({ knowledge, pending }: WebhookState): boolean {
	const isBeingChanged = pending !== undefined;
	if (isBeingChanged) return true;

	return knowledge.kind !== 'known' && Date.now() - knowledge.since < UNSURE_FOR_MS;
}

/** The webhook as this process knows it; undefined lets static data decide. */
export function recordOf({ knowledge }: WebhookState): SavedWebhook | undefined {
	return knowledge.kind === 'known' ? knowledge.record : undefined;
}

/** Takes in that a webhook is wanted. A known one decides until it is found to be another one. */
export function want(state: WebhookState, wanted: WantedWebhook): void {
	const { knowledge } = state;
	if (knowledge.kind === 'known') knowledge.wanted = wanted;
	else state.knowledge = { kind: 'unsure', since: Date.now(), wanted };
}

/** Takes in that the webhook is about to be replaced: static data decide until another is known. */
export function beUnsure(state: WebhookState, wanted: WantedWebhook): void {
	state.knowledge = { kind: 'unsure', since: Date.now(), wanted };
}

/** Takes in that the gateway has the webhook as it is wanted. */
export function confirm(state: WebhookState, wanted: WantedWebhook, record: SavedWebhook): void {
	state.knowledge = { kind: 'known', wanted, record };
}

/** Takes in that n8n has switched the trigger off. In multi-main mode another process may go on. */
export function switchOff(state: WebhookState): void {
	const { knowledge } = state;
	if (knowledge.kind !== 'not published') beUnsure(state, knowledge.wanted);
}

/** Takes in that a person has unpublished the workflow, or publishes it anew. */
export function forget(state: WebhookState): void {
	state.knowledge = { kind: 'not published', since: Date.now() };
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
