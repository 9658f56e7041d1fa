import type { IExecuteFunctions } from 'n8n-workflow';
import { isFailed, type ItemResult } from './itemResult';

/** n8n saves the results of a run with the execution, so they are plain data. */
interface SavedRun {
	executionId: string;
	results: Record<number, ItemResult>;
}

/** The results of the items of a run, for the next try. */
export interface Ledger {
	/** The final result of an earlier try; undefined if the item may be processed. */
	recall(itemIndex: number): ItemResult | undefined;
	note(itemIndex: number, result: ItemResult): void;
	forget(): void;
}

/**
 * Opens the ledger for *Retry On Fail*: n8n repeats the whole node, and the gateway does not
 * deduplicate sends (API 5.2). Each round of a loop is a run of its own.
 */
export function openLedger(context: IExecuteFunctions): Ledger {
	const nodeContext = context.getContext('node') as { retryLedger?: Record<string, SavedRun> };
	nodeContext.retryLedger ??= {};
	const runs = nodeContext.retryLedger;

	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	const executionId = context.getExecutionId();
	const earlier = runs[runIndex];
	const run: SavedRun = { executionId, results: { ...earlier?.results } };
	runs[runIndex] = run;

	// A person's retry of the execution has another ID.
	const isRetriedByPerson = earlier !== undefined && earlier.executionId !== executionId;

	return {
		recall(itemIndex) {
			const result = run.results[itemIndex];
			if (result === undefined || !isFailed(result)) return result;
			const { outcome, retryable } = result.failure;
			const mayTryAgain = isRetriedByPerson || (outcome === 'rejected' && retryable);
			return mayTryAgain ? undefined : result;
		},
		note(itemIndex, result) {
			run.results[itemIndex] = result;
		},
		forget() {
			delete runs[runIndex];
		},
	};
}
