import { changeData, type GatewayEvent } from '../../incoming/event';
import { evictOldest, sharedMap } from '../../n8n/processState';
import type { Decision } from '../../n8n/respond';

const STATUSES = ['SENT', 'DELIVERED', 'READ'];
const MAX_MESSAGES = 100_000;

/** A message of an event, with its place in the memory of steps. */
interface Progress {
	id: string;
	key: string;
	/** The step that was known before the event; 0 if none was. */
	before: number;
}

/**
 * 1 sent, 2 delivered, 3 read (API 10.1). `MESSAGE.SENT` is the first
 * status of its message. Undefined for any other event, and for a status beyond these.
 */
export function statusStepOf({
	type,
	status = '',
	reachedStep = 1,
}: GatewayEvent): number | undefined {
	if (type === 'MESSAGE.SENT') return reachedStep;
	if (type !== 'MESSAGE.STATUS_UPDATED') return undefined;

	const step = STATUSES.indexOf(status) + 1;
	return step === 0 ? undefined : step;
}

/**
 * Leaves in a status event the messages that it brings further; undefined if there is none.
 *
 * `MESSAGE.SENT` always stays, because it alone tells the chat. If it comes late, it has the step
 * that its message has reached.
 */
export function advance(
	trigger: string,
	event: GatewayEvent,
	decided: Promise<Decision>,
): GatewayEvent | undefined {
	const step = statusStepOf(event);
	const ids = event.type === 'MESSAGE.SENT' ? [event.messageId ?? []].flat() : event.messageIds;
	if (step === undefined || ids.length === 0) return event;

	const steps = sharedMap<number>(`reached statuses 1 ${trigger}`);
	const messages = ids.map((id) => progressOf(steps, event, id));
	const advanced = messages.filter(({ before }) => before < step);
	for (const { key } of advanced) {
		steps.set(key, step);
		evictOldest(steps, MAX_MESSAGES);
	}

	// If n8n refuses the start, the gateway sends the event again, and it must not be outdated then.
	void decided.then((decision) => {
		if (decision === 'deferred') takeBack(steps, advanced, step);
	});

	if (event.type === 'MESSAGE.SENT') {
		return { ...event, reachedStep: Math.max(step, messages[0].before) };
	}
	if (advanced.length === 0) return undefined;
	return changeData(event, { messageIds: advanced.map(({ id }) => id) });
}

/** Two numbers of the account may see the same message. */
function progressOf(
	steps: Map<string, number>,
	{ instanceId = '' }: GatewayEvent,
	id: string,
): Progress {
	const key = `${instanceId} ${id}`;
	return { id, key, before: steps.get(key) ?? 0 };
}

/** A later event may have brought a message further since: that stays. */
function takeBack(steps: Map<string, number>, advanced: Progress[], step: number): void {
	for (const { key, before } of advanced) {
		if (steps.get(key) === step) steps.set(key, before);
	}
}
