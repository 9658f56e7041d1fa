import { sleep, type Logger } from 'n8n-workflow';
import { sharedMap } from '../../processState';
import type { Estate, SubscriptionKey } from './estate';
import { Subscription } from './subscription';

/** So many that n8n has not switched on are kept. */
const MOST_IDLE = 1_000;
/** Longer than n8n takes to publish a change. */
const CHANGED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 500;

const subscriptions = sharedMap<Subscription>('subscriptions');

/** The part of n8n's contexts that names a trigger node. */
interface TriggerNode {
	getWorkflow(): { id?: string };
	getNode(): { id: string };
}

/**
 * Which trigger node a context is of. n8n copies the whole node for whoever asks for it.
 *
 * @param test whether it is for the editor's test URL
 */
export function keyOfNode(context: TriggerNode, test = false): SubscriptionKey {
	return { workflowId: context.getWorkflow().id ?? '', nodeId: context.getNode().id, test };
}

/** The subscription of a published trigger node; a new one if there is none. */
export function subscriptionOf(context: TriggerNode & { logger: Logger }): Subscription {
	return subscriptionFor(keyOfNode(context), context.logger);
}

/** As `subscriptionOf`, also for the test URL of a trigger node. */
export function subscriptionFor(key: SubscriptionKey, logger: Logger): Subscription {
	const name = nameOfKey(key);
	const subscription = subscriptions.get(name) ?? new Subscription(key, logger);
	// Set anew, it moves to the end: the first one is the one that was not used for the longest time.
	subscriptions.delete(name);
	subscriptions.set(name, subscription);
	if (subscriptions.size > MOST_IDLE) forgetIdle(subscription, logger);
	return subscription;
}

/**
 * Whether a trigger is published, or is again in a moment: n8n publishes a change by unpublishing what was there before.
 * Each time, what counts is asked for anew: the package may be updated meanwhile.
 */
export async function staysPublished({ key }: Subscription, logger: Logger): Promise<boolean> {
	const until = Date.now() + CHANGED_WITHIN_MS;
	while (subscriptionFor(key, logger).isUnpublished) {
		if (Date.now() >= until) return false;
		await sleep(LOOK_EVERY_MS);
	}
	return true;
}

/** Forgets a trigger node, as when the editor begins to listen for a test event anew. */
export function forgetSubscription(key: SubscriptionKey): void {
	subscriptions.delete(nameOfKey(key));
}

/**
 * Takes over what an older load of the package has left, as after an update while n8n runs. The older code does nothing
 * by itself from then on.
 *
 * @param goOn switches on what was switched on in the older code
 */
export function takeOver(goOn: (heir: Subscription, estate: Estate) => void): void {
	for (const [name, older] of [...subscriptions]) {
		subscriptions.delete(name);
		try {
			const estate = older.handOver();
			const heir = new Subscription(estate.key, estate.logger, estate);
			subscriptions.set(name, heir);
			goOn(heir, estate);
		} catch {
			// Of a shape that nobody knows any more: it begins anew, as after a restart. The package must load.
			continue;
		}
	}
}

/** The name of a trigger node in the maps of this process. */
export function nameOfKey({ workflowId, nodeId, test }: SubscriptionKey): string {
	return `${test ? 'test' : 'production'}:${workflowId}:${nodeId}`;
}

function forgetIdle(newest: Subscription, logger: Logger): void {
	const idle = [...subscriptions].filter(
		([, each]) => each !== newest && !each.busy && !each.switchedOn,
	);
	if (idle.length < MOST_IDLE) return;
	const [[name]] = idle;
	subscriptions.delete(name);
	logger.warn(
		`Messaging Gateway Trigger: forgot the event ids of the trigger that was idle for the longest time, because more than ${MOST_IDLE} are in use.`,
		{ trigger: name },
	);
}
