import type { IExecuteFunctions } from 'n8n-workflow';
import { isFailed, type ItemResult } from './itemResult';

/** n8n saves the results of a run with the execution, so they are plain data. */
interface SavedRun {
	executionId: string;
	results: Record<number, ItemResult>;
}

/**
 * Opens the ledger for *Retry On Fail*: n8n repeats the whole node, and the gateway does not
 * deduplicate sends (API document, "Endpoint rules" 2). Each round of a loop is a run of its own.
 */
export function openLedger(context: IExecuteFunctions) {
	const nodeContext = context.getContext('node') as { retryLedger?: Record<string, SavedRun> };
	const entries = (nodeContext.retryLedger ??= {});
	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	const executionId = context.getExecutionId();
	const earlier = entries[runIndex];
	// A person's retry of the execution has another ID.
	const isRetriedByPerson = earlier !== undefined && earlier.executionId !== executionId;
	const entry: SavedRun = { executionId, results: { ...earlier?.results } };
	entries[runIndex] = entry;
	return {
		/** The final result of an earlier try; undefined if the item may be processed. */
		recall: (itemIndex: number): ItemResult | undefined => {
			const result = entry.results[itemIndex];
			if (result === undefined || !isFailed(result)) return result;
			const { failure } = result;
			const mayTryAgain = failure.outcome === 'rejected' && failure.retryable;
			return mayTryAgain || isRetriedByPerson ? undefined : result;
		},
		note: (itemIndex: number, result: ItemResult): void => {
			entry.results[itemIndex] = result;
		},
		forget: (): void => {
			delete entries[runIndex];
		},
	};
}
