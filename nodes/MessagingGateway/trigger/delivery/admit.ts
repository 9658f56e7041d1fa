import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayEvent } from '../../incoming/event';
import { verifyDelivery } from '../../incoming/signature';
import { requestOf } from '../../n8n/respond';
import { isManualSetup, readCredentialSecret } from '../settings/settings';
import {
	isUnsure,
	readSaved,
	recordOf,
	unknownState,
	webhookStateOf,
	writeSaved,
	type SavedWebhook,
	type WebhookState,
} from '../webhook/state';

/** n8n saves static data within this time after the response. */
const SAVED_WITHIN_MS = 10_000;

/**
 * Verifies a delivery with the secret of this process's record, or else of static data. A delivery
 * that fits another secret is refused, or deferred while the webhook may have a newer one.
 */
export async function admit(
	context: IWebhookFunctions,
	trigger: string,
): Promise<GatewayEvent | 'deferred' | 'refused'> {
	const isManual = isManualSetup(context);
	const state = isManual ? unknownState() : webhookStateOf(context, trigger);
	const saved = readSaved(context);

	const verdict = await verifyDelivery(requestOf(context), () =>
		isManual ? readCredentialSecret(context) : (recordOf(state) ?? saved).secret,
	);
	if (verdict.kind === 'unsigned') return 'refused';
	if (verdict.kind === 'forged') return isUnsure(state) ? 'deferred' : 'refused';

	state.sinceLastCheck.isHeard = true;
	if (putBackRecord(context, state, saved)) return 'deferred';
	return verdict.event;
}

/**
 * Puts the record of this process back into static data if they have another secret, because
 * something else in n8n has overwritten them. n8n saves them only with a delivery that starts
 * nothing, so this delivery is to be deferred. Until they are saved, further ones are accepted.
 */
function putBackRecord(
	context: IWebhookFunctions,
	{ knowledge }: WebhookState,
	saved: Partial<SavedWebhook>,
): boolean {
	if (knowledge.kind !== 'known') return false;

	const { record, putBackAt = -Infinity } = knowledge;
	if (record.secret === saved.secret) return false;

	const isBeingSaved = Date.now() - putBackAt < SAVED_WITHIN_MS;
	if (isBeingSaved) return false;

	knowledge.putBackAt = Date.now();
	writeSaved(context, record);
	return true;
}
