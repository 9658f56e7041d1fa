import type { INode, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../../gateway/failure';

/** What a person must know, and what to do. */
export interface Alarm {
	message: string;
	advice: string;
}

/** Marks the item of an alarm. No delivery puts anything beside `json`, and a *Retry* keeps it. */
const ORIGIN = 'alarm';

/** The item that starts the execution of an alarm: n8n then reads the error workflow of today. */
export function alarmItem({ message, advice }: Alarm): INodeExecutionData {
	return { json: { message, advice }, origin: ORIGIN };
}

/** Throws the alarm that has started this execution, if one has. */
export function throwAlarm(node: INode, [item]: INodeExecutionData[]): void {
	if (item?.origin !== ORIGIN) return;
	const { message, advice } = item.json as unknown as Alarm;
	throw toNodeError(node, { message, description: advice });
}
