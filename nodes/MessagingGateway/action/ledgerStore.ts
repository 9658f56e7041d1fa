import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../operations/operation';
import type { ItemOutcome } from './itemOutcome';
import { isToolCall } from './tool';

/** What is known after a try. Saved with the execution while it lasts, so it holds plain data only. */
export interface Entry {
	executionId: string;
	/** How many tries n8n has made in this execution. */
	tries: number;
	/** By item index. */
	outcomes: Array<[number, ItemOutcome]>;
}

/** The place that one try finds again what the one before it has left. */
export interface LedgerStore {
	read(): Entry | undefined;
	/** Undefined clears the place. */
	write(entry: Entry | undefined): void;
}

/** For good: what failed before an update is retried after it, and must find what was sent. */
const NAME = 'journal';

/** On the arguments of a call, where nobody else looks. */
const ENTRY = Symbol('retry ledger');

/**
 * Finds the place that all tries of one run of the node share, and nothing else does.
 *
 * A tool that an agent calls gets a new run index with each try, but the very same object of arguments; the
 * same call made twice brings two of them. Everything else keeps its run index from try to try, also when a
 * person retries a stopped execution, for which n8n saves the node context.
 */
export function findLedgerStore(functions: IExecuteFunctions, operation: Operation): LedgerStore {
	if (isToolCall(functions)) return openToolCall(functions.getInputData()[0].json);
	const runIndex = String(functions.getWorkflowDataProxy(0).$runIndex);
	return openNodeContext(functions, `${runIndex} ${operation.request ?? operation.value}`);
}

function openToolCall(args: { [ENTRY]?: Entry }): LedgerStore {
	return {
		read: () => args[ENTRY],
		write: (entry) => void (args[ENTRY] = entry),
	};
}

function openNodeContext(functions: IExecuteFunctions, key: string): LedgerStore {
	const context = functions.getContext('node');
	const readAll = () => (context[NAME] ?? {}) as Record<string, Entry>;
	return {
		read: () => readAll()[key],
		write(entry) {
			const entries = { ...readAll() };
			delete entries[key];
			if (entry) entries[key] = entry;
			if (Object.keys(entries).length > 0) context[NAME] = entries;
			else delete context[NAME];
		},
	};
}
