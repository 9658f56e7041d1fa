import { defer, waitUntil, type Deferred } from '../../webhooks/patience';
import type { WebhookRecord } from '../record';
import { nameOf, type TriggerNode } from './identity';
import { isUnconfirmed, noteConfirmed, noteUnconfirmed } from './unconfirmed';

/** What a trigger's webhook should be like. */
export interface WantedWebhook {
	url: string;
	/** Event types, sorted. */
	events: string[];
}

interface Knowledge {
	/** The newest record; undefined where the webhook was deleted. */
	record?: WebhookRecord;
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
/** Triggers whose webhook is being looked for, or made without its secret having arrived yet. */
const underway = new Set<string>();
const firstLooks = new Map<string, { until: number; over: Deferred<void> }>();

/**
 * How long the first delivery to a trigger waits until this process has looked after its webhook, as it does at every
 * start. In a process that never does, as in queue mode, static data is all there is.
 */
const FIRST_LOOK_WITHIN_MS = 3_000;
/** So long after its own start a process may still come to look after all its triggers. */
const STARTING_FOR_MS = 60_000;
const STARTED_AT = Date.now();

/** What is known; undefined in a process that cannot know. */
export function findKnown(node: TriggerNode): Readonly<Knowledge> | undefined {
	const name = nameOf(node);
	const knowledge = known.get(name);
	if (knowledge?.until === undefined || Date.now() < knowledge.until) return knowledge;
	known.delete(name);
	return undefined;
}

/**
 * Notes the newest record, or with undefined that there is none any more: what came before it opens nothing.
 *
 * @param deletedForMs how long a deletion counts
 */
export function learnRecord(
	node: TriggerNode,
	record: WebhookRecord | undefined,
	deletedForMs = DELETED_FOR_MS,
): void {
	known.set(nameOf(node), record ? { record } : { until: Date.now() + deletedForMs });
	noteConfirmed(node);
	endFirstLook(node);
}

/** Notes that the gateway could not be asked at a start of n8n: the record that is held may be an older one. */
export function learnUnconfirmed(node: TriggerNode): void {
	noteUnconfirmed(node);
	endFirstLook(node);
}

/**
 * Forgets a webhook that another process looks after from now on, as when the leader changes. One that n8n has deleted
 * stays known as deleted.
 */
export function handOver(node: TriggerNode): void {
	const { record, until } = findKnown(node) ?? {};
	if (record || until === Infinity) known.delete(nameOf(node));
	noteConfirmed(node);
}

/** Resolves when this process knows the webhook, or will not learn of it in time. */
export async function awaitFirstLook(node: TriggerNode): Promise<void> {
	const name = nameOf(node);
	if (findKnown(node) || isUnconfirmed(node)) return;
	const look = firstLooks.get(name) ?? {
		until: Date.now() + FIRST_LOOK_WITHIN_MS,
		over: defer<void>(),
	};
	firstLooks.set(name, look);
	if (Date.now() < look.until) await waitUntil(look.until, look.over.promise);
}

function endFirstLook(node: TriggerNode): void {
	const name = nameOf(node);
	firstLooks.get(name)?.over.resolve();
	firstLooks.delete(name);
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

/** Whether a webhook is being looked for or made. */
export function isUnderway(node: TriggerNode): boolean {
	return underway.has(nameOf(node));
}

/**
 * Whether the right secret may be another one than is held: that of a webhook that is being made, or, until the first
 * look after it, that of one which n8n's static data has lost.
 *
 * @param verifies whether the delivery in question fits what is held
 */
export function isUndecided(node: TriggerNode, verifies: boolean): boolean {
	const isKnown = findKnown(node) !== undefined;
	if (isUnderway(node)) return !isKnown || !verifies;
	if (isKnown || Date.now() - STARTED_AT > STARTING_FOR_MS) return false;
	// A process that looks after other triggers will look after this one: one that does not must go by what is held.
	return wanted.size > 0 || !verifies;
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
