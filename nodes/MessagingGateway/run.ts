import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readOutput } from './api/answer';
import { explainAnswer } from './api/explain';
import { failureOf, type GatewayError, markFailure } from './api/failure';
import { send } from './api/request';
import { findOperation } from './operations';
import type { Gateway, Operation, Result } from './operations/operation';
import { buildRequest, readValues } from './parameters';
import { keyOf } from './phone/normalize';
import { type ItemOutcome, Journal } from './sending/journal';
import { Cancelled, Pace, waitFor } from './sending/pace';
import { runQueue } from './sending/queue';

/** Works on every item of the node: one request each, its result linked to its item. */
export async function run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = chooseOperation(this);
	const count = this.getInputData().length;
	if (count === 0) return [[]];

	const options = this.getNodeParameter('options', 0, {}) as IDataObject;
	const signal = this.getExecutionCancelSignal();
	const pace = new Pace(Number(options.messagesPerMinute) || undefined, signal);
	const guarded = operation.effect === 'send' || operation.effect === 'change';
	const journal = guarded ? new Journal(this) : undefined;
	if (journal) pace.hold(journal.quietUntil - Date.now());
	const outcomes: Array<ItemOutcome | undefined> = new Array<undefined>(count);

	const notTried = await runQueue({
		count,
		concurrency: Math.min(50, Math.max(1, Number(options.concurrency) || 1)),
		laneOf: (index) => readLane(this, operation, index),
		work: async (index) => {
			outcomes[index] =
				journal?.recall(index) ?? (await settleItem(this, operation, index, pace));
			return this.continueOnFail() || 'result' in outcomes[index];
		},
	});

	const first = outcomes.find((outcome) => outcome !== undefined && 'error' in outcome);
	const stopping =
		first !== undefined && (!this.continueOnFail() || journal?.isWorthAnotherTry(outcomes) === true);
	journal?.close(outcomes, stopping, pace.quietUntil);
	if (stopping) throw tellProgress((first as { error: GatewayError }).error, outcomes, notTried);

	this.addExecutionHints(...gatherHints(outcomes));
	return [outcomes.flatMap((outcome, index) => (outcome ? toItems(outcome, index) : []))];
}

function chooseOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
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

/** Items for one recipient share a lane; both spellings of a Brazilian mobile number are one recipient. */
function readLane(context: IExecuteFunctions, { fields }: Operation, index: number): string | undefined {
	if (!fields.some(({ name }) => name === 'to')) return undefined;
	return keyOf(context.getNodeParameter('to', index, '', { extractValue: true }));
}

/** The one place that catches. */
async function settleItem(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	pace: Pace,
): Promise<ItemOutcome> {
	try {
		return { result: await performItem(context, operation, itemIndex, pace) };
	} catch (thrown) {
		const error = toNodeError(context, operation, itemIndex, thrown);
		const retryAfterMs = failureOf(error)?.retryAfterMs;
		if (retryAfterMs !== undefined) pace.hold(retryAfterMs);
		return { error };
	}
}

async function performItem(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	pace: Pace,
): Promise<Result> {
	const values = readValues(context, operation, itemIndex);
	const request = buildRequest(operation, values);
	const gateway: Gateway = {
		request: async (asked) => {
			const answer = await send(context, asked, itemIndex);
			if (answer.status >= 200 && answer.status < 300) return answer;
			throw explainAnswer(context.getNode(), asked, answer, { itemIndex, operation: operation.name });
		},
		succeed: async (asked) => {
			const answer = await gateway.request(asked);
			const items = readOutput(answer.body, operation.expects);
			if (items === undefined) {
				throw explainAnswer(context.getNode(), asked, answer, { itemIndex, operation: operation.name });
			}
			return { items: limitItems(items, operation, values), hint: operation.hint?.(items[0]) };
		},
		wait: async (milliseconds) => await waitFor(milliseconds, context.getExecutionCancelSignal()),
	};
	if (operation.effect !== 'none') await pace.next();
	return operation.perform
		? await operation.perform(gateway, values, request)
		: await gateway.succeed(request);
}

function limitItems(items: IDataObject[], { expects }: Operation, values: IDataObject): IDataObject[] {
	return expects !== 'list' || values.returnAll ? items : items.slice(0, Number(values.limit ?? 50));
}

/** Whatever is not an answer of the gateway was thrown before anything was sent. */
function toNodeError(
	context: IExecuteFunctions,
	{ effect }: Operation,
	itemIndex: number,
	thrown: unknown,
): GatewayError {
	if (failureOf(thrown) !== undefined) return thrown as GatewayError;
	const cancelled = thrown instanceof Cancelled;
	const error =
		thrown instanceof NodeOperationError
			? thrown
			: new NodeOperationError(context.getNode(), thrown as Error, {
					description: effect === 'none' || cancelled ? undefined : 'Nothing was sent for this item.',
					itemIndex,
				});
	return markFailure(error, { outcome: 'rejected', passing: false });
}

/** In a batch, the error of one item says what became of the others. */
function tellProgress(
	error: GatewayError,
	outcomes: Array<ItemOutcome | undefined>,
	notTried: number,
): GatewayError {
	if (outcomes.length === 1) return error;
	const done = outcomes.filter((outcome) => outcome !== undefined && 'result' in outcome).length;
	const stopped = outcomes.length - done - notTried;
	const progress = `Of ${outcomes.length} items, ${done} succeeded, ${stopped} did not (the first is item ${outcomes.findIndex((outcome) => outcome !== undefined && 'error' in outcome) + 1}), and ${notTried} were not tried.`;
	error.description = [error.description, progress].filter(Boolean).join(' ');
	return error;
}

function gatherHints(outcomes: Array<ItemOutcome | undefined>): NodeExecutionHint[] {
	const hints = outcomes.flatMap((outcome) =>
		outcome && 'result' in outcome && outcome.result.hint !== undefined ? [outcome.result.hint] : [],
	);
	return [...new Set(hints)].map((message) => ({ message, location: 'outputPane' }));
}

function toItems(outcome: ItemOutcome, item: number): INodeExecutionData[] {
	if ('result' in outcome) {
		return outcome.result.items.map((json) => ({ json, pairedItem: { item } }));
	}
	const { message, description, context } = outcome.error;
	// n8n replaces the whole json of an item with an `error` property by its message, and knows an item for
	// its error output by these keys as well.
	const details = {
		description: description ?? '',
		outcome: context.outcome as string,
		status: (outcome.error as { httpCode?: string }).httpCode ?? '',
		itemIndex: item,
	};
	return [{ json: { error: message, details }, pairedItem: { item } }];
}
