import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPES } from '../../api/request';
import type { Memory } from '../memory/memory';
import { readRecord } from '../record';
import { readRegistration } from '../settings';
import { createVerifier, type Verifier } from '../signature/verify';

/**
 * The verifier for deliveries to this trigger, made anew only when the secret is another one. Without a usable secret
 * there is none, so that everything is refused; why, is in the log.
 */
export async function findVerifier(
	context: IWebhookFunctions,
	memory: Memory,
): Promise<Verifier | undefined> {
	const secret = await findSecret(context, memory);
	if (secret === undefined) return undefined;
	if (memory.verifier?.secret !== secret) {
		try {
			memory.verifier = createVerifier(secret);
		} catch {
			memory.warn('deliveries are refused, because the webhook secret is not of the form whsec_…');
			return undefined;
		}
	}
	return memory.verifier;
}

async function findSecret(context: IWebhookFunctions, memory: Memory): Promise<string | undefined> {
	if (readRegistration(context) === 'automatic') {
		const { secret } = readRecord(context);
		if (secret !== undefined) return secret;
		memory.warn(
			'deliveries are refused, because no secret is held. Unpublish the workflow and publish it again.',
		);
		return undefined;
	}
	try {
		const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
		const secret = String(webhookSecret ?? '').trim();
		if (secret !== '') return secret;
	} catch (error) {
		memory.warn(`the credential cannot be read: ${(error as Error).message}`);
	}
	memory.warn('deliveries are refused, because the credential holds no webhook secret.');
	return undefined;
}
