import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readOutput } from './api/answer';
import { explainAnswer } from './api/explain';
import { failureOf, type GatewayError, markFailure } from './api/failure';
import { CREDENTIAL_TYPES, send } from './api/request';
import { findOperation } from './operations';
import type { Gateway, Operation, Result } from './operations/operation';
import { buildRequest, readValues } from './parameters';
import { keyOf } from './phone/normalize';
import { Journal } from './sending/journal';
import { isFailure, type ItemOutcome, noteFailure } from './sending/outcome';
import { Cancelled, Pace, readPerMinute, waitFor } from './sending/pace';
import { runQueue } from './sending/queue';
import { gatherHints, toError, toItems } from './sending/report';

/** Works on every item of the node: one request each, its result linked to its item. */
export async function run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = chooseOperation(this);
	const count = this.getInputData().length;
	if (count === 0) return [[]];

	const signal = this.getExecutionCancelSignal();
	const pace = new Pace(numberOf(this, operation), signal);
	const guarded = operation.effect === 'send' || operation.effect === 'change';
	const journal = guarded ? new Journal(this, operation) : undefined;
	const outcomes = Array.from({ length: count }, (_, index) => journal?.recall(index));
	const goesOn = this.continueOnFail();

	await runQueue({
		indexes: chooseIndexes(outcomes, journal, goesOn),
		concurrency: Math.min(50, Math.max(1, Number(this.getNodeParameter('options.concurrency', 0, 1)) || 1)),
		laneOf: (index) => readLane(this, operation, index),
		work: async (index) => {
			const outcome = await settleItem(this, operation, index, pace);
			outcomes[index] = outcome;
			return signal?.aborted !== true && (goesOn || !isFailure(outcome));
		},
	});

	const first = outcomes.findIndex(isFailure);
	if (first >= 0 && (!goesOn || journal?.isWorthAnotherTry(outcomes))) {
		journal?.close(outcomes, undefined);
		throw toError(this.getNode(), outcomes, first);
	}
	const items = toItems(outcomes);
	journal?.close(outcomes, items);
	this.addExecutionHints(...gatherHints(outcomes));
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
			? 'A custom API call is not made by this operation'
			: `There is no operation "${operation}" of "${resource}"`,
		{
			description:
				'Choose the resource API with the operation Request, which calls any path of the gateway, or use n8n’s HTTP Request node with a Messaging Gateway credential.',
		},
	);
}

/** The requests of one credential are the requests of one phone number, or of one account. */
function numberOf(context: IExecuteFunctions, { token }: Operation): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPES[token ?? 'instance']]?.id ?? '';
}

/** Once an item has failed for good where the node is to stop, nothing new begins; what a try can save is saved. */
function chooseIndexes(
	outcomes: Array<ItemOutcome | undefined>,
	journal: Journal | undefined,
	goesOn: boolean,
): number[] {
	const open = [...outcomes.keys()].filter((index) => outcomes[index] === undefined);
	const stops = !goesOn && outcomes.some(isFailure);
	return stops ? open.filter((index) => journal?.knows(index)) : open;
}

/** Items for one recipient share a lane; both spellings of a Brazilian mobile number are one recipient. */
function readLane(context: IExecuteFunctions, { fields }: Operation, index: number): string | undefined {
	if (!fields.some(({ name }) => name === 'to')) return undefined;
	try {
		return keyOf(context.getNodeParameter('to', index, '', { extractValue: true }));
	} catch {
		// What is wrong with the recipient is said when it is this item's turn.
		return undefined;
	}
}

/** What an item's requests have come to, should something be thrown that says nothing of it. */
interface Trace {
	hasActed: boolean;
}

/** The one place that catches. */
async function settleItem(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	pace: Pace,
): Promise<ItemOutcome> {
	const trace = { hasActed: false };
	try {
		return { result: await performItem(context, operation, itemIndex, pace, trace) };
	} catch (thrown) {
		const error = toNodeError(context, operation, itemIndex, thrown, trace);
		const retryAfterMs = failureOf(error)?.retryAfterMs;
		if (retryAfterMs !== undefined) pace.pause(retryAfterMs);
		return { failure: noteFailure(error) };
	}
}

async function performItem(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	pace: Pace,
	trace: Trace,
): Promise<Result> {
	const values = readValues(context, operation, itemIndex);
	const request = buildRequest(operation, values);
	const gateway: Gateway = {
		request: async (asked) => {
			if (context.getExecutionCancelSignal()?.aborted) throw new Cancelled();
			const answer = await send(context, asked, itemIndex);
			trace.hasActed ||= asked.effect !== 'read';
			if (answer.status >= 200 && answer.status < 300 && answer.text === undefined) return answer;
			throw explainAnswer(context.getNode(), asked, answer, { itemIndex, operation: operation.name });
		},
		succeed: async (asked) => {
			const answer = await gateway.request(asked);
			const items = readOutput(answer.body, operation.expects);
			if (items === undefined) {
				throw explainAnswer(context.getNode(), asked, answer, { itemIndex, operation: operation.name });
			}
			return { items: limitItems(items, operation, values), hint: chooseHint(operation, items) };
		},
		wait: async (milliseconds) => await waitFor(milliseconds, context.getExecutionCancelSignal()),
	};
	if (operation.effect !== 'none') await pace.next(readPerMinute(values.options));
	return operation.perform
		? await operation.perform(gateway, values, request)
		: await gateway.succeed(request);
}

/** The document shows `success` without saying what a `false` means: that is for the person to see. */
function chooseHint({ expects, hint }: Operation, [first]: IDataObject[]): string | undefined {
	if (expects === 'object' && first.success === false) return 'The gateway answered that this did not succeed.';
	return hint?.(first);
}

function limitItems(items: IDataObject[], { expects }: Operation, values: IDataObject): IDataObject[] {
	return expects !== 'list' || values.returnAll ? items : items.slice(0, Number(values.limit ?? 50));
}

/** Whatever is not an answer of the gateway, nor the loss of one, was not foreseen, or thrown before any request. */
function toNodeError(
	context: IExecuteFunctions,
	{ effect }: Operation,
	itemIndex: number,
	thrown: unknown,
	{ hasActed }: Trace,
): GatewayError {
	if (failureOf(thrown) !== undefined) return thrown as GatewayError;
	const error =
		thrown instanceof NodeOperationError
			? thrown
			: new NodeOperationError(context.getNode(), thrown as Error, { itemIndex });
	if (hasActed) {
		error.description = 'Outcome: unknown. The gateway may have done what was asked. Look before asking again.';
		return markFailure(error, { outcome: 'unknown', passing: false });
	}
	if (effect !== 'none' && !(thrown instanceof Cancelled)) error.description ??= 'Nothing was sent for this item.';
	return markFailure(error, { outcome: 'rejected', passing: false });
}
