import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { sweepQuestions } from '../../question/sweep';
import { rest } from '../../webhooks/patience';
import { findKnown, findWanted, handOver, isUnderway } from '../memory/registrations';
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

type Finding = 'well' | Outage | { untold: string };

/**
 * Looks after the webhook for as long as the workflow is published: soon, after some minutes, and then every hour. What
 * can be mended is mended. What cannot, becomes one failed execution, so that the error workflow of the person runs.
 */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this) || readRegistration(this) === 'manual') return {};
	const closing = new AbortController();
	const watching = keepWatch(this, closing.signal).catch((error: Error) => {
		// Nothing that goes wrong here may keep n8n from switching the trigger off.
		this.logger.error(`Messaging Gateway Trigger: ${error.message}`, { error });
	});
	return {
		closeFunction: async () => {
			closing.abort();
			// A webhook that is just being made has to be known before it can be deleted; nothing else is worth waiting for.
			if (isUnderway(this)) await watching;
			handOver(this);
		},
	};
}

async function keepWatch(context: ITriggerFunctions, signal: AbortSignal): Promise<void> {
	const report = createReport(context, signal);
	if (await rest(varied(PROVE_AFTER_MS), signal)) {
		report(await findBrokenDelivery(context, signal));
		await removeOldQuestions(context);
	}
	let pauseMs = FIRST_LOOK_AFTER_MS;
	while (await rest(varied(pauseMs), signal)) {
		const isOutage = report(await findTrouble(context, signal));
		if (!isOutage) await removeOldQuestions(context);
		pauseMs = isOutage ? LOOK_DURING_OUTAGE_EVERY_MS : LOOK_EVERY_MS;
	}
}

/** What questions of the action node have left at the gateway. Where it fails, the next look does it. */
async function removeOldQuestions(context: ITriggerFunctions): Promise<void> {
	const url = findWanted(context)?.url;
	if (url !== undefined) await sweepQuestions(context, url).catch(() => {});
}

/** Looks after the webhook, and then whether deliveries arrive; says what could not be mended. */
async function findTrouble(context: ITriggerFunctions, signal: AbortSignal): Promise<Finding> {
	try {
		const mended = await lookAfterWebhook(context, signal);
		if (mended !== undefined) context.logger.warn(`Messaging Gateway Trigger: ${mended}`);
	} catch (error) {
		return describeFailedLook(error as NodeOperationError);
	}
	return await findBrokenDelivery(context, signal);
}

function describeFailedLook(error: NodeOperationError): Outage {
	const description = error.description ?? '';
	// Where n8n shows nothing but a message, ours holds the description too.
	const headline = error.message.replace(description, '').trim().replace(/\.$/, '');
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
): Promise<Finding> {
	const record = findKnown(context)?.record;
	if (record === undefined || signal.aborted) return 'well';
	const proof = await proveDelivery(context, record, signal);
	switch (proof.kind) {
		case 'arrived':
			return 'well';
		case 'untold':
			return {
				untold: `this n8n cannot tell whether deliveries reach ${record.url}, since the delivery to itself did not arrive: ${proof.reason}. Many n8n do not reach their own address from inside; if events do not arrive either, check N8N_WEBHOOK_URL and the proxy.`,
			};
		case 'unknown here':
			return {
				message:
					'Events of the gateway find no trigger: n8n says that nothing is registered at its address',
				advice: `An n8n answers at ${record.url}, but not with this workflow. Either the address leads to another n8n, or its path is wrong: whoever runs n8n checks N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) and the proxy. Otherwise unpublish the workflow and publish it again.`,
				isPassing: true,
			};
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

/**
 * Tells of a finding what is new: an outage in the log, and once as an alarm; what may pass by itself gets a second
 * chance first. Answers whether it is an outage.
 */
function createReport(
	context: ITriggerFunctions,
	signal: AbortSignal,
): (finding: Finding) => boolean {
	let isAlarmed = false;
	let isRepeated = false;
	let lastUntold = '';
	const tell = (level: 'info' | 'warn', text: string): void =>
		context.logger[level](`Messaging Gateway Trigger: ${text}`);

	return (finding) => {
		// Found out about a trigger that is no longer published.
		if (signal.aborted) return false;
		if (finding === 'well') {
			if (isAlarmed) tell('info', 'the webhook is in order again.');
			[isAlarmed, isRepeated, lastUntold] = [false, false, ''];
			return false;
		}
		if ('untold' in finding) {
			// What nobody can tell is neither an outage nor the end of one.
			if (finding.untold !== lastUntold) tell('info', finding.untold);
			lastUntold = finding.untold;
			return isAlarmed;
		}
		tell('warn', `${finding.message}. ${finding.advice}`);
		if (!isAlarmed && (isRepeated || !finding.isPassing)) {
			isAlarmed = true;
			raiseAlarm(context, finding);
		}
		isRepeated = true;
		return true;
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
