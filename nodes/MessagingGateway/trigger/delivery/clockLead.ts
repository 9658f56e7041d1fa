import type { IWebhookFunctions } from 'n8n-workflow';
import { readClockLead, writeClockLead } from '../record';

/** A lead is kept in steps of so many seconds, so that a clock that varies a little is noted once. */
const STEP = 10;

/**
 * Keeps by how much the gateway's clock is ahead of ours, where the replay guard of the next process finds it. Nothing
 * is taken whose stamp is further ahead than what is kept.
 *
 * @param sentAt the verified time stamp of the attempt, Unix seconds
 * @returns whether there was anything to keep: n8n saves it only with a delivery that starts nothing, so the gateway must
 * repeat this one
 */
export function keepClockLead(context: IWebhookFunctions, sentAt: number): boolean {
	const lead = sentAt - Math.floor(Date.now() / 1000);
	if (lead <= readClockLead(context)) return false;
	writeClockLead(context, Math.ceil(lead / STEP) * STEP);
	return true;
}
