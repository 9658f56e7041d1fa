import type { IExecuteFunctions } from 'n8n-workflow';
import { isFailed, type ItemResult } from './itemResult';

/** n8n saves the results of a run with the execution, so they are plain data. */
interface SavedRun {
	executionId: string;
	/** By item index. */
	results: Record<number, ItemResult>;
}

/**
 * Opens the ledger that makes *Retry On Fail* safe: n8n repeats the whole node, and the service does not deduplicate sends
 * (API document, "Endpoint rules" 2). An accepted item gives its stored output. A failed one stays failed, unless it was
 * rejected and is retryable, or a person retries the execution, which gives it another ID.
 * A run without a failure is forgotten. Each round of a loop is an own run.
 */
export function openLedger(context: IExecuteFunctions) {
	const nodeContext = context.getContext('node') as { retryLedger?: Record<string, SavedRun> };
	const entries = (nodeContext.retryLedger ??= {});
	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	const executionId = context.getExecutionId();
	const earlier = entries[runIndex];
	const isRetriedByPerson = earlier !== undefined && earlier.executionId !== executionId;
	const entry: SavedRun = { executionId, results: { ...earlier?.results } };
	entries[runIndex] = entry;
	return {
		/** The result that an earlier try has settled; undefined if the item may be processed. */
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
