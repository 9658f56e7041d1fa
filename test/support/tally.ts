import type { RecordedDelivery, Simulator } from '../../lab/simulator';

/** What n8n says to everybody, with 200, between connecting to its database and having its tables ready. */
export const STARTING_UP = 'n8n is starting up. Please wait';

/** Whether n8n itself answered a delivery while it was starting, before there was any trigger. */
export function isStartingUp({ answer }: RecordedDelivery): boolean {
	return answer === STARTING_UP;
}

/** How often each of the events `event-0`, `event-1`, … was answered in its chat; those that were not are left out. */
export function countAnswers(gateway: Simulator, ids: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { text } of gateway.acceptedSends()) {
		const event = ids[Number(text.split('-').at(-1))];
		counts.set(event, (counts.get(event) ?? 0) + 1);
	}
	return counts;
}
