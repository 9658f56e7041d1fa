import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { followAnswer } from '../../webhooks/followAnswer';
import { answerLater, answerTo, responseOf } from '../../webhooks/http';
import { ANSWER_WITHIN_MS, START_WITHIN_MS } from '../../webhooks/patience';
import type { Settlement } from '../../webhooks/settlement';
import { inOrder } from '../memory/batcher';
import { isTest, type TriggerSettings } from '../settings';
import type { Said } from '../subscription/estate';
import type { Subscription } from '../subscription/subscription';

/** Starts an execution through a delivery that arrived then, or lets it share one with others. */
export async function start(
	context: IWebhookFunctions,
	arrivedAt: number,
	{ batcher, smallerGroups }: Subscription,
	said: Said,
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const response = responseOf(context);
	const { maxPerExecution, confirmWhen, debounce } = settings;
	const alone = (): IWebhookResponseData => {
		followAnswer(response, confirmWhen, said.settle);
		return { workflowData: [[said.entry.item]] };
	};
	if (maxPerExecution === 1 || isTest(context)) return alone();

	const batch = await batcher.join(said.entry, {
		capacity: smallerGroups.sizeFor(said.ids, maxPerExecution),
		deadline: arrivedAt + (debounce ? ANSWER_WITHIN_MS : START_WITHIN_MS),
		answeredAtEnd: confirmWhen === 'succeeded',
	});
	// What was said together would come again one by one.
	if (!batch) return debounce ? alone() : answerTo(response, said.settle('refused'));
	const settleShared = (settlement: Settlement) => {
		if (settlement === 'accepted') smallerGroups.forget(said.ids);
		else if (confirmWhen === 'succeeded') smallerGroups.noteFailure(said.ids, batch.members.length);
		return said.settle(settlement);
	};
	if (!batch.leads) return answerLater(response, arrivedAt, batch.settled.then(settleShared));
	followAnswer(response, confirmWhen, (settlement) => {
		batch.report(settlement);
		return settleShared(settlement);
	});
	return { workflowData: [inOrder(batch.members)] };
}
