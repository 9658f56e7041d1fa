import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { followAnswer } from '../../webhooks/followAnswer';
import { answerLater, answerTo, responseOf } from '../../webhooks/http';
import { ANSWER_WITHIN_MS, START_WITHIN_MS } from '../../webhooks/patience';
import type { Settlement } from '../../webhooks/settlement';
import { inOrder } from '../memory/gathering';
import { isTest, type TriggerSettings } from '../settings';
import type { Said } from '../subscription/estate';
import type { Subscription } from '../subscription/subscription';

/** Starts an execution through a delivery that arrived then, or lets it share one with others. */
export async function start(
	context: IWebhookFunctions,
	arrivedAt: number,
	{ gathering, smallerGroups }: Subscription,
	said: Said,
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const response = responseOf(context);
	const { maxPerExecution, confirmWhen, quiet } = settings;
	const alone = (): IWebhookResponseData => {
		followAnswer(response, confirmWhen, said.settle);
		return { workflowData: [[said.rider.item]] };
	};
	if (maxPerExecution === 1 || isTest(context)) return alone();

	const trip = await gathering.join(said.rider, {
		capacity: smallerGroups.sizeFor(said.ids, maxPerExecution),
		deadline: arrivedAt + (quiet ? ANSWER_WITHIN_MS : START_WITHIN_MS),
		answeredAtEnd: confirmWhen === 'succeeded',
	});
	// What was said together would come again one by one.
	if (!trip) return quiet ? alone() : answerTo(response, said.settle('refused'));
	const settleShared = (settlement: Settlement) => {
		if (settlement === 'accepted') smallerGroups.forget(said.ids);
		else if (confirmWhen === 'succeeded') smallerGroups.noteFailure(said.ids, trip.members.length);
		return said.settle(settlement);
	};
	if (!trip.leads) return answerLater(response, arrivedAt, trip.settled.then(settleShared));
	followAnswer(response, confirmWhen, (settlement) => {
		trip.report(settlement);
		return settleShared(settlement);
	});
	return { workflowData: [inOrder(trip.members)] };
}
