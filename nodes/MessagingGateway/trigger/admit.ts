import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayEvent } from '../webhooks/event';
import { requestOf } from '../webhooks/http';
import { verifyDelivery } from '../webhooks/standardWebhooks';
import { isUnsure, readSaved, registrationOf, writeSaved } from './record';
import { isManualSetup, isTest, readCredentialSecret } from './settings';

const SAVED_WITHIN_MS = 10_000;

/**
 * Verifies a delivery. The secret of this process's record counts, and without a record that of static data. If static
 * data have another one, the record is put back: n8n saves it only if the delivery starts no execution, so it is deferred.
 * Deliveries that come before n8n has saved it are accepted.
 */
export async function admit(
	context: IWebhookFunctions,
): Promise<GatewayEvent | 'deferred' | 'refused'> {
	const isManual = isManualSetup(context);
	const registration = isManual || isTest(context) ? undefined : registrationOf(context);
	const saved = readSaved(context);
	const verdict = await verifyDelivery(requestOf(context), async () =>
		isManual ? await readCredentialSecret(context) : (registration?.record ?? saved).secret,
	);
	if (verdict.kind === 'genuine') {
		const { record, putBackAt = -Infinity } = registration ?? {};
		const isSaving = Date.now() - putBackAt < SAVED_WITHIN_MS;
		if (record === undefined || saved.secret === record.secret || isSaving) return verdict.event;
		if (registration) registration.putBackAt = Date.now();
		writeSaved(context, record);
		return 'deferred';
	}
	if (verdict.kind === 'stale') {
		context.logger.warn(
			`Messaging Gateway Trigger: refused a delivery of the gateway, because its time stamp is ${Math.round(Date.now() / 1000 - verdict.sentAt)} seconds old. At most 5 minutes are allowed. Set the clock of n8n’s machine, or the gateway’s.`,
		);
	}
	const isForged = verdict.kind === 'forged';
	return isForged && registration && isUnsure(registration) ? 'deferred' : 'refused';
}
