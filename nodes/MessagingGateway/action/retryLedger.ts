import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import type { Operation } from '../operations/operation';
import { canBeRepeated, isFailure, type ItemOutcome } from './itemOutcome';
import { isToolCall } from './tool';

/** What is known after a try. Saved with the execution while it lasts, so it holds plain data only. */
interface Entry {
	executionId: string;
	/** How many tries n8n has made in this execution. */
	tries: number;
	/** By item index. */
	outcomes: Array<[number, ItemOutcome]>;
}

/** The place that one try finds again what the one before it has left. */
interface LedgerStore {
	read(): Entry | undefined;
	/** Undefined clears the place. */
	write(entry: Entry | undefined): void;
}

/** For good: what failed before an update is retried after it, and must find what was sent. */
const NAME = 'journal';

/** On the arguments of a call, where nobody else looks. */
const ENTRY = Symbol('retry ledger');

/**
 * Makes n8n's "Retry On Fail" safe. n8n repeats the whole node, and the service does not deduplicate sends
 * (API document, "Endpoint rules" 2), so what became of each item is kept from one try to the next: a try
 * works only on what was certainly not sent and can succeed now. A try after which n8n goes on leaves no
 * memory behind, so that a loop, or an agent, that sends the same again on purpose sends it again.
 */
export class RetryLedger {
	private readonly store: LedgerStore;

	private readonly executionId: string;

	/** How many tries n8n made before this one. */
	private readonly tries: number;

	private readonly maxTries: number;

	/** By item index. */
	private readonly earlier: Map<number, ItemOutcome>;

	constructor(functions: IExecuteFunctions, operation: Operation) {
		this.store = findLedgerStore(functions, operation);
		this.executionId = functions.getExecutionId();
		this.maxTries = countTries(functions.getNode());
		const { executionId, tries = 0, outcomes = [] } = this.store.read() ?? {};
		// What a person retries has an execution id of its own.
		this.tries = executionId === this.executionId ? tries : 0;
		this.earlier = new Map(outcomes);
	}

	/** What an earlier try settled about an item, or undefined if it may be worked on. */
	recall(index: number): ItemOutcome | undefined {
		const outcome = this.earlier.get(index);
		return canBeRepeated(outcome) ? undefined : outcome;
	}

	/** Whether an earlier try has worked on an item. */
	knows(index: number): boolean {
		return this.earlier.has(index);
	}

	/** Whether n8n will call the node once more if it throws. */
	get hasTriesLeft(): boolean {
		return this.tries + 1 < this.maxTries;
	}

	/** Whether n8n will call the node once more if it throws, and something could come of it. */
	isWorthAnotherTry(outcomes: Array<ItemOutcome | undefined>): boolean {
		return this.hasTriesLeft && outcomes.some(canBeRepeated);
	}

	/**
	 * Keeps what is settled for as long as somebody may come back to it.
	 *
	 * @param items what the node is about to put out; undefined if it is about to throw
	 */
	close(outcomes: Array<ItemOutcome | undefined>, items: INodeExecutionData[] | undefined): void {
		const comesAgain = this.hasTriesLeft && (items === undefined || looksFailed(items));
		if (!comesAgain && items !== undefined) return this.store.write(undefined);
		const kept: Array<[number, ItemOutcome]> = [];
		outcomes.forEach((outcome, index) => {
			// After the last try it is a person who may retry the execution: who has looked may send the rest again.
			if (outcome !== undefined && (comesAgain || !isFailure(outcome))) kept.push([index, outcome]);
		});
		this.store.write({ executionId: this.executionId, tries: this.tries + 1, outcomes: kept });
	}
}

/** How n8n tells that a node which did not throw has failed, whatever the operation meant by it. */
function looksFailed(items: INodeExecutionData[]): boolean {
	const { error } = items[0]?.json ?? {};
	return error !== undefined && error !== null && error !== false;
}

/** The same bounds as n8n's own. */
function countTries({ retryOnFail, maxTries }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
}

/**
 * Finds the place that all tries of one run of the node share, and nothing else does.
 *
 * A tool that an agent calls gets a new run index with each try, but the very same object of arguments; the
 * same call made twice brings two of them. Everything else keeps its run index from try to try, also when a
 * person retries a stopped execution, for which n8n saves the node context.
 */
function findLedgerStore(functions: IExecuteFunctions, operation: Operation): LedgerStore {
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
