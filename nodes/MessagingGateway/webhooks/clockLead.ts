import type { GatewayAnswer } from '../api/exchange';

/** As HTTP has it, e.g. `Sun, 22 Nov 2026 20:00:00 GMT`: from other texts, `Date.parse` guesses a time, or a zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * By how many seconds the gateway's clock is ahead of ours, as far as the `Date` header of an answer tells: negative where
 * it is behind, 0 for any time between the request and the answer, which a machine that slept may lie far apart.
 *
 * @param askedAt when the request went out, in milliseconds as of `Date.now`
 * @returns undefined if the answer has no such header, or an unreadable one
 */
export function measureClockLead(
	{ headers }: Pick<GatewayAnswer, 'headers'>,
	askedAt: number,
): number | undefined {
	const { date = '' } = headers;
	const said = HTTP_DATE.test(date) ? Date.parse(date) : NaN;
	if (Number.isNaN(said)) return undefined;
	const answeredAt = Date.now();
	const lead = said < askedAt ? said - askedAt : Math.max(0, said - answeredAt);
	return Math.round(lead / 1000);
}
