import type { INodeExecutionData, ITriggerFunctions, IWebhookResponseData } from 'n8n-workflow';

/** The reason for an execution that is to fail, and what a person can do about it. */
export interface Alarm {
	message: string;
	advice: string;
}

/** Marks the item of an alarm. No delivery puts anything beside `json`, and a *Retry* keeps it. */
const ORIGIN = 'alarm';

/**
 * Starts an execution that the trigger lets fail, so that n8n runs the error workflow.
 *
 * n8n has `saveFailedExecution` for this, but that knows the workflow as it was at the publication:
 * an error workflow that a person has chosen since does not run, the execution has no URL, and nobody
 * can retry it (`recordTriggerFailure` of n8n's `trigger-execution-context.factory.ts`). An execution
 * that starts with an item reads the settings of today. The node throws in its `execute` then.
 */
export function startAlarm(context: ITriggerFunctions, alarm: Alarm): void {
	context.emit([[itemOf(alarm)]]);
}

/** Starts such an execution with a delivery, whose sender must have its response already. */
export function startAlarmByDelivery(alarm: Alarm): IWebhookResponseData {
	return { workflowData: [[itemOf(alarm)]] };
}

/** The alarm that has started an execution, if one has. */
export function alarmIn([item]: INodeExecutionData[]): Alarm | undefined {
	if (item?.origin !== ORIGIN) return undefined;

	const { message, advice } = item.json;
	return { message: String(message), advice: String(advice) };
}

function itemOf({ message, advice }: Alarm): INodeExecutionData {
	return { json: { message, advice }, origin: ORIGIN };
}
