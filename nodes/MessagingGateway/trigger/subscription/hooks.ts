import { sleep, type IHookFunctions } from 'n8n-workflow';
import { nameGateway } from '../../api/address';
import { readStaticRecord } from '../record';
import { isTest, readSubscribedEvents, readWebhookSetup } from '../settings';
import { isAtStart } from './atStart';
import { endForwarding } from './forwarder';
import { inspect, register, withdraw } from './reconcile';
import { refusal, requireNoResponder, requireSecret, requireUsableSettings } from './requirements';
import type { Subscription } from './subscription';
import { forgetSubscription, keyOfNode, subscriptionFor, subscriptionOf } from './subscriptions';

const SECOND_TRY_AFTER_MS = 1_000;

/**
 * What n8n calls when a workflow is published, changed and unpublished, at every start of n8n, and when the editor listens
 * for a test event.
 */
export const hooks = { checkExists, create, delete: end };

/** Whether exactly the webhook that is wanted exists, and its secret is held. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	if (isTest(this)) forgetSubscription(keyOfNode(this, true));
	const url = urlOf(this);
	const events = eventsOf(this);
	const isManual = readWebhookSetup(this) === 'manual';
	if (events.length === 0 && !(isManual && isAtStart(this)))
		throw refusal(this, 'Choose at least one event to listen to');
	// At a start nobody looks on, and a trigger whose hook throws is given up for good.
	if (!isAtStart(this)) {
		requireUsableSettings(this);
		if (!isTest(this)) requireNoResponder(this);
		if (isManual) await requireSecret(this);
	}
	if (isManual) {
		if (!isTest(this)) subscriptionOf(this).want({ url, events });
		// What automatic webhook setup has left over delivers nothing that would be accepted.
		await isWithdrawn(findSubscription(this, url), this, url);
		return true;
	}
	const subscription = isTest(this) ? findSubscription(this, url) : subscriptionOf(this);
	return await inspect(subscription, this, { url, events });
}

/** Makes the webhook. Throws where a person looks on, so that n8n says why it could not. */
async function create(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	const events = eventsOf(this);
	await register(findSubscription(this, url), this, { url, events });
	return true;
}

/**
 * Removes the webhook. Throws if the gateway may still have it, so that n8n tries again; but not where n8n gives up a
 * publication that has failed.
 */
async function end(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	const subscription = findSubscription(this, url);
	// First, so that no delivery forwards and no check repairs while it is being removed.
	subscription.want(undefined);
	if (!subscription.key.test) await endForwarding(this, url);
	if (await isWithdrawn(subscription, this, url)) return true;
	// On n8n's older publication path there is no other try than this one.
	await sleep(SECOND_TRY_AFTER_MS);
	// Meanwhile n8n has switched off what it unpublishes; its older path does so later, and tries nothing again. What is still
	// switched on is a publication that it gives up: after an error it would take the trigger for registered, and call nothing
	// at the next publication, which removes what is left. With manual webhook setup, that cannot be told.
	const mayBeGivenUp = subscription.switchedOn || readWebhookSetup(this) === 'manual';
	if (mayBeGivenUp) await isWithdrawn(subscription, this, url);
	else await withdraw(subscription, this, url);
	return true;
}

async function isWithdrawn(
	subscription: Subscription,
	context: IHookFunctions,
	url: string,
): Promise<boolean> {
	try {
		await withdraw(subscription, context, url);
		return true;
	} catch (error) {
		const { webhookId, gateway } = subscription.recordAmong(readStaticRecord(context));
		context.logger.warn(
			`Messaging Gateway Trigger: webhook ${webhookId ?? ''} for ${url} could not be deleted yet at the gateway ${nameGateway(gateway)}: ${(error as Error).message}`,
		);
		return false;
	}
}

/**
 * The subscription of the published workflow, or the one for which the editor listens. n8n deletes the webhook of a test in
 * the same mode as a published one, so that only the URL tells them apart. An unknown one may use either: both read static data.
 */
function findSubscription(context: IHookFunctions, url: string): Subscription {
	const published = subscriptionOf(context);
	if (!isTest(context) && published.url === url) return published;
	return subscriptionFor(keyOfNode(context, true), context.logger);
}

/** At a start, an expression that fails or gives nothing must not cost the trigger its webhook: it keeps its events. */
function eventsOf(context: IHookFunctions): string[] {
	if (!isAtStart(context)) return readSubscribedEvents(context);
	const { events: before = [] } = readStaticRecord(context);
	try {
		const events = readSubscribedEvents(context);
		return events.length > 0 ? events : before;
	} catch {
		return before;
	}
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw refusal(context, 'n8n gives this trigger no URL');
	return url;
}
