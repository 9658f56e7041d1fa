import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { quote, toPlainText } from '../api/plainText';
import { resources } from '../operations';
import { effectOf } from '../operations/operation';
import { isToolCall, requireOutputForAgent } from '../operations/tool';
import { laneOf, prepareItem, processItem, type Chosen, type PreparedItem } from './item';
import { runInLanes } from './lanes';
import { isFailed, toError, toItems, type Outcomes } from './outcome';
import { openLedger } from './retryLedger';

const MAX_CONCURRENCY = 50;

/**
 * Processes every item of the node: one request each, its result linked to its item.
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

	const open = [...outcomes.keys()].filter((index) => outcomes[index] === undefined);
	const readAhead = new Map<number, Promise<PreparedItem>>();
	await runInLanes(open, {
		concurrency: readConcurrency(this),
		laneOf: async (index) => {
			if (signal.aborted) return '';
			const reading = prepareItem(this, chosen, index);
			readAhead.set(index, reading);
			// An item that cannot be read says so in its turn.
			return await reading.then(
				(item) => laneOf(item, index),
				() => '',
			);
		},
		work: async (index) => {
			if (signal.aborted) return;
			const prepare = async () => await (readAhead.get(index) ?? prepareItem(this, chosen, index));
			const outcome = await processItem(this, chosen, index, prepare, signal);
			readAhead.delete(index);
			if (outcome === undefined) return;
			outcomes[index] = outcome;
			ledger?.note(index, outcome);
			if (!goesOn && isFailed(outcome)) stop.abort();
		},
	});

	if (!goesOn && outcomes.some(isFailed)) throw toError(this.getNode(), outcomes);
	const items = toItems(outcomes);
	const hints = new Set(
		outcomes.flatMap((each) => (each && 'result' in each && each.result.hint) || []),
	);
	this.addExecutionHints(
		...[...hints].map((hint) => ({ message: toPlainText(hint), location: 'outputPane' as const })),
	);
	// n8n tries again if the first item has this field.
	if (items[0]?.json.error === undefined) ledger?.forget();
	return [items];
}

function chooseOperation(context: IExecuteFunctions): Chosen {
	const wanted = context.getNodeParameter('resource', 0) as string;
	// n8n adds an entry "Custom API Call" to resources, which has no operation.
	const operationWanted = context.getNodeParameter('operation', 0, '') as string;
	const resource = resources.find(({ value }) => value === wanted);
	const operation = resource?.operations.find(({ value }) => value === operationWanted);
	if (resource !== undefined && operation !== undefined) return { resource, operation };
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation ${quote(operationWanted)} of ${quote(wanted)}`,
		{
			description:
				'Choose the resource API with the operation Request, which calls any path of the gateway. Or use n8n’s HTTP Request node with a Messaging Gateway credential.',
		},
	);
}

function readConcurrency(context: IExecuteFunctions): number {
	const options = context.getNode().parameters.options as { concurrency?: unknown } | undefined;
	if (options?.concurrency === undefined) return 1;
	try {
		const wanted = Number(context.getNodeParameter('options.concurrency', 0, 1));
		return Math.min(MAX_CONCURRENCY, Math.max(1, wanted || 1));
	} catch {
		// Each item reads its options too, and fails with the cause.
		return 1;
	}
}
