import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { AnswerEnds } from '../../webhooks/followAnswer';
import { answerLater, answerTo, type Settlement } from '../../webhooks/http';
import { ANSWER_WITHIN_MS, START_WITHIN_MS } from '../../webhooks/patience';
import { inOrder } from '../memory/batcher';
import { isTest, type TriggerSettings } from '../settings';
import type { Said } from '../subscription/estate';
import type { Subscription } from '../subscription/subscription';

/** A delivery that is to start an execution. */
interface Starter {
	context: IWebhookFunctions;
	subscription: Subscription;
	/** Milliseconds as of `Date.now`. */
	arrivedAt: number;
	ends: AnswerEnds;
}

/** Starts an execution through a delivery, or lets it share one with others. */
export async function start(
	{ context, subscription, arrivedAt, ends }: Starter,
	said: Said,
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const { batcher, smallerGroups } = subscription;
	const { maxPerExecution, confirmWhen, debounce, maxTurnMs, answeredAtEnd } = settings;
	const alone = (): IWebhookResponseData => {
		ends.follow(said.settle);
		return { workflowData: [[said.entry.item]] };
	};
	if (maxPerExecution === 1 || isTest(context)) return alone();

	const isTogether = debounce !== undefined || maxTurnMs !== undefined;
	const patienceMs = debounce ? ANSWER_WITHIN_MS : START_WITHIN_MS;
	const batch = await batcher.join(said.entry, {
		capacity: smallerGroups.sizeFor(said.ids, maxPerExecution),
		// What has waited for its turn may have been deferred long ago.
		deadline: (maxTurnMs === undefined ? arrivedAt : Date.now()) + patienceMs,
		answeredAtEnd,
	});
	// What was said together would come again one by one.
	if (!batch) return isTogether ? alone() : answerTo(ends.sender, said.settle('deferred'));
	const settleShared = (settlement: Settlement) => {
		if (settlement === 'accepted') smallerGroups.forget(said.ids);
		else if (confirmWhen === 'succeeded') smallerGroups.noteFailure(said.ids, batch.members.length);
		return said.settle(settlement);
	};
	if (!batch.leads) return answerLater(ends.sender, arrivedAt, batch.settled.then(settleShared));
	ends.follow((settlement) => {
		batch.report(settlement);
		return settleShared(settlement);
	});
	return { workflowData: [inOrder(batch.members)] };
}
