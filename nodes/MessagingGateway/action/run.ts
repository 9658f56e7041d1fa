import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { quote, toPlainText } from '../gateway/failure';
import {
	isEphemeral,
	isReview,
	isToolCall,
	requireSafeTool,
	tellReviewedAgent,
} from '../n8n/agent';
import { resources } from '../operations';
import { effectOf } from '../operations/operation';
import { chainOf, prepareItem, processItem, type Chosen, type PreparedItem } from './item';
import { isFailed, toError, toItems, type ItemResult, type ItemResults } from './itemResult';
import { openLedger, type Ledger } from './retryLedger';

/** Executes the node. The agent of a review learns also why nobody could be asked. */
export async function run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await tellReviewedAgent(this, async () => await runItems.call(this));
}

/** Processes every item. Throws the error of a failed one, unless the node goes on after that. */
async function runItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	requireSafeTool(this);
	const chosen = chooseOperation(this);
	const isTool = isToolCall(this);
	// An agent that calls the node itself gets each failure as output, and n8n does not try again.
	const goesOn = (this.continueOnFail() && !isReview(this)) || isTool;
	const effect = effectOf(chosen.operation, this.getNode().parameters);
	const needsLedger = effect !== 'harmless' && !isTool && !isEphemeral(this);
	const ledger = needsLedger ? openLedger(this) : undefined;

	const results = await processItems(this, chosen, { ledger, goesOn });
	if (!goesOn && results.some(isFailed)) throw toError(this.getNode(), results);

	const items = toItems(
		results,
		(error, index) => chosen.operation.outputOfFailure?.(this, error, index) ?? { error },
	);
	showHints(this, results);

	// *Retry On Fail* looks at `error` of the first item alone: then the ledger is needed again.
	if (items[0]?.json.error === undefined) ledger?.forget();
	return [items];
}

interface Rules {
	/** Undefined if a repeated item does no harm, or n8n repeats none. */
	ledger?: Ledger;
	/** Whether the items after a failed one are processed too. */
	goesOn: boolean;
}

/**
 * Processes the items that no earlier try has decided, in their order. With *Concurrency*, several
 * go out at once, but those to one recipient one after another.
 */
async function processItems(
	context: IExecuteFunctions,
	chosen: Chosen,
	{ ledger, goesOn }: Rules,
): Promise<ItemResults> {
	const results: ItemResults = context.getInputData().map((_item, index) => ledger?.recall(index));

	const stop = new AbortController();
	const cancel = context.getExecutionCancelSignal();
	const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
	// If an item has failed for good in an earlier try, no further one goes out.
	if (!goesOn && results.some(isFailed)) stop.abort();

	const note = (index: number, result: ItemResult): void => {
		results[index] = result;
		ledger?.note(index, result);
		if (!goesOn && isFailed(result)) stop.abort();
	};

	const processAfter = async (
		item: PreparedItem,
		previous: Promise<void> | undefined,
	): Promise<void> => {
		await previous;
		if (signal.aborted) return;
		const result = await processItem(context, chosen, item, signal);
		if (result !== undefined) note(item.itemIndex, result);
	};

	/** By recipient: the last item that is under way. */
	const chains = new Map<string, Promise<void>>();
	const underWay = new Set<Promise<void>>();
	let concurrency: number | undefined;
	for (const index of results.keys()) {
		if (results[index] !== undefined) continue;

		// An item is read when it has a place: thousands of prepared items would fill the memory.
		while (underWay.size >= (concurrency ?? 1)) await Promise.race(underWay);
		if (signal.aborted) break;
		const item = await prepareItem(context, chosen, index);
		if ('failure' in item) {
			note(index, item);
			continue;
		}

		// The first item that can be read decides for all.
		concurrency ??= concurrencyOf(item);
		const chain = chainOf(item);
		const done = processAfter(item, chains.get(chain)).finally(() => {
			underWay.delete(done);
			if (chains.get(chain) === done) chains.delete(chain);
		});
		chains.set(chain, done);
		underWay.add(done);
	}
	await Promise.all(underWay);

	return results;
}

function concurrencyOf({ values }: PreparedItem): number {
	return Number(values.options.concurrency ?? 1);
}

/** Shows each hint of the results once, above the node's output. */
function showHints(context: IExecuteFunctions, results: ItemResults): void {
	const hints = new Set<string>();
	for (const result of results) {
		if (result === undefined || isFailed(result)) continue;
		const { hint } = result.result;
		if (hint !== undefined) hints.add(hint);
	}
	for (const hint of hints) {
		context.addExecutionHints({ message: toPlainText(hint), location: 'outputPane' });
	}
}

function chooseOperation(context: IExecuteFunctions): Chosen {
	const wanted = context.getNodeParameter('resource', 0) as string;
	const operationWanted = context.getNodeParameter('operation', 0, '') as string;
	const resource = resources.find(({ value }) => value === wanted);
	const operation = resource?.operations.find(({ value }) => value === operationWanted);
	if (resource && operation) return { tokenKind: resource.tokenKind ?? 'instance', operation };
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation ${quote(operationWanted)} of ${quote(wanted)}`,
		{ description: 'The resource API with the operation Request calls any path of the gateway.' },
	);
}
