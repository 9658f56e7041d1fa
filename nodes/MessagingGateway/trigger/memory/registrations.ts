import { defer, waitUntil, type Deferred } from '../../webhooks/patience';
import type { WebhookRecord } from '../record';
import { identify, type TriggerNode } from './identity';

/** What a trigger's webhook should be like. */
export interface WantedWebhook {
	url: string;
	/** Event types, sorted. */
	events: string[];
}

interface Knowledge {
	/** The newest record; undefined where the webhook was deleted. */
	record?: WebhookRecord;
	/** Whether the gateway has not said yet that it has this webhook, as when it is down at the start of n8n. */
	isUnconfirmed?: boolean;
	/** Until when a deletion counts: afterwards another process may have published the workflow. */
	until?: number;
}

/** Longer than n8n takes from deleting a webhook to making the next one. */
const DELETED_FOR_MS = 120_000;

/**
 * What this process knows of the webhooks of published triggers. Where it has registered one itself, or found it in
 * order, its own knowledge counts, and not what somebody else may have put into static data since.
 */
const known = new Map<string, Knowledge>();
const wanted = new Map<string, WantedWebhook>();
/** Triggers for which a webhook is being made whose secret has not arrived yet. */
const underway = new Set<string>();
const firstLooks = new Map<string, { until: number; over: Deferred<void> }>();

/**
 * How long the first delivery to a trigger waits until this process has looked after its webhook, as it does at every
 * start. In a process that never does, as in queue mode, static data is all there is.
 */
const FIRST_LOOK_WITHIN_MS = 3_000;

/** What is known; undefined in a process that cannot know. */
export function findKnown(node: TriggerNode): Readonly<Knowledge> | undefined {
	const name = nameOf(node);
	const knowledge = known.get(name);
	if (knowledge?.until === undefined || Date.now() < knowledge.until) return knowledge;
	known.delete(name);
	return undefined;
}

/** Notes the newest record, or with undefined that there is none any more: what came before it opens nothing. */
export function learnRecord(
	node: TriggerNode,
	record: WebhookRecord | undefined,
	isUnconfirmed = false,
): void {
	const name = nameOf(node);
	known.set(name, record ? { record, isUnconfirmed } : { until: Date.now() + DELETED_FOR_MS });
	firstLooks.get(name)?.over.resolve();
	firstLooks.delete(name);
}

/**
 * Forgets a webhook that another process looks after from now on, as when the leader changes. One that was deleted
 * stays known as deleted.
 */
export function handOver(node: TriggerNode): void {
	if (findKnown(node)?.record) known.delete(nameOf(node));
}

/** Resolves when this process knows the webhook, or will not learn of it in time. */
export async function awaitFirstLook(node: TriggerNode): Promise<void> {
	const name = nameOf(node);
	if (findKnown(node)) return;
	const look = firstLooks.get(name) ?? {
		until: Date.now() + FIRST_LOOK_WITHIN_MS,
		over: defer<void>(),
	};
	firstLooks.set(name, look);
	if (Date.now() < look.until) await waitUntil(look.until, look.over.promise);
}

/** Notes what n8n has last asked for. */
export function expectWebhook(node: TriggerNode, webhook: WantedWebhook): void {
	wanted.set(nameOf(node), webhook);
}

/** Notes that n8n asks for no webhook any more. */
export function expectNothing(node: TriggerNode): void {
	wanted.delete(nameOf(node));
}

/** What n8n has last asked for; undefined if it asks for none. */
export function findWanted(node: TriggerNode): WantedWebhook | undefined {
	return wanted.get(nameOf(node));
}

/** Whether a webhook is being made: what it delivers cannot be judged before its secret is here. */
export function isUnderway(node: TriggerNode): boolean {
	return underway.has(nameOf(node));
}

export async function whileUnderway<T>(node: TriggerNode, making: () => Promise<T>): Promise<T> {
	const name = nameOf(node);
	underway.add(name);
	try {
		return await making();
	} finally {
		underway.delete(name);
	}
}

function nameOf(node: TriggerNode): string {
	const { workflowId, nodeId } = identify(node);
	return `${workflowId}:${nodeId}`;
}
