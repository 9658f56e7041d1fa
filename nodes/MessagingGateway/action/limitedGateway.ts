import { isSuccess, type GatewayAnswer, type GatewayRequest } from '../api/exchange';
import { explainAnswer } from '../api/explain';
import { failureOf, type GatewayError } from '../api/failure';
import { callGateway, cancelSignalOf, type GatewayContext, type ItemAccess } from '../api/request';
import { StreamedBody } from '../api/streamedBody';
import type { Trace } from './itemOutcome';
import { Cancelled, type RateLimiter } from './rateLimiter';

/** For what, and how, requests are made. */
interface LimitedOptions {
	item: ItemAccess;
	limiter: RateLimiter;
	/** As a person sees its name. */
	operation: string;
	/** How many messages may go out in a minute; undefined for as many as there are. */
	perMinute?: number;
	timeoutMs?: number;
	/** Notes what has been acted on. */
	trace?: Trace;
}

/**
 * Requests with one token, none of them before the gateway wants it: the one way in which an item's requests go out, and
 * whatever is sent on its behalf later.
 */
export function openLimited(
	context: GatewayContext,
	{ item, limiter, operation, perMinute, timeoutMs, trace = {} }: LimitedOptions,
) {
	/** Says what is wrong with an answer, and keeps the pause that it asks for. */
	const explainRefusal = (request: GatewayRequest, answer: GatewayAnswer): GatewayError => {
		const error = explainAnswer(context.getNode(), request, answer, {
			itemIndex: item.itemIndex,
			operation,
		});
		limiter.pause(failureOf(error)?.retryAfterMs ?? 0);
		return error;
	};
	/** @throws GatewayError in words for a person, unless the gateway has taken the request */
	const callLimited = async (wanted: GatewayRequest): Promise<GatewayAnswer> => {
		if (cancelSignalOf(context)?.aborted) throw new Cancelled();
		// The pace counts at the moment at which a message goes out, whatever comes before it.
		if (wanted.effect === 'send') await limiter.next(perMinute);
		else if (limiter.isPaused) {
			if (wanted.effect === 'courtesy') throw new Error('The gateway asked for a pause');
			await limiter.next(undefined);
		}
		const request = { ...wanted, timeoutMs, isForItem: true };
		request.begins?.();
		const answer = await callGateway(context, request, item).finally(() => {
			if (request.body instanceof StreamedBody) request.body.close();
		});
		if (request.effect === 'send' || request.effect === 'change') trace.acted = request.effect;
		if (isSuccess(answer) && answer.flaw === undefined) return answer;
		throw explainRefusal(request, answer);
	};
	return { call: callLimited, refuse: explainRefusal };
}

/**
 * Sends once more what the gateway has certainly not taken, where it only wanted a pause: another request may have had the
 * turn.
 *
 * @param send makes the request, after the pause
 */
export async function sendInTurn<T>(send: () => Promise<T>): Promise<T> {
	const first = send();
	const failure = await first.then(() => undefined, failureOf);
	const isRefusedForNow =
		failure?.outcome === 'rejected' && failure.passing && failure.retryAfterMs !== undefined;
	if (!isRefusedForNow) return await first;
	// What keeps it from being asked for once more says nothing of the message.
	return await send().catch(
		async (again: unknown) => await (failureOf(again) ? Promise.reject(again) : first),
	);
}
