import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { openGateway } from '../../gateway/call';
import { listWebhooks } from '../../gateway/webhooks';
import { pauseFor, serialize } from '../../waits';
import { isManualSetup, isTest } from '../settings/settings';
import { isRegistered, register } from './reconcile';
import {
	forgetRecord,
	isComplete,
	recordOf,
	registrationOf,
	requireServed,
	type Alarm,
	type Registration,
} from './registration';

const MINUTE_MS = 60_000;
const CHECK_EVERY_MS = 60 * MINUTE_MS;
const AFTER_TROUBLE_MS = 5 * MINUTE_MS;
const RECREATE_EVERY_MS = 24 * 60 * MINUTE_MS;
/** At 300 seconds every delivery is refused. */
const MAX_LEAD_SECONDS = 180;

/** The result of a check. If its state is `unknown`, events may arrive or not. */
interface Finding extends Alarm {
	state: 'fine' | 'recreated' | 'enabled' | 'wrong again' | 'unknown';
}

/** Checks the webhook while the workflow is published. n8n calls the hooks at its start only if this function is there. */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this)) return {};
	const registration = registrationOf(this);
	registration.raiseAlarm = (alarm) => raiseAlarm(this, alarm);
	if (isManualSetup(this)) return {};
	const closing = new AbortController();
	// After a publication that failed, n8n may begin a second time without closing the first.
	registration.closing?.abort();
	registration.closing = closing;
	void repeatCheck(this, registration, closing.signal);
	return {
		closeFunction: async () => {
			closing.abort();
			// In multi-main mode another process may go on with the webhook.
			if (registration.closing === closing) forgetRecord(registration);
			return await Promise.resolve();
		},
	};
}

async function repeatCheck(
	context: ITriggerFunctions,
	registration: Registration,
	signal: AbortSignal,
): Promise<void> {
	let failures = 0;
	let isAlarmed = false;
	let hasSaidDisabled = false;
	let pauseMs = MINUTE_MS;
	while (await pauseFor(pauseMs, signal)) {
		const finding = await check(context, registration, signal).catch(describeFailure);
		if (signal.aborted) return;
		const { state } = finding;
		pauseMs = state === 'fine' ? CHECK_EVERY_MS : AFTER_TROUBLE_MS;
		if (state === 'recreated') registration.isRecreatedAtStart = false;
		const isFixed = ['fine', 'recreated', 'enabled'].includes(state);
		failures = isFixed ? 0 : failures + 1;
		isAlarmed &&= !isFixed;
		// The gateway may fail for a moment; a changed webhook is certain.
		const isCertain = state !== 'unknown' || failures > 1;
		const isSaid = isAlarmed || (state === 'enabled' && hasSaidDisabled);
		hasSaidDisabled ||= state === 'enabled';
		if (state === 'fine' || isSaid || !isCertain) continue;
		raiseAlarm(context, finding);
		isAlarmed = !isFixed;
	}
}

/** Compares the webhook at the gateway with the wanted one, and recreates it: at most once a day, unless it is merely disabled. */
async function check(
	context: ITriggerFunctions,
	registration: Registration,
	signal: AbortSignal,
): Promise<Finding> {
	return await serialize(registration, async () => {
		const { wanted } = registration;
		if (wanted === undefined || signal.aborted) return FINE;
		const account = await openGateway(context, 'account');
		const { webhooks, leadSeconds } = await listWebhooks(account);
		const known = recordOf(registration, context);
		if (isComplete(known) && isRegistered(webhooks, wanted, known, account.baseUrl)) {
			registration.record = known;
			if (registration.isRecreatedAtStart) return RECREATED;
			return Math.abs(leadSeconds) > MAX_LEAD_SECONDS ? describeClocks(leadSeconds) : FINE;
		}
		const enabled = webhooks.map((each) =>
			each.id === known.webhookId ? { ...each, enabled: true } : each,
		);
		const isDisabled = isComplete(known) && isRegistered(enabled, wanted, known, account.baseUrl);
		const { recreatedAt = -Infinity } = registration;
		if (!isDisabled && Date.now() - recreatedAt < RECREATE_EVERY_MS) return WRONG_AGAIN;
		requireServed(context);
		forgetRecord(registration);
		registration.record = await register(account, webhooks, wanted, known);
		if (isDisabled) return ENABLED;
		registration.recreatedAt = Date.now();
		return RECREATED;
	});
}

const FINE: Finding = { state: 'fine', message: '', advice: '' };

const RECREATED: Finding = {
	state: 'recreated',
	message: 'The trigger has recreated its webhook at the gateway',
	advice:
		'It was missing or changed there. Events that happened meanwhile may not have arrived. In queue mode, and if you run several n8n processes, unpublish the workflow and publish it again: only then all of them know the new webhook. Otherwise, there is nothing to do.',
};

const ENABLED: Finding = {
	state: 'enabled',
	message: 'The gateway had disabled the trigger’s webhook, and the trigger has recreated it',
	advice:
		'Events that happened meanwhile may not have arrived. If this happens again, each check recreates the webhook, without another alarm. Some gateways disable a webhook after failed responses: look for them in the gateway’s log. If they are 503, choose Confirm Event: When Received in the options. In queue mode, unpublish the workflow and publish it again.',
};

const WRONG_AGAIN: Finding = {
	state: 'wrong again',
	message: 'The trigger’s webhook at the gateway is missing or changed again',
	advice:
		'The trigger has recreated it once today, and does so once a day at most. Events do not arrive. Find out who changes the webhook: another n8n, another program, or the gateway. Then unpublish the workflow and publish it again.',
};

function describeClocks(leadSeconds: number): Finding {
	const minutes = Math.round(Math.abs(leadSeconds) / 60);
	return {
		state: 'unknown',
		message: `The clocks of n8n and of the gateway are ${minutes} minutes apart`,
		advice: `The gateway’s clock is ${leadSeconds > 0 ? 'ahead' : 'behind'}. From 5 minutes on, the trigger refuses every delivery. Set the clock of n8n’s machine. After a computer has slept, restart WSL or Docker. If the gateway’s clock is wrong, tell its provider.`,
	};
}

function describeFailure({ message, description }: Error & { description?: string }): Finding {
	return {
		state: 'unknown',
		message: `The trigger cannot check its webhook: ${message}`,
		advice: `${description ?? ''} Until this is fixed, events may not arrive.`.trim(),
	};
}

/** Saves one failed execution, so that the error workflow of the person runs. */
function raiseAlarm(context: ITriggerFunctions, { message, advice }: Alarm): void {
	const error = new NodeOperationError(context.getNode(), message, { description: advice });
	context.logger.error(`Messaging Gateway Trigger: ${message}. ${advice}`);
	context.saveFailedExecution?.(error);
}
