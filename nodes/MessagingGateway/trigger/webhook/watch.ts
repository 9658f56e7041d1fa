import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { GatewayError } from '../../gateway/failure';
import { startAlarm } from '../../n8n/startExecution';
import { pauseFor, serialize } from '../../n8n/waits';
import { isManualSetup, isTest } from '../settings/settings';
import { isAlarmDue, type KnownAlarm } from './alarms';
import { deliverToSelf } from './deliverToSelf';
import { ensure } from './ensure';
import { switchOff, triggerKeyOf, webhookStateOf, type WebhookState } from './state';

const MINUTE_MS = 60_000;
const FIRST_CHECK_AFTER_MS = MINUTE_MS / 2;
/** Added to each pause at random, so that the triggers of an account do not check at one second. */
const SPREAD_MS = MINUTE_MS;
const CHECK_EVERY_MS = 60 * MINUTE_MS;
const AFTER_TROUBLE_MS = 5 * MINUTE_MS;
/** At 300 seconds every delivery is refused. */
const MAX_LEAD_SECONDS = 180;

/** The result of a check. */
interface Finding {
	/** A doubt may pass by itself: its alarm is raised by the second doubt in a row. */
	certainty: 'well' | 'doubtful' | 'certain';
	alarm?: KnownAlarm;
	pauseMs: number;
}

/** Checks a published webhook. Without this function, n8n calls no hooks at a start. */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this) || isManualSetup(this)) return {};

	const state = webhookStateOf(this);
	const closing = new AbortController();
	// After a publication that failed, n8n may begin a second time without closing the first.
	state.closing?.abort();
	state.closing = closing;
	void repeatCheck(this, state, closing.signal);

	return {
		closeFunction: async () => {
			closing.abort();
			if (state.closing === closing) switchOff(state);
			return await Promise.resolve();
		},
	};
}

async function repeatCheck(context: ITriggerFunctions, state: WebhookState, signal: AbortSignal) {
	const trigger = triggerKeyOf(context);
	let pauseMs = FIRST_CHECK_AFTER_MS;
	let doubts = 0;

	while (await pauseFor(pauseMs + Math.random() * SPREAD_MS, signal)) {
		const finding = await check(context, state, signal).catch(explainFailure);
		if (signal.aborted) return;

		const { certainty, alarm } = finding;
		pauseMs = finding.pauseMs;
		doubts = certainty === 'doubtful' ? doubts + 1 : 0;
		const isSure = certainty === 'certain' || doubts >= 2;
		if (alarm !== undefined && isSure) raise(context, trigger, alarm);
	}
}

function raise(context: ITriggerFunctions, trigger: string, alarm: KnownAlarm): void {
	if (!isAlarmDue(trigger, alarm.kind)) return;

	context.logger.error(`Messaging Gateway Trigger: ${alarm.message}. ${alarm.advice}`);
	startAlarm(context, alarm);
}

/**
 * Compares the webhook with the one that was wanted at the publication, or at the start of n8n.
 *
 * A check reads no setting: n8n evaluates expressions only in executions, hooks, deliveries, and while
 * it calls `trigger()`. In a timer, an expression throws "No bridge acquired for this context"
 * (`getBridge` of n8n's `expression-evaluator.ts`). n8n reads credentials by itself, also there. If a
 * setting cannot be used any more, the next delivery raises the alarm (`receive.ts`).
 */
async function check(
	context: ITriggerFunctions,
	state: WebhookState,
	signal: AbortSignal,
): Promise<Finding> {
	const ensured = await serialize(state, async () => {
		const { knowledge } = state;
		if (signal.aborted) return undefined;
		if (knowledge.kind !== 'not published') return await ensure(context, state, knowledge.wanted);
		if (knowledge.startError !== undefined) throw knowledge.startError;
		return undefined;
	});
	if (ensured === undefined) return { certainty: 'well', pauseMs: CHECK_EVERY_MS };

	const { record, creation, leadSeconds } = ensured;
	const isHeard = state.sinceLastCheck.isHeard && creation === undefined;
	// Not in the queue: while a task runs, the trigger defers what it would refuse.
	const unheard = isHeard ? undefined : await deliverToSelf(context, record);

	const recreation = creation ?? state.sinceLastCheck.recreation;
	state.sinceLastCheck = { isHeard: false };

	const doubt = describeClocks(leadSeconds) ?? unheard;
	const pauseMs = doubt === undefined ? CHECK_EVERY_MS : AFTER_TROUBLE_MS;
	if (recreation !== undefined) {
		return { certainty: 'certain', alarm: describeRecreation(recreation.leftBehindUrl), pauseMs };
	}
	if (doubt !== undefined) return { certainty: 'doubtful', alarm: doubt, pauseMs };
	return { certainty: 'well', pauseMs };
}

function describeRecreation(leftBehindUrl: string | undefined): KnownAlarm {
	if (leftBehindUrl === undefined) return RECREATED;

	return {
		kind: 'copy',
		message: `The trigger has created a webhook here, but another n8n with the same data may still receive at ${leftBehindUrl}`,
		advice:
			'Look there before you delete anything. If this n8n is a copy or a backup of that one, both answer each message: unpublish the workflow in the n8n that is not to answer, and delete no webhook by hand. Only if n8n has moved here, and no n8n runs there any more, delete the webhook with that address at the gateway.',
	};
}

const RECREATED: KnownAlarm = {
	kind: 'recreated',
	message: 'The trigger has recreated its webhook at the gateway',
	advice:
		'It was missing, disabled or changed there. Events that happened meanwhile may not have arrived. If this happens again, find out who does it: another n8n, another program, or the gateway after failed responses, which its log shows. If they are 503, choose Confirm Event: When Received. In queue mode, and if you run several n8n processes, unpublish the workflow and publish it again: only then all of them know the new webhook. Otherwise, there is nothing to do.',
};

function describeClocks(leadSeconds: number): KnownAlarm | undefined {
	const isApart = Math.abs(leadSeconds) > MAX_LEAD_SECONDS;
	if (!isApart) return undefined;

	const minutes = Math.round(Math.abs(leadSeconds) / 60);
	const direction = leadSeconds > 0 ? 'ahead' : 'behind';
	return {
		kind: 'clocks',
		message: `The clocks of n8n and of the gateway are ${minutes} minutes apart`,
		advice: `The gateway’s clock is ${direction}. From 5 minutes on, the trigger refuses every delivery. Set the clock of n8n’s machine. After a computer has slept, restart WSL or Docker. If the gateway’s clock is wrong, tell its provider.`,
	};
}

/** The gateway may fail for a moment; 429 alone is no alarm. An error of a setting is certain. */
function explainFailure({ message, description = '', failure }: Partial<GatewayError>): Finding {
	const pauseMs = Math.min(failure?.retryAfterMs ?? AFTER_TROUBLE_MS, CHECK_EVERY_MS);
	if (failure?.status === 429) return { certainty: 'doubtful', pauseMs };

	return {
		certainty: failure === undefined ? 'certain' : 'doubtful',
		alarm: {
			kind: failure === undefined ? 'setting' : `gateway ${failure.status ?? 'without a response'}`,
			message: `The trigger cannot check its webhook: ${message}`,
			advice: `${description} Until this is fixed, events may not arrive.`.trim(),
		},
		pauseMs,
	};
}
