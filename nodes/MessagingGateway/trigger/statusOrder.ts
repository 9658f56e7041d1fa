import type { IDataObject } from 'n8n-workflow';
import { dropOldest, sharedMap } from '../processState';
import { dataOf, messageIdsOf, textIn, type GatewayEvent } from '../webhooks/event';

const RANKS: Record<string, number> = { SENT: 1, DELIVERED: 2, READ: 3 };
const MAX_MESSAGES = 100_000;

/** By trigger node, and there by message, the rank that it has reached. */
const reached = sharedMap<Map<string, number>>('reached statuses 1');

/**
 * How far a status has come (API document, "Message delivery status"): 1 sent, 2 delivered, 3 read. A `MESSAGE.SENT` has the
 * first. Undefined for other events.
 */
export function statusStepOf(event: GatewayEvent): number | undefined {
	if (event.type === 'MESSAGE.SENT') return RANKS.SENT;
	if (event.type !== 'MESSAGE.STATUS_UPDATED') return undefined;
	const status = textIn(dataOf(event), 'status');
	return status !== undefined && Object.hasOwn(RANKS, status) ? RANKS[status] : undefined;
}

/** A status event that goes on. */
interface Advance {
	/** Has only the messages whose status is new. */
	event: GatewayEvent;
	/** Forgets the new statuses, if no execution has started with them. */
	takeBack(): void;
}

/** Notes the status of each message of an event. Undefined if every message has this status already, or a later one. */
export function advance(trigger: string, event: GatewayEvent): Advance | undefined {
	const rank = statusStepOf(event);
	const messageIds = event.type === 'MESSAGE.SENT' ? sentIdOf(event) : messageIdsOf(event);
	if (rank === undefined || messageIds.length === 0) return { event, takeBack: () => {} };

	const ranks = reached.get(trigger) ?? new Map<string, number>();
	reached.set(trigger, ranks);
	// Two numbers of the account may see the same message.
	const keyOf = (id: string): string => `${textIn(event, 'instanceId') ?? ''} ${id}`;
	const advanced = messageIds.filter((id) => (ranks.get(keyOf(id)) ?? 0) < rank);
	const before = advanced.map((id): [string, number] => [keyOf(id), ranks.get(keyOf(id)) ?? 0]);
	for (const [key] of before) {
		ranks.set(key, rank);
		dropOldest(ranks, MAX_MESSAGES);
	}
	const takeBack = (): void => {
		for (const [key, earlier] of before) if (ranks.get(key) === rank) ranks.set(key, earlier);
	};
	if (event.type === 'MESSAGE.SENT') return { event, takeBack };
	if (advanced.length === 0) return undefined;
	const data: IDataObject = { ...dataOf(event), messageIds: advanced };
	return { event: { ...event, data }, takeBack };
}

function sentIdOf(event: GatewayEvent): string[] {
	const id = textIn(dataOf(event), 'messageId');
	return id === undefined ? [] : [id];
}
