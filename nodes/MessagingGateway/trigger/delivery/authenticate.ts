import type { IWebhookFunctions } from 'n8n-workflow';
import { requestOf, signedPartOf } from '../../webhooks/http';
import { verifyDelivery, type Genuine } from '../../webhooks/signature';
import type { Memory } from '../memory/memory';
import { awaitFirstLook, findKnown, isUndecided } from '../memory/registrations';
import { isHeldBack, isUnconfirmed } from '../memory/unconfirmed';
import { readStaticRecord, writeStaticRecord } from '../record';
import { isTest, readWebhookSetup } from '../settings';
import { askForWebhook } from './askForWebhook';
import { findSecret } from './secret';

/** A genuine delivery, or how to answer: `refused` with 401, `later` with 503 so that it is sent again. */
export type Admission = Genuine | 'refused' | 'later';

/**
 * Tells whether a delivery comes from the gateway. Where this process knows the webhook, only its newest secret opens:
 * one that was put back into static data does not, and what counts is written there again.
 */
export async function authenticate(context: IWebhookFunctions, memory: Memory): Promise<Admission> {
	const verdict = await verifyDelivery(
		signedPartOf(requestOf(context)),
		async () => await findSecret(context, memory),
	);
	const verifies = verdict.kind === 'genuine';
	if (verdict.kind !== 'unsigned' && isLookedAfter(context)) {
		if (findKnown(context) === undefined) {
			await awaitFirstLook(context);
			// Now known, the webhook may have another secret than static data said.
			if (findKnown(context)) return await authenticate(context, memory);
		}
		if (isHeldBack(context, verifies) || isUndecided(context, verifies)) return 'later';
		const isKnown = findKnown(context) !== undefined || isUnconfirmed(context);
		const said = verifies && !isKnown ? await askForWebhook(context) : 'listed';
		// While the gateway was asked, n8n may have let the trigger look.
		if (!isKnown && findKnown(context)) return await authenticate(context, memory);
		if (said === 'later') return said;
		if (verifies && restoreRecord(context, memory)) return 'later';
		if (isUnconfirmed(context) || said === 'unsaid') {
			memory.warn(
				'the gateway delivers, but has not named this webhook since n8n started. What fits the secret that n8n holds is taken now, though it may be that of a deleted webhook.',
			);
		}
	}
	if (verifies) return verdict;
	// Why no secret is held has been said already.
	if (verdict.kind !== 'unheld') {
		memory.warn(
			'refused a delivery that is not signed with the secret of this webhook, or not fresh.',
		);
	}
	return 'refused';
}

/**
 * Puts the newest record back into static data where somebody has overwritten it. n8n saves that only with a delivery
 * that starts nothing, and an execution that began with the old data could write it back at its end.
 *
 * @returns whether there was anything to put back
 */
function restoreRecord(context: IWebhookFunctions, memory: Memory): boolean {
	const record = findKnown(context)?.record;
	const held = readStaticRecord(context);
	if (!record || (held.secret === record.secret && held.webhookId === record.webhookId))
		return false;
	writeStaticRecord(context, record);
	memory.warn(
		`n8n’s static data of this workflow did not hold webhook ${record.webhookId}, which is in use: it was made after the publication, or another trigger or an execution of the workflow has written an older copy. It was put back, and the sender asked to repeat the delivery.`,
	);
	return true;
}

/** With manual webhook setup, and while the editor listens for a test event, there is nothing to look after. */
function isLookedAfter(context: IWebhookFunctions): boolean {
	return !isTest(context) && readWebhookSetup(context) === 'automatic';
}
