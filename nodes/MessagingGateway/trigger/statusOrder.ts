import type { IDataObject } from 'n8n-workflow';
import { dropOldest, sharedMap } from '../processState';
import { dataOf, messageIdsOf, textIn, type GatewayEvent } from '../webhooks/event';

const STEPS: Record<string, number> = { SENT: 1, DELIVERED: 2, READ: 3 };
const MAX_MESSAGES = 100_000;

/**
 * How far a status has come (API document, "Message delivery status"): 1 sent, 2 delivered, 3 read. A `MESSAGE.SENT` has the
 * first. Undefined for other events.
 */
export function statusStepOf(event: GatewayEvent): number | undefined {
	if (event.type === 'MESSAGE.SENT') return STEPS.SENT;
	if (event.type !== 'MESSAGE.STATUS_UPDATED') return undefined;
	const status = textIn(dataOf(event), 'status');
	return status !== undefined && Object.hasOwn(STEPS, status) ? STEPS[status] : undefined;
}

/** A status event with the messages alone whose status is new, and a function that forgets these statuses. */
interface Advance {
	event: GatewayEvent;
	takeBack(): void;
}

/** Remembers the status of each message of an event; undefined if every message has this status already, or a later one. */
export function advance(trigger: string, event: GatewayEvent): Advance | undefined {
	const step = statusStepOf(event);
	const messageIds = event.type === 'MESSAGE.SENT' ? sentIdOf(event) : messageIdsOf(event);
	if (step === undefined || messageIds.length === 0) return { event, takeBack: () => {} };

	const steps = sharedMap<number>(`reached statuses 1 ${trigger}`);
	// Two numbers of the account may see the same message.
	const messageKeyOf = (id: string): string => `${textIn(event, 'instanceId') ?? ''} ${id}`;
	const advanced = messageIds.filter((id) => (steps.get(messageKeyOf(id)) ?? 0) < step);
	const before = advanced.map(
		(id) => [messageKeyOf(id), steps.get(messageKeyOf(id)) ?? 0] as const,
	);
	for (const [message] of before) {
		steps.set(message, step);
		dropOldest(steps, MAX_MESSAGES);
	}
	const takeBack = (): void => {
		for (const [message, earlier] of before)
			if (steps.get(message) === step) steps.set(message, earlier);
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
