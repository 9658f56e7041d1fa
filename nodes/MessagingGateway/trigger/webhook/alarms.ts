import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../../gateway/failure';
import { sharedMap } from '../../n8n/processState';
import { alarmIn, type Alarm } from '../../n8n/startExecution';

/** An alarm with its kind (`isAlarmDue`). */
export interface KnownAlarm extends Alarm {
	kind: string;
}

const HOUR_MS = 60 * 60_000;

/**
 * Whether a trigger is to raise an alarm: one of a kind in an hour. The caller raises it then.
 *
 * @param kind a trouble by its cause, e.g. `gateway 503`. Words would not do: they may hold the ID of
 *   a request, or minutes that grow.
 */
export function isAlarmDue(trigger: string, kind: string): boolean {
	const raisedAt = sharedMap<number>(`alarms 1 ${trigger}`);
	const now = Date.now();
	const last = raisedAt.get(kind) ?? -Infinity;
	if (now - last < HOUR_MS) return false;

	raisedAt.set(kind, now);
	return true;
}

/** Throws the alarm that has started this execution, if one has. */
export function throwAlarm(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const alarm = alarmIn(items);
	if (alarm === undefined) return;

	const { message, advice } = alarm;
	throw toNodeError(context.getNode(), { message, description: advice });
}
