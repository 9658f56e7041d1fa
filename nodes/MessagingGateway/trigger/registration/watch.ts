import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { findKnown, handOver } from '../memory/registrations';
import { rest } from '../patience';
import { isTest, readRegistration } from '../settings';
import { proveDelivery } from './prove';
import { lookAfterWebhook } from './upkeep';

const MINUTE_MS = 60_000;
/** By then n8n has saved what the publication has registered. */
const PROVE_AFTER_MS = 5_000;
const FIRST_LOOK_AFTER_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 60 * MINUTE_MS;
const LOOK_DURING_OUTAGE_EVERY_MS = 5 * MINUTE_MS;
/** Many triggers that were started together must not look together for ever. */
const IRREGULARITY = 0.2;

/** Why nothing would arrive, in a person's words. */
interface Outage {
	message: string;
	advice: string;
	/** Whether it may be over a little later by itself. */
	isPassing: boolean;
}

/**
 * Looks after the webhook for as long as the workflow is published: soon, after some minutes, and then every hour. What
 * can be mended is mended. What cannot, becomes one failed execution, so that the error workflow of the person runs.
 */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this) || readRegistration(this) === 'manual') return {};
	const closing = new AbortController();
	const watching = keepWatch(this, closing.signal);
	return {
		closeFunction: async () => {
			closing.abort();
			await watching;
			handOver(this);
		},
	};
}

async function keepWatch(context: ITriggerFunctions, signal: AbortSignal): Promise<void> {
	const report = createReport(context);
	if (await rest(varied(PROVE_AFTER_MS), signal)) report(await findOutage(context, signal, false));
	let pauseMs = FIRST_LOOK_AFTER_MS;
	while (await rest(varied(pauseMs), signal)) {
		const outage = await findOutage(context, signal, true);
		if (!signal.aborted) report(outage);
		pauseMs = outage ? LOOK_DURING_OUTAGE_EVERY_MS : LOOK_EVERY_MS;
	}
}

/** @returns why nothing would arrive, after everything that could be mended was; undefined if all is well */
async function findOutage(
	context: ITriggerFunctions,
	signal: AbortSignal,
	looks: boolean,
): Promise<Outage | undefined> {
	try {
		const mended = looks ? await lookAfterWebhook(context, signal) : undefined;
		if (mended !== undefined) context.logger.warn(`Messaging Gateway Trigger: ${mended}`);
	} catch (error) {
		return describeFailedLook(error as NodeOperationError);
	}
	return await findBrokenDelivery(context, signal);
}

function describeFailedLook(error: NodeOperationError): Outage {
	const description = error.description ?? '';
	// Where n8n shows nothing but a message, ours holds the description too.
	const headline = error.message.replace(description, '').replace(/[.\s]+$/, '');
	return {
		message: `The webhook of this trigger cannot be looked after: ${headline}`,
		advice:
			`${description} Until that is mended, events may not arrive. n8n looks again every few minutes.`.trim(),
		isPassing: failureOf(error)?.passing ?? false,
	};
}

async function findBrokenDelivery(
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<Outage | undefined> {
	const record = findKnown(context)?.record;
	if (record === undefined || signal.aborted) return undefined;
	const proof = await proveDelivery(context, record, signal);
	switch (proof.kind) {
		case 'arrived':
			return undefined;
		case 'untold':
			context.logger.info(
				`Messaging Gateway Trigger: this n8n cannot tell whether deliveries reach ${record.url}, since it does not reach that address itself: ${proof.reason}. That is common, and no fault.`,
			);
			return undefined;
		case 'unheld':
			return {
				message:
					'Events of the gateway are refused, because n8n has lost the secret of the webhook',
				advice: `Whoever receives deliveries at ${record.url} does not hold the secret of webhook ${record.webhookId}: another trigger or an execution of this workflow has overwritten it with an older copy, or the address leads to another n8n, or its clock is wrong. Unpublish the workflow and publish it again.`,
				isPassing: false,
			};
		case 'altered':
			return {
				message: 'Events of the gateway are refused, because something on the way changes them',
				advice: `A delivery to ${record.url} does not arrive as it was sent, so its signature cannot fit. Whoever runs the proxy in front of n8n lets it pass POST bodies and the headers webhook-id, webhook-timestamp and webhook-signature through unchanged.`,
				isPassing: false,
			};
	}
}

/** Raises the alarm once per outage; what may pass by itself gets a second chance first. */
function createReport(context: ITriggerFunctions): (outage: Outage | undefined) => void {
	let isAlarmed = false;
	let hadPassing = false;
	return (outage) => {
		if (outage === undefined) {
			if (isAlarmed) context.logger.info('Messaging Gateway Trigger: events can arrive again.');
			isAlarmed = false;
			hadPassing = false;
			return;
		}
		const { message, advice, isPassing } = outage;
		context.logger.warn(`Messaging Gateway Trigger: ${message}. ${advice}`);
		const waits = isPassing && !hadPassing;
		hadPassing = true;
		if (waits || isAlarmed) return;
		isAlarmed = true;
		raiseAlarm(context, outage);
	};
}

function raiseAlarm(context: ITriggerFunctions, { message, advice }: Outage): void {
	const error = new NodeOperationError(context.getNode(), message, { description: advice });
	// Older versions of n8n have no such thing: there it is in the log alone.
	const { saveFailedExecution } = context as Partial<ITriggerFunctions>;
	saveFailedExecution?.call(context, error);
}

function varied(milliseconds: number): number {
	return Math.round(milliseconds * (1 + (Math.random() - 0.5) * IRREGULARITY));
}
