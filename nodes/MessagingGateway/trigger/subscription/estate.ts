// Types alone: the compiled file is empty.

import type { ITriggerFunctions, Logger } from 'n8n-workflow';
import type { Settlement } from '../../webhooks/http';
import type { BatchEntry } from '../memory/batcher';
import type { TalksBefore } from '../memory/conversations';
import type { ReceivedBefore } from '../memory/deduplicator';
import type { RetriedBefore } from '../memory/retries';
import type { WebhookRecord } from '../record';
import type { Standing } from './standing';

/** What a trigger's webhook should be like. */
export interface DesiredWebhook {
	url: string;
	/** Event types, sorted. */
	events: string[];
}

/** What starts an execution: an event, or all that was said in a conversation. */
export interface Said {
	/** Of its events. */
	ids: string[];
	entry: BatchEntry;
	/** Tells what became of it. Answers what that comes to for the delivery that starts the execution. */
	settle(settlement: Settlement): Settlement;
}

/** What this process knows a trigger node by. */
export interface SubscriptionKey {
	workflowId: string;
	nodeId: string;
	/** Whether it is for the editor's test URL, which must not touch production's. */
	test: boolean;
}

/** A trigger that n8n has switched on in this process. */
export interface SwitchedOn {
	context: ITriggerFunctions;
	/** Checks the webhook soon, without anybody waiting for it. */
	checkSoon(): void;
	/** Ends what it does by itself. What n8n still asks of it, the heir does. */
	end(): void;
	/** Names the one that goes on with it, in code that was loaded later. */
	passOn(heir: { close(): Promise<void> }): void;
}

/** What an older load of the package tells a newer one. Of another shape, only the first part is taken. */
export interface Estate {
	shape: number;
	key: SubscriptionKey;
	logger: Logger;
	desired?: DesiredWebhook;
	record?: WebhookRecord;
	received: ReceivedBefore;
	switchedOn?: SwitchedOn;
	/** What is being done about the webhook ends in the older code. */
	lastTurn: Promise<unknown>;

	standing: Standing;
	isChanging: boolean;
	url?: string;
	since: number;
	hasUnanswered: boolean;
	reached: Iterable<string>;
	retried: RetriedBefore;
	talks?: TalksBefore;
	/** Of an older load that does not tell, the trigger counts as published. */
	isUnpublished?: boolean;
}
