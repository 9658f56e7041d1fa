import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { isEphemeral, isToolCall, requireOutputForAgent } from '../agent';
import { quote, toPlainText } from '../api/plainText';
import { resources } from '../operations';
import { effectOf } from '../operations/operation';
import { chainOf, prepareItem, processItem, type Chosen, type Prepared } from './item';
import { isFailed, toError, toItems, type Outcomes } from './outcome';
import { openLedger } from './retryLedger';

/**
 * Processes every item of the node: one request each, its result linked to its item. The items are read in their order.
 * With *Concurrency*, several go out at once, but those of one chain one after the other.
 *
 * @throws {NodeApiError | NodeOperationError} if an item failed, unless the node goes on after that
 */
export async function run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	requireOutputForAgent(this);
	const chosen = chooseOperation(this);
	const isTool = isToolCall(this);
	// An agent that calls the node itself gets each failure as output, and n8n does not try again.
	const goesOn = this.continueOnFail() || isTool;
	const isOnce = effectOf(chosen.operation) === 'read' || isTool || isEphemeral(this);
	const ledger = isOnce ? undefined : openLedger(this);
	const outcomes: Outcomes = this.getInputData().map((_item, index) => ledger?.recall(index));
	const stop = new AbortController();
	const cancel = this.getExecutionCancelSignal();
	const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
	if (!goesOn && outcomes.some(isFailed)) stop.abort();

	const limiter = openLimiter();
	const runItem = async (index: number, prepared: Prepared, before?: Promise<void>) => {
		await before;
		await limiter.enter(concurrencyOf(prepared));
		if (!signal.aborted) {
			const outcome = await processItem(this, chosen, index, prepared, signal);
			outcomes[index] = outcome;
			if (outcome) ledger?.note(index, outcome);
			if (!goesOn && isFailed(outcome)) stop.abort();
		}
		limiter.leave();
	};
	const chains = new Map<string, Promise<void>>();
	for (const index of outcomes.keys()) {
		if (outcomes[index] !== undefined) continue;
		if (signal.aborted) break;
		const prepared = await prepareItem(this, chosen, index);
		const chain = chainOf(prepared, index);
		const done = runItem(index, prepared, chains.get(chain));
		chains.set(chain, done);
		if (concurrencyOf(prepared) === 1) await done;
	}
	await Promise.all(chains.values());

	if (!goesOn && outcomes.some(isFailed)) throw toError(this.getNode(), outcomes);
	const items = toItems(outcomes);
	const hints = outcomes.flatMap((each) => (each && 'result' in each && each.result.hint) || []);
	for (const hint of new Set(hints))
		this.addExecutionHints({ message: toPlainText(hint), location: 'outputPane' });
	// n8n tries again if the first item has this field.
	if (items[0]?.json.error === undefined) ledger?.forget();
	return [items];
}

function chooseOperation(context: IExecuteFunctions): Chosen {
	const wanted = context.getNodeParameter('resource', 0) as string;
	const operationWanted = context.getNodeParameter('operation', 0, '') as string;
	const resource = resources.find(({ value }) => value === wanted);
	const operation = resource?.operations.find(({ value }) => value === operationWanted);
	if (resource && operation) return { token: resource.token, operation };
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation ${quote(operationWanted)} of ${quote(wanted)}`,
		{ description: 'The resource API with the operation Request calls any path of the gateway.' },
	);
}

function concurrencyOf(prepared: Prepared): number {
	return 'failure' in prepared ? 1 : Number(prepared.values.options.concurrency ?? 1);
}

/** Lets at most `max` items be under way; the others enter in their order. */
function openLimiter() {
	const waiting: Array<() => void> = [];
	let underWay = 0;
	return {
		enter: async (max: number): Promise<void> => {
			if (underWay >= max) await new Promise<void>((resolve) => waiting.push(resolve));
			else underWay++;
		},
		leave: (): void => {
			const next = waiting.shift();
			if (next) next();
			else underWay--;
		},
	};
}
