import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { rest } from '../../webhooks/patience';
import { findKnown, handOver, isUnderway } from '../memory/registrations';
import { isUnconfirmed, lookWhenAsked } from '../memory/unconfirmed';
import { isTest, readWebhookSetup } from '../settings';
import { findBrokenDelivery, findTrouble, isPassing, type Finding, type Outage } from './findings';
import { joinRelay, leaveRelay, lookAfterQuestions } from './relaying';

const MINUTE_MS = 60_000;
/** By then n8n has saved what the publication has registered. */
const PROVE_AFTER_MS = 5_000;
/** After a start at which the gateway could not be asked: it may be starting itself. */
const EARLY_LOOK_AFTER_MS = 12_000;
const FIRST_LOOK_AFTER_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 60 * MINUTE_MS;
const LOOK_DURING_OUTAGE_EVERY_MS = 5 * MINUTE_MS;
/** Many triggers that were started together must not look together for ever. */
const IRREGULARITY = 0.2;

/**
 * Looks after the webhook for as long as the workflow is published: soon, after some minutes, and then every hour. What
 * can be mended is mended. What cannot, becomes one failed execution, so that the error workflow of the person runs.
 */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this) || readWebhookSetup(this) === 'manual') return {};
	const closing = new AbortController();
	const { signal } = closing;
	let looking: Promise<Finding> | undefined;
	// Two looks at once could make two webhooks.
	const look = async (): Promise<Finding> => {
		looking ??= findTrouble(this, signal).finally(() => (looking = undefined));
		return await looking;
	};
	const tell = (error: Error): void => {
		// Nothing that goes wrong here may keep n8n from switching the trigger off.
		this.logger.error(`Messaging Gateway Trigger: ${error.message}`, { error });
	};
	const report = createReport(this, signal);
	const lookEarly = async (): Promise<void> => {
		const finding = await look();
		// What may be over a little later counts as an outage with the usual looks.
		if (!isPassing(finding)) report(finding);
	};
	lookWhenAsked(this, () => {
		if (!signal.aborted) void lookEarly().catch(tell);
	});
	void keepWatch(this, signal, { look, lookEarly, report }).catch(tell);
	return {
		closeFunction: async () => {
			closing.abort();
			// A webhook that is just being made has to be known before it can be deleted; nothing else is worth waiting for.
			if (isUnderway(this)) await looking?.catch(tell);
			handOver(this);
			leaveRelay(this);
		},
	};
}

interface Looks {
	look(): Promise<Finding>;
	lookEarly(): Promise<void>;
	report(finding: Finding): boolean;
}

async function keepWatch(
	context: ITriggerFunctions,
	signal: AbortSignal,
	{ look, lookEarly, report }: Looks,
): Promise<void> {
	await joinRelay(context, signal);
	if (await rest(varied(PROVE_AFTER_MS), signal)) {
		const finding = await findBrokenDelivery(context, signal);
		// Nobody has looked yet: of what an early look has found, this cannot tell whether it is over.
		if (finding !== 'well') report(finding);
		await lookAfterQuestions(context, signal, isProven(context, finding));
	}
	let pauseMs = EARLY_LOOK_AFTER_MS;
	for (; pauseMs < FIRST_LOOK_AFTER_MS && !isSettled(context); pauseMs *= 2) {
		if (await rest(varied(pauseMs), signal)) await lookEarly();
	}
	pauseMs = FIRST_LOOK_AFTER_MS;
	while (await rest(varied(pauseMs), signal)) {
		const finding = await look();
		const isOutage = report(finding);
		await lookAfterQuestions(context, signal, isProven(context, finding));
		pauseMs = isOutage ? LOOK_DURING_OUTAGE_EVERY_MS : LOOK_EVERY_MS;
	}
}

/** Whether this process knows the webhook for certain. */
function isSettled(context: ITriggerFunctions): boolean {
	return findKnown(context)?.record !== undefined && !isUnconfirmed(context);
}

/** Whether deliveries are known to arrive through the webhook. */
function isProven(context: ITriggerFunctions, finding: Finding): boolean {
	return finding === 'well' && isSettled(context);
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
	let lastTold = '';
	// Every delivery may bring a look, and each would find the same.
	const tell = (level: 'info' | 'warn', text: string): void => {
		if (text !== lastTold) context.logger[level](`Messaging Gateway Trigger: ${text}`);
		lastTold = text;
	};

	return (finding) => {
		// Found out about a trigger that is no longer published.
		if (signal.aborted) return false;
		if (finding === 'well') {
			if (isAlarmed) tell('info', 'the webhook is in order again.');
			[isAlarmed, isRepeated, lastTold] = [false, false, ''];
			return false;
		}
		if ('untold' in finding) {
			// What nobody can tell is neither an outage nor the end of one.
			tell('info', finding.untold);
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
