import { readAnswerDate, type GatewayAnswer } from '../api/exchange';

/**
 * By how many seconds the gateway's clock is ahead of ours, as far as the `Date` header of an answer tells: negative where
 * it is behind, 0 for any time between the request and the answer, which a machine that slept may lie far apart.
 *
 * @param askedAt when the request went out, in milliseconds as of `Date.now`
 * @returns undefined if the answer has no such header, or an unreadable one
 */
export function measureClockLead(
	answer: Pick<GatewayAnswer, 'headers'>,
	askedAt: number,
): number | undefined {
	const said = readAnswerDate(answer);
	if (said === undefined) return undefined;
	const answeredAt = Date.now();
	const lead = said < askedAt ? said - askedAt : Math.max(0, said - answeredAt);
	return Math.round(lead / 1000);
}
