import { changeData, type GatewayEvent } from '../../incoming/event';
import { evictOldest, sharedMap } from '../../n8n/processState';
import type { Decision } from '../../n8n/respond';

const STATUSES = ['SENT', 'DELIVERED', 'READ'];
const MAX_MESSAGES = 100_000;

/** 1 sent, as of `MESSAGE.SENT`; 2 delivered; 3 read (API document, "Message delivery status"). */
export function statusStepOf({ type, status = '' }: GatewayEvent): number | undefined {
	if (type === 'MESSAGE.SENT') return 1;
	const step = STATUSES.indexOf(status) + 1;
	return type === 'MESSAGE.STATUS_UPDATED' && step > 0 ? step : undefined;
}

/** Leaves in a status event the messages that it brings further; undefined if there is none. */
export function advance(trigger: string, event: GatewayEvent, decided: Promise<Decision>) {
	const step = statusStepOf(event);
	const { messageIds, instanceId: number = '' } = event;
	if (step === undefined || messageIds.length === 0) return event;

	const steps = sharedMap<number>(`reached statuses 1 ${trigger}`);
	// Two numbers of the account may see the same message.
	const advanced = messageIds
		.map((id) => ({ id, key: `${number} ${id}`, before: steps.get(`${number} ${id}`) ?? 0 }))
		.filter(({ before }) => before < step);
	if (advanced.length === 0) return undefined;
	for (const { key } of advanced) {
		steps.set(key, step);
		evictOldest(steps, MAX_MESSAGES);
	}
	const takeBack = (): void => {
		for (const { key, before } of advanced) if (steps.get(key) === step) steps.set(key, before);
	};
	void decided.then((decision) => decision === 'deferred' && takeBack());
	return changeData(event, { messageIds: advanced.map(({ id }) => id) });
}
