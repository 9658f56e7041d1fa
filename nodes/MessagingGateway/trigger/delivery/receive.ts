import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { GatewayEvent } from '../../webhooks/event';
import { isSelfCheck, SELF_CHECK_ANSWER, tellReceived } from '../../webhooks/signature/selfCheck';
import type { Claim } from '../memory/duplicates';
import { inOrder, type Rider } from '../memory/gathering';
import { identify } from '../memory/identity';
import { recall, type Memory } from '../memory/memory';
import type { Settlement } from '../memory/settlement';
import { ANSWER_WITHIN_MS, START_WITHIN_MS, UNANSWERED_MS, waitUntil } from '../patience';
import { isTest, readAnswerWhen, readSettings, type TriggerSettings } from '../settings';
import { authenticate } from './authenticate';
import { isWanted } from './filter';
import { followAnswer } from './followAnswer';
import { acknowledge, postpone, refuse, requestOf, responseOf } from './http';
import { present } from './present';

/** One delivery on its way from the request to the workflow. */
interface Delivery {
	context: IWebhookFunctions;
	memory: Memory;
	event: GatewayEvent;
	claim: Extract<Claim, { state: 'new' }>;
	arrivedAt: number;
}

/**
 * Takes one delivery (API document, "Delivery"): verify, drop duplicates, filter, emit. Answers in every case and
 * never throws, since n8n would save a failed execution for it.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await take(this);
	} catch (error) {
		this.logger.error('Messaging Gateway Trigger: a delivery could not be taken', { error });
		return postpone(responseOf(this));
	}
}

async function take(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const response = responseOf(context);
	const memory = recall({ ...identify(context), test: isTest(context) }, context.logger);
	const admission = await authenticate(context, memory);
	if (admission === 'refused') {
		const { rawHeaders, rawBody } = requestOf(context);
		return refuse(response, tellReceived(rawHeaders, rawBody));
	}
	if (admission === 'later') return postpone(response);
	const { event, sentAt } = admission;
	if (isSelfCheck(event)) return acknowledge(SELF_CHECK_ANSWER);
	if (!isTest(context) && memory.beforeStart.mustRepeat(event.id, sentAt))
		return postpone(response);

	const claim = memory.duplicates.claim(event.id, () => UNANSWERED_MS[readAnswerWhen(context)]);
	if (claim.state === 'done') return acknowledge('Already received');
	if (claim.state === 'pending') {
		return answerTo(context, await waitUntil(arrivedAt + ANSWER_WITHIN_MS, claim.settled));
	}
	const answer = admit({ context, memory, event, claim, arrivedAt });
	// Whatever goes wrong from here on, the id must not stay pending.
	answer.catch(() => claim.settle('refused'));
	return await answer;
}

async function admit(delivery: Delivery): Promise<IWebhookResponseData> {
	const { context, memory, claim, arrivedAt } = delivery;
	let { event } = delivery;
	const settings = readSettings(context);
	if (!isWanted(event, settings)) return ignore(claim);

	if (settings.forwardOnly) {
		let verdict = memory.statuses.judge(event);
		while (verdict.kind === 'undecided') {
			const decided = await waitUntil(arrivedAt + START_WITHIN_MS, verdict.until);
			if (!decided) return answerTo(context, claim.settle('refused'));
			verdict = memory.statuses.judge(event);
		}
		if (verdict.kind === 'overtaken') return ignore(claim);
		verdict.follow(claim.settled);
		event = verdict.event;
	}

	const presented = present(event, settings.output);
	if (settings.maxPerExecution === 1 || isTest(context)) {
		followAnswer(responseOf(context), settings.answerWhen, claim.settle);
		return { workflowData: [[presented.item]] };
	}
	return await share({ ...delivery, event }, presented, settings);
}

/** Lets a delivery share an execution with others: it waits for a start, and for what becomes of it. */
async function share(
	{ context, memory, event, claim, arrivedAt }: Delivery,
	rider: Rider,
	{ maxPerExecution, answerWhen }: TriggerSettings,
): Promise<IWebhookResponseData> {
	const { gathering, smallerGroups } = memory;
	const trip = await gathering.join(rider, {
		capacity: smallerGroups.sizeFor(event.id, maxPerExecution),
		deadline: arrivedAt + START_WITHIN_MS,
		answeredAtEnd: answerWhen === 'succeeded',
	});
	if (!trip) return answerTo(context, claim.settle('refused'));
	const settle = (settlement: Settlement) => {
		if (settlement === 'accepted') smallerGroups.forget(event.id);
		else if (answerWhen === 'succeeded') smallerGroups.noteFailure(event.id, trip.members.length);
		return claim.settle(settlement);
	};
	if (!trip.leads) {
		const settled = trip.settled.then(settle);
		return answerTo(context, await waitUntil(arrivedAt + ANSWER_WITHIN_MS, settled));
	}
	followAnswer(responseOf(context), answerWhen, (settlement) => {
		trip.report(settlement);
		return settle(settlement);
	});
	return { workflowData: [inOrder(trip.members)] };
}

function ignore(claim: Delivery['claim']): IWebhookResponseData {
	claim.settle('ignored');
	return acknowledge('Not subscribed to');
}

/** Answers according to what became of an event elsewhere; undefined, nothing yet, means: send it again. */
function answerTo(
	context: IWebhookFunctions,
	settlement: Settlement | undefined,
): IWebhookResponseData {
	if (settlement === 'accepted') return acknowledge('Received');
	if (settlement === 'ignored') return acknowledge('Not subscribed to');
	return postpone(responseOf(context));
}
