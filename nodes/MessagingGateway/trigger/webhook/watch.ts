import type {
	IExecuteFunctions,
	INodeExecutionData,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';
import { toNodeError, type GatewayError } from '../../gateway/failure';
import { pauseFor, serialize } from '../../n8n/waits';
import { isManualSetup, isTest, readSettings } from '../settings/settings';
import { deliverToSelf } from './deliverToSelf';
import { ensure } from './ensure';
import { forgetRecord, webhookStateOf, type WebhookState } from './state';

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
export function throwAlarm(context: IExecuteFunctions, [item]: INodeExecutionData[]): void {
	if (item?.origin !== ORIGIN) return;
	const { message, advice } = item.json as unknown as Alarm;
	throw toNodeError(context.getNode(), { message, description: advice });
}

const MINUTE_MS = 60_000;
const FIRST_CHECK_AFTER_MS = MINUTE_MS / 2;
/** Added to each pause at random, so that the triggers of an account do not check at one second. */
const SPREAD_MS = MINUTE_MS;
const CHECK_EVERY_MS = 60 * MINUTE_MS;
const AFTER_TROUBLE_MS = 5 * MINUTE_MS;
/** At 300 seconds every delivery is refused. */
const MAX_LEAD_SECONDS = 180;

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
			// In multi-main mode another process may go on with the webhook.
			if (state.closing === closing) forgetRecord(state);
			return await Promise.resolve();
		},
	};
}

/** The same words come at most once an hour. False if they came already. */
function raiseAlarm(context: ITriggerFunctions, state: WebhookState, alarm: Alarm): boolean {
	const { message, advice } = alarm;
	const { message: last, at = -Infinity } = state.lastAlarm ?? {};
	if (message === last && Date.now() - at < CHECK_EVERY_MS) return false;
	state.lastAlarm = { message, at: Date.now() };
	context.logger.error(`Messaging Gateway Trigger: ${message}. ${advice}`);
	context.emit([[alarmItem(alarm)]]);
	return true;
}

/** The result of a check. A doubtful alarm is raised the second time in a row. */
interface Finding {
	alarm?: Alarm;
	isDoubtful?: boolean;
	pauseMs: number;
}

async function repeatCheck(context: ITriggerFunctions, state: WebhookState, signal: AbortSignal) {
	let doubts = 0;
	let said: string | undefined;
	let finding: Finding = { pauseMs: FIRST_CHECK_AFTER_MS };
	while (await pauseFor(finding.pauseMs + Math.random() * SPREAD_MS, signal)) {
		finding = await check(context, state, signal).catch(explainFailure);
		if (signal.aborted) return;
		const { alarm, isDoubtful } = finding;
		doubts = isDoubtful ? doubts + 1 : 0;
		if (doubts < 2) said = undefined;
		if (alarm === undefined || doubts === 1 || alarm.message === said) continue;
		if (raiseAlarm(context, state, alarm)) said = alarm.message;
	}
}

async function check(context: ITriggerFunctions, state: WebhookState, signal: AbortSignal) {
	const ensured = await serialize(state, async () => {
		const { wanted, startError } = state;
		if (signal.aborted) return undefined;
		if (wanted === undefined && startError !== undefined) throw startError;
		// A setting whose expression has become invalid defers every delivery.
		readSettings(context);
		return wanted && (await ensure(context, state, wanted));
	});
	if (ensured === undefined) return { pauseMs: CHECK_EVERY_MS };
	// Not in the queue: while a task runs, the trigger defers what it would refuse.
	const isHeard = state.isHeard && !ensured.isCreated;
	const unheard = isHeard ? undefined : await deliverToSelf(context, ensured.record);
	const isRecreated = ensured.isCreated || state.isRecreatedAtStart;
	const leftBehindUrl = ensured.leftBehindUrl ?? state.leftBehindUrl;
	Object.assign(state, { isHeard: false, isRecreatedAtStart: false, leftBehindUrl: undefined });
	const doubt = describeClocks(ensured.leadSeconds) ?? unheard;
	const pauseMs = doubt ? AFTER_TROUBLE_MS : CHECK_EVERY_MS;
	if (!isRecreated) return { alarm: doubt, isDoubtful: doubt !== undefined, pauseMs };
	return { alarm: describeRecreation(leftBehindUrl), pauseMs };
}

function describeRecreation(leftBehindUrl: string | undefined): Alarm {
	if (leftBehindUrl === undefined) return RECREATED;
	return {
		message: `The trigger has created a webhook here, but another n8n with the same data may still receive at ${leftBehindUrl}`,
		advice:
			'Look there before you delete anything. If this n8n is a copy or a backup of that one, both answer each message: unpublish the workflow in the n8n that is not to answer, and delete no webhook by hand. Only if n8n has moved here, and no n8n runs there any more, delete the webhook with that address at the gateway.',
	};
}

const RECREATED: Alarm = {
	message: 'The trigger has recreated its webhook at the gateway',
	advice:
		'It was missing, disabled or changed there. Events that happened meanwhile may not have arrived. If this happens again, find out who does it: another n8n, another program, or the gateway after failed responses, which its log shows. If they are 503, choose Confirm Event: When Received. In queue mode, and if you run several n8n processes, unpublish the workflow and publish it again: only then all of them know the new webhook. Otherwise, there is nothing to do.',
};

function describeClocks(leadSeconds: number): Alarm | undefined {
	const minutes = Math.round(Math.abs(leadSeconds) / 60);
	if (!(Math.abs(leadSeconds) > MAX_LEAD_SECONDS)) return undefined;
	return {
		message: `The clocks of n8n and of the gateway are ${minutes} minutes apart`,
		advice: `The gateway’s clock is ${leadSeconds > 0 ? 'ahead' : 'behind'}. From 5 minutes on, the trigger refuses every delivery. Set the clock of n8n’s machine. After a computer has slept, restart WSL or Docker. If the gateway’s clock is wrong, tell its provider.`,
	};
}

/** The gateway may fail for a moment; 429 alone is no alarm. An error of a setting is certain. */
function explainFailure({ message, description = '', failure }: Partial<GatewayError>): Finding {
	const pauseMs = Math.min(failure?.retryAfterMs ?? AFTER_TROUBLE_MS, CHECK_EVERY_MS);
	if (failure?.status === 429) return { isDoubtful: true, pauseMs };
	const advice = `${description} Until this is fixed, events may not arrive.`.trim();
	const alarm = { message: `The trigger cannot check its webhook: ${message}`, advice };
	return { alarm, isDoubtful: failure !== undefined, pauseMs };
}
