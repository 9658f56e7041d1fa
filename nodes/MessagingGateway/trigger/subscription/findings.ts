import type { ITriggerFunctions, NodeOperationError } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { isOutage, type Finding, type Findings, type Outage } from './conditions';
import { probe } from './probe';
import { check } from './reconcile';
import type { Subscription } from './subscription';

/** Checks the webhook, and then whether deliveries arrive; says what could not be repaired. */
export async function findTrouble(
	subscription: Subscription,
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<Findings> {
	try {
		const repaired = await check(subscription, context, signal);
		if (repaired !== undefined) context.logger.warn(`Messaging Gateway Trigger: ${repaired}`);
	} catch (error) {
		return { check: describeFailedCheck(error as NodeOperationError) };
	}
	return { check: 'well', ...(await findBrokenDelivery(subscription, context, signal)) };
}

function describeFailedCheck(error: NodeOperationError): Outage {
	const description = error.description ?? '';
	// Where n8n shows nothing but a message, ours holds the description too.
	const headline = error.message.replace(description, '').trim().replace(/\.$/, '');
	return {
		message: `The trigger cannot check its webhook: ${headline}`,
		advice:
			`${description} Until this is fixed, events may not arrive. The trigger checks again every few minutes.`.trim(),
		isPassing: failureOf(error)?.passing ?? false,
	};
}

/** Whether deliveries arrive, as far as the webhook is known for certain, and are taken by their time stamps. */
export async function findBrokenDelivery(
	subscription: Subscription,
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<Findings> {
	const arrival = await findBrokenWay(subscription, context, signal);
	// What keeps every delivery away is the reason to name, whatever their time stamps.
	if (isOutage(arrival)) return { arrival };
	return { arrival, clocks: subscription.clock.findOutage() ?? 'well' };
}

async function findBrokenWay(
	subscription: Subscription,
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<Finding> {
	const record = subscription.ownRecord;
	if (record === undefined || signal.aborted) return 'well';
	const result = await probe(context, record, signal);
	switch (result.kind) {
		case 'arrived':
			return 'well';
		case 'untold':
			return {
				untold: `the self-test did not arrive at ${record.url}: ${result.reason}. Many installations of n8n cannot reach their own address from inside. If events do not arrive either, check N8N_WEBHOOK_URL and the proxy.`,
			};
		case 'unknown here':
			return {
				message:
					'Events do not reach this trigger: n8n says that nothing is registered at its address',
				advice: `An n8n answers at ${record.url}, but not with this workflow. The address leads to another n8n, or its path is wrong. Check N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) and the proxy. If they are right, unpublish the workflow and publish it again.`,
				isPassing: true,
			};
		case 'other secret':
			return {
				message:
					'Events of the gateway are refused, because n8n has lost the secret of the webhook',
				advice: `The n8n at ${record.url} does not hold the secret of webhook ${record.webhookId}. Another trigger or an execution of this workflow has overwritten it with an older copy, or the address leads to another n8n, or its clock is wrong. Unpublish the workflow and publish it again.`,
				isPassing: false,
			};
		case 'altered':
			return {
				message: 'Events of the gateway are refused, because something on the way changes them',
				advice: `A delivery to ${record.url} does not arrive as it was sent, so its signature cannot fit. The proxy in front of n8n must pass POST bodies and the headers webhook-id, webhook-timestamp and webhook-signature unchanged.`,
				isPassing: false,
			};
	}
}
