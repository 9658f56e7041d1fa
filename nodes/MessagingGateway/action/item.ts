import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { gatewayOf, type Gateway, type GatewayRequest } from '../gateway/call';
import { readConnection } from '../gateway/connection';
import { GatewayError, tellOutcome, type Failure } from '../gateway/failure';
import { TOKENS, type TokenKind } from '../gateway/secrets';
import { isObject } from '../json';
import { effectOf, type Operation, type Result, type Values } from '../operations/operation';
import { phoneKeyOf } from '../phone';
import { pauseFor } from '../waits';
import type { ItemResult } from './itemResult';
import { withRateLimit } from './rateLimit';
import { buildRequest, readValues } from './values';

export interface PreparedItem {
	itemIndex: number;
	gateway: Gateway;
	values: Values;
	request: GatewayRequest;
}

/** The operation that the node runs, and the token of its resource. */
export interface Chosen {
	tokenKind: TokenKind;
	operation: Operation;
}

/** Reads the credential and the parameters of an item, once; a failure if the item cannot be sent. */
export async function prepareItem(
	context: IExecuteFunctions,
	{ tokenKind, operation }: Chosen,
	itemIndex: number,
): Promise<PreparedItem | { failure: Failure }> {
	try {
		const credential = await context.getCredentials(TOKENS[tokenKind].credential, itemIndex);
		const country = String(credential.defaultCountry ?? '');
		const values = readValues(context, operation, itemIndex, country);
		const { instanceId } = values.options as { instanceId?: string };
		const gateway = gatewayOf(context, readConnection(credential, tokenKind, instanceId));
		return {
			itemIndex,
			gateway,
			values,
			request: buildRequest(operation, values, gateway.overrides),
		};
	} catch (error) {
		const effect = effectOf(operation, context.getNode().parameters);
		return { failure: tellOutcome(readFailure(error), effect) };
	}
}

/** Items of one chain go out one after the other: those from one number to one recipient. */
export function chainOf({ itemIndex, gateway, request }: PreparedItem): string {
	const to = isObject(request.body) ? request.body.to : undefined;
	if (to === undefined && request.effect !== 'send') return `item ${itemIndex}`;
	return `${gateway.token} ${typeof to === 'string' ? phoneKeyOf(to) : JSON.stringify(to)}`;
}

/** Processes one item, and never throws; undefined if the item was not tried, because `signal` ended its wait. */
export async function processItem(
	context: IExecuteFunctions,
	{ operation: { perform } }: Chosen,
	{ itemIndex, gateway, values, request }: PreparedItem,
	signal: AbortSignal,
): Promise<ItemResult | undefined> {
	const { messagesPerMinute, timeout } = values.options as Record<string, number | undefined>;
	let hasActed = false;

	const wait = async (milliseconds: number): Promise<void> => {
		if (milliseconds > 0) await pauseFor(milliseconds, signal);
		signal.throwIfAborted();
	};
	const limited = withRateLimit(gateway, wait, messagesPerMinute);
	const call: Gateway['call'] = async (each) => {
		const response = await limited.call({ timeoutMs: timeout && timeout * 1000, ...each });
		hasActed ||= each.effect !== 'harmless';
		return response;
	};

	try {
		const item = { context, itemIndex, gateway: { ...gateway, call }, wait };
		// A retry finds the result in the execution's data: the rest of a response must not get there.
		const { items, file, hint }: Result = perform
			? await perform(item, values, request)
			: await call(request);
		return { result: { items, file, hint } };
	} catch (error) {
		if (signal.aborted && error === signal.reason) return undefined;
		return { failure: tellOutcome(readFailure(error, hasActed), request.effect) };
	}
}

function readFailure(error: unknown, hasActed = false): Failure {
	if (error instanceof GatewayError) return error.failure;
	const { message, description } = error as Partial<NodeOperationError>;
	const outcome = hasActed ? 'unknown' : 'rejected';
	return { message: message ?? '', description: description ?? '', outcome, retryable: false };
}
