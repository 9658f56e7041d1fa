import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPES } from '../../api/request';
import type { Memory } from '../memory/memory';
import { readRecord } from '../record';
import { readRegistration } from '../settings';
import { isUsableSecret } from '../signature';

/**
 * The secret that deliveries to this trigger are signed with. Without a usable one there is none, so that everything
 * is refused; why, is in the log.
 */
export async function findSecret(
	context: IWebhookFunctions,
	memory: Memory,
): Promise<string | undefined> {
	const secret =
		readRegistration(context) === 'automatic'
			? readRecord(context).secret
			: await readCredentialSecret(context, memory);
	if (secret === undefined) {
		memory.warn(
			readRegistration(context) === 'automatic'
				? 'deliveries are refused, because no secret is held. Unpublish the workflow and publish it again.'
				: 'deliveries are refused, because the credential holds no webhook secret.',
		);
		return undefined;
	}
	if (isUsableSecret(secret)) return secret;
	memory.warn('deliveries are refused, because the webhook secret is not of the form whsec_…');
	return undefined;
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
