import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayEvent } from '../../incoming/event';
import { verifyDelivery } from '../../incoming/signature';
import { requestOf } from '../../n8n/respond';
import { isManualSetup, readCredentialSecret } from '../settings/settings';
import { isUnsure, readSaved, unknownState, webhookStateOf, writeSaved } from '../webhook/state';

/** n8n saves static data within this time after the response. */
const SAVED_WITHIN_MS = 10_000;

/**
 * Verifies a delivery with the secret of this process's record, or else of static data. If that has
 * another secret, a genuine delivery puts the record back and is deferred: n8n saves static data
 * only with a delivery that starts nothing. Until then, further deliveries are accepted.
 */
export async function admit(
	context: IWebhookFunctions,
): Promise<GatewayEvent | 'deferred' | 'refused'> {
	const isManual = isManualSetup(context);
	const state = isManual ? unknownState() : webhookStateOf(context);
	const saved = readSaved(context);
	const verdict = await verifyDelivery(requestOf(context), () =>
		isManual ? readCredentialSecret(context) : (state.record ?? saved).secret,
	);
	if (verdict.kind === 'genuine') {
		state.isHeard = true;
		const { record, putBackAt = -Infinity } = state;
		const isBeingSaved = Date.now() - putBackAt < SAVED_WITHIN_MS;
		if (!record || record.secret === saved.secret || isBeingSaved) return verdict.event;
		state.putBackAt = Date.now();
		writeSaved(context, record);
		return 'deferred';
	}
	if (verdict.kind === 'stale') {
		context.logger.warn(
			`Messaging Gateway Trigger: refused a delivery of the gateway, because its time stamp is ${Math.round(Date.now() / 1000 - verdict.sentAt)} seconds old. At most 5 minutes are allowed. Set the clock of n8n’s machine, or the gateway’s. If both are right, a relay or a queue between them delivers too late.`,
		);
	}
	return verdict.kind === 'forged' && isUnsure(state) ? 'deferred' : 'refused';
}
