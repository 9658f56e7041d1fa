import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPES } from '../../api/request';
import { isUsableSecret } from '../../webhooks/signature';
import type { Memory } from '../memory/memory';
import { findKnown } from '../memory/registrations';
import { readStaticRecord } from '../record';
import { isTest, readWebhookSetup } from '../settings';

/**
 * The secret that deliveries to this trigger are signed with. Without a usable one there is none, so that everything
 * is refused; why, is in the log.
 */
export async function findSecret(
	context: IWebhookFunctions,
	memory: Memory,
): Promise<string | undefined> {
	const isManual = readWebhookSetup(context) === 'manual';
	const secret = isManual
		? await readCredentialSecret(context, memory)
		: findRegisteredSecret(context);
	if (secret === undefined) {
		memory.warn(
			isManual
				? 'deliveries are refused, because the credential holds no webhook secret.'
				: 'deliveries are refused, because no secret is held. Unpublish the workflow and publish it again.',
		);
		return undefined;
	}
	if (isUsableSecret(secret)) return secret;
	memory.warn('deliveries are refused, because the webhook secret is not of the form whsec_…');
	return undefined;
}

/** Of what this process knows, static data can say nothing better: it may be older. */
function findRegisteredSecret(context: IWebhookFunctions): string | undefined {
	const known = isTest(context) ? undefined : findKnown(context);
	return known ? known.record?.secret : readStaticRecord(context).secret;
}

async function readCredentialSecret(
	context: IWebhookFunctions,
	memory: Memory,
): Promise<string | undefined> {
	try {
		const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
		return String(webhookSecret ?? '').trim() || undefined;
	} catch (error) {
		memory.warn(`the credential cannot be read: ${(error as Error).message}`);
		return undefined;
	}
}
