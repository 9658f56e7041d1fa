import type { Logger } from 'n8n-workflow';
import type { Settlement } from '../../webhooks/settlement';
import { BeforeStart } from './beforeStart';
import { Conversations } from './conversations';
import { Duplicates } from './duplicates';
import { Gathering, type Rider } from './gathering';
import type { Identity } from './identity';
import { Retries } from './retries';
import { SmallerGroups } from './smallerGroups';
import { StatusOrder } from './statusOrder';

const MOST_TRIGGERS = 1_000;
const SAME_WARNING_EVERY_MS = 60_000;

/**
 * What this process remembers for one trigger node. Never in n8n's static data: that is written as a whole, last
 * writer wins, and would take a new secret back.
 */
export interface Memory {
	beforeStart: BeforeStart;
	duplicates: Duplicates;
	retries: Retries;
	statuses: StatusOrder;
	gathering: Gathering<Rider>;
	smallerGroups: SmallerGroups;
	conversations: Conversations<Said>;
	/** Logs a warning unless the same one was logged within the last minute. */
	warn(message: string): void;
}

/** What starts an execution: an event, or all that was said in a conversation. */
export interface Said {
	/** Of its events. */
	ids: string[];
	rider: Rider;
	/** Tells what became of it. Answers what that comes to for the delivery that starts the execution. */
	settle(settlement: Settlement): Settlement;
}

export interface MemoryKey extends Identity {
	/** Whether it is for deliveries to the editor's test URL, which must not touch production's. */
	test: boolean;
}

const memories = new Map<string, Memory>();

/** The memory of a trigger node; a new one if there is none. */
export function recall(key: MemoryKey, logger: Logger): Memory {
	const name = nameOf(key);
	const memory = memories.get(name) ?? createMemory(key, logger);
	// Set anew, it moves to the end: the first one is the one that was not used for the longest time.
	memories.delete(name);
	memories.set(name, memory);
	if (memories.size > MOST_TRIGGERS) forgetIdle(logger);
	return memory;
}

/** Forgets a trigger node, as when the editor begins to listen for a test event anew. */
export function forget(key: MemoryKey): void {
	memories.delete(nameOf(key));
}

function nameOf({ workflowId, nodeId, test }: MemoryKey): string {
	return `${test ? 'test' : 'production'}:${workflowId}:${nodeId}`;
}

function createMemory({ workflowId, nodeId }: MemoryKey, logger: Logger): Memory {
	const warned = new Map<string, number>();
	const warn = (message: string) => {
		const now = Date.now();
		if (now - (warned.get(message) ?? -Infinity) < SAME_WARNING_EVERY_MS) return;
		warned.set(message, now);
		logger.warn(`Messaging Gateway Trigger: ${message}`, { workflowId, nodeId });
	};
	return {
		beforeStart: new BeforeStart(),
		duplicates: new Duplicates((count) => {
			logger.warn(
				`Messaging Gateway Trigger: forgot ${count} event ids before their 24 hours, because more than 500,000 came in that time. A repeat of one of these events would run again.`,
				{ workflowId, nodeId },
			);
		}),
		retries: new Retries(),
		statuses: new StatusOrder(),
		gathering: new Gathering(),
		smallerGroups: new SmallerGroups(),
		conversations: new Conversations(),
		warn,
	};
}

function forgetIdle(logger: Logger): void {
	for (const [name, { duplicates, gathering }] of memories) {
		if (duplicates.busy || gathering.busy) continue;
		memories.delete(name);
		logger.warn(
			`Messaging Gateway Trigger: forgot the event ids of the trigger that was idle for the longest time, because more than ${MOST_TRIGGERS} are in use.`,
			{ trigger: name },
		);
		return;
	}
}
