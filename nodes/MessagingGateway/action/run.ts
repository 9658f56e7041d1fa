import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { quote, toPlainText } from '../api/plainText';
import { resources } from '../operations';
import { effectOf } from '../operations/operation';
import { isToolCall, requireOutputForAgent } from '../operations/tool';
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
	const ledger = effectOf(chosen.operation) === 'read' || isTool ? undefined : openLedger(this);
	const outcomes: Outcomes = this.getInputData().map((_item, index) => ledger?.recall(index));
	const stop = new AbortController();
	const cancel = this.getExecutionCancelSignal();
	const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
	if (!goesOn && outcomes.some(isFailed)) stop.abort();

	const runItem = async (index: number, prepared: Prepared): Promise<void> => {
		if (signal.aborted) return;
		const outcome = await processItem(this, chosen, index, prepared, signal);
		if (outcome === undefined) return;
		outcomes[index] = outcome;
		ledger?.note(index, outcome);
		if (!goesOn && isFailed(outcome)) stop.abort();
	};
	const limit = openLimiter();
	const chains = new Map<string, Promise<void>>();
	for (const index of outcomes.keys()) {
		if (outcomes[index] !== undefined) continue;
		if (signal.aborted) break;
		const prepared = await prepareItem(this, chosen, index);
		const options = 'failure' in prepared ? {} : prepared.values.options;
		const concurrency = Number(options.concurrency ?? 1);
		const chain = chainOf(prepared, index);
		const before = chains.get(chain) ?? Promise.resolve();
		const work = async () => await runItem(index, prepared);
		const done = before.then(async () => await limit(concurrency, work));
		chains.set(chain, done);
		if (concurrency === 1) await done;
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

/** Makes a limiter: at most `max` works are under way, the others begin in their order. */
function openLimiter(): (max: number, work: () => Promise<void>) => Promise<void> {
	const waiting: Array<() => void> = [];
	let underWay = 0;
	return async (max, work) => {
		if (underWay >= max) await new Promise<void>((resolve) => waiting.push(resolve));
		else underWay++;
		await work();
		const next = waiting.shift();
		if (next) next();
		else underWay--;
	};
}
