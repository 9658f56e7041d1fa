import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPES } from '../../api/request';
import { findForwarded } from '../../question/accounts';
import { requestOf, signedPartOf } from '../../webhooks/http';
import {
	verifyDelivery,
	type Genuine,
	type SignatureVerdict,
} from '../../webhooks/standardWebhooks';
import { readStaticRecord, writeStaticRecord } from '../record';
import { isTest, readWebhookSetup } from '../settings';
import { readParked } from '../subscription/forwarder';
import { ADMISSIONS } from '../subscription/standing';
import type { Subscription } from '../subscription/subscription';
import { nameOfKey } from '../subscription/subscriptions';

/**
 * Tells whether a delivery comes from the gateway, and by the table `ADMISSIONS`, what becomes of it. Changes nothing at the
 * gateway. May put the record back into static data, and ask for a check. Never throws.
 *
 * @returns the event if the delivery is taken
 */
export async function judgeDelivery(
	context: IWebhookFunctions,
	subscription: Subscription,
): Promise<Genuine | 'deferred' | 'refused'> {
	// A standing tells of the webhook that a published trigger has made: of one that a person has made, or the editor for a
	// test event, only its secret is known.
	const hasStanding = !isTest(context) && readWebhookSetup(context) === 'automatic';
	const inStaticData = readStaticRecord(context);
	const record = hasStanding ? subscription.recordAmong(inStaticData) : inStaticData;
	const verdict = await verifyDelivery(signedPartOf(requestOf(context)), async () =>
		hasStanding ? record.secret : await readSecret(context, subscription),
	);
	const isGenuine = verdict.kind === 'genuine';
	if (verdict.kind === 'unsigned' || !hasStanding)
		return isGenuine ? verdict : warnOfRefusal(subscription, verdict);
	// The body may have taken its time, and the webhook may have another secret by now.
	if (subscription.recordAmong(inStaticData).secret !== record.secret)
		return await judgeDelivery(context, subscription);

	if (verdict.kind === 'stale') {
		subscription.askForCheck();
		return warnOfRefusal(subscription, verdict);
	}
	const { standing, ownRecord } = subscription;
	const admission = ADMISSIONS[standing][isGenuine ? 'fits' : 'differs'];
	if (admission === 'refused') return warnOfRefusal(subscription, verdict);
	if (!isGenuine) subscription.askForCheck();
	if (admission === 'deferred' || !isGenuine) return 'deferred';
	const isOverwritten =
		ownRecord !== undefined &&
		(inStaticData.secret !== ownRecord.secret || inStaticData.webhookId !== ownRecord.webhookId);
	// n8n saves it only with a delivery that starts nothing, and an execution could write the old data back at its end.
	if (isOverwritten) {
		writeStaticRecord(context, ownRecord);
		subscription.warn(
			`n8n’s static data of this workflow did not have the secret of webhook ${ownRecord.webhookId}, which is in use. Another trigger or an execution of this workflow has overwritten it with older data, or the trigger has replaced the webhook since you published. The trigger has restored the secret and deferred the delivery.`,
		);
		return 'deferred';
	}
	if (standing === 'unconfirmed') {
		subscription.warn(
			'the gateway delivers, but has not listed this webhook since n8n started. So the trigger accepts deliveries that fit the secret in n8n. This secret may belong to a deleted webhook.',
		);
	}
	return verdict;
}

/**
 * Lets n8n save in the record, with a self-test, whether questions may be parked: see `noteByProbe`, which sends one for it.
 * This process takes it for noted from then on.
 */
export function saveParked(context: IWebhookFunctions, subscription: Subscription): void {
	const { ownRecord, key } = subscription;
	if (ownRecord === undefined) return;
	const account = findForwarded(nameOfKey(key));
	const { parked = ownRecord.parked } = account ? readParked(account) : {};
	if (readStaticRecord(context).parked !== parked)
		writeStaticRecord(context, { ...ownRecord, parked });
	if (ownRecord.parked !== parked) subscription.confirm({ ...ownRecord, parked });
}

function warnOfRefusal(subscription: Subscription, verdict: SignatureVerdict): 'refused' {
	if (verdict.kind === 'stale') {
		const stamp = subscription.clock.noteRefused(verdict.sentAt);
		subscription.warn(
			`refused a delivery whose signature fits, because its time stamp is ${stamp}. At most 5 minutes are allowed. Set the clock of n8n’s machine, or the gateway’s.`,
		);
		return 'refused';
	}
	subscription.warn(
		verdict.kind === 'unheld'
			? 'the trigger refuses deliveries, because it has no webhook secret of the form whsec_…. With automatic webhook setup, unpublish the workflow and publish it again; with manual webhook setup, correct the credential.'
			: 'refused a delivery that is not signed with the secret of this webhook.',
	);
	return 'refused';
}

/** The secret that a person has entered, or with automatic webhook setup that of the webhook for a test event. */
async function readSecret(
	context: IWebhookFunctions,
	subscription: Subscription,
): Promise<string | undefined> {
	if (readWebhookSetup(context) === 'automatic') return readStaticRecord(context).secret;
	try {
		const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
		return String(webhookSecret ?? '').trim() || undefined;
	} catch (error) {
		subscription.warn(`the credential cannot be read: ${(error as Error).message}`);
		return undefined;
	}
}
