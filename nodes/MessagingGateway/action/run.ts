import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { quote } from '../api/plainText';
import { findOperation } from '../operations';
import type { Operation } from '../operations/operation';
import { ItemWorker } from './item';
import { canBeRepeated, isFailure, type ItemOutcome } from './itemOutcome';
import { runQueue } from './queue';
import { Stopped } from './rateLimiter';
import { gatherHints, toError, toItems } from './report';
import { RetryLedger } from './retryLedger';
import { isToolCall, refuseToBeSilenced } from './tool';

const MOST_AT_ONCE = 50;

/**
 * Works on every item of the node: one request each, its result linked to its item.
 *
 * @throws GatewayError if an item failed, unless the node goes on after that; also if it does, as long as n8n tries again
 */
export async function run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	refuseToBeSilenced(this);
	const operation = chooseOperation(this);
	const count = this.getInputData().length;
	if (count === 0) return [[]];

	const cancel = this.getExecutionCancelSignal();
	const stop = new AbortController();
	const ending = AbortSignal.any([stop.signal, ...(cancel ? [cancel] : [])]);
	const worker = new ItemWorker(this, operation, ending);
	const guarded = operation.effect === 'send' || operation.effect === 'change';
	const ledger = guarded ? new RetryLedger(this, operation) : undefined;
	const outcomes = Array.from({ length: count }, (_, index) => ledger?.recall(index));
	// AI Agent 2 drops what its tool throws, and its model would hear of nothing.
	const goesOn = this.continueOnFail() || isToolCall(this);
	const concurrency = readConcurrency(this);
	const mayHold = ledger?.hasTriesLeft === true;

	await runQueue({
		indexes: chooseIndexes(outcomes, ledger, goesOn),
		concurrency,
		queueOf:
			concurrency > 1 || mayHold ? async (index) => await worker.readQueue(index) : undefined,
		work: async (index) => {
			const outcome = await worker.settle(index);
			outcomes[index] = outcome;
			if (!goesOn && isFailure(outcome)) stop.abort(new Stopped());
			if (ending.aborted) return 'stopped';
			// The next try sends it again, and whatever is for the same recipient must come after it.
			return mayHold && canBeRepeated(outcome) ? 'held' : 'next';
		},
	});

	const first = outcomes.findIndex(isFailure);
	if (first >= 0 && (!goesOn || ledger?.isWorthAnotherTry(outcomes))) {
		ledger?.close(outcomes, undefined);
		throw toError(this.getNode(), outcomes);
	}
	const items = toItems(outcomes);
	this.addExecutionHints(...gatherHints(outcomes));
	ledger?.close(outcomes, items);
	return [items];
}

function chooseOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	// n8n's own entry "Custom API Call" may stand for a resource, which then has no operations.
	const operation = context.getNodeParameter('operation', 0, '') as string;
	const found = findOperation(resource, operation);
	if (found !== undefined) return found;
	throw new NodeOperationError(
		context.getNode(),
		operation === '__CUSTOM_API_CALL__' || resource === '__CUSTOM_API_CALL__'
			? 'This node does not make custom API calls'
			: `There is no operation ${quote(operation)} of ${quote(resource)}`,
		{
			description:
				'Choose the resource API with the operation Request, which calls any path of the gateway. Or use n8n’s HTTP Request node with a Messaging Gateway credential.',
		},
	);
}

function readConcurrency(context: IExecuteFunctions): number {
	try {
		const wanted = Number(context.getNodeParameter('options.concurrency', 0, 1));
		return Math.min(MOST_AT_ONCE, Math.max(1, wanted || 1));
	} catch {
		// Each item reads its options too, and fails with what is wrong: n8n would take what is thrown here for a success.
		return 1;
	}
}

/** Once an item has failed for good where the node is to stop, nothing new begins; what a try can save is saved. */
function chooseIndexes(
	outcomes: Array<ItemOutcome | undefined>,
	ledger: RetryLedger | undefined,
	goesOn: boolean,
): number[] {
	const open = [...outcomes.keys()].filter((index) => outcomes[index] === undefined);
	const stops = !goesOn && outcomes.some(isFailure);
	return stops ? open.filter((index) => ledger?.knows(index)) : open;
}
