import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../api/request';
import { TOKENS, whySecretUnfit } from '../api/token';
import { whyUnreachable } from '../webhooks/reach';
import { isUsableSecret } from '../webhooks/standardWebhooks';
import { readSettings } from './settings';

/** @throws NodeOperationError in a person's words if manual webhook setup lacks the secret that it needs */
export async function requireSecret(context: GatewayContext): Promise<void> {
	const { webhookSecret } = await context.getCredentials(TOKENS.account.credential);
	const secret = String(webhookSecret ?? '').trim();
	if (secret === '') {
		throw refusal(
			context,
			'The credential holds no webhook secret. With manual webhook setup, create the webhook at your gateway with the URL of this trigger. Then enter the secret it shows (whsec_…) as Webhook Secret in the account credential.',
		);
	}
	if (!isUsableSecret(secret)) {
		throw refusal(
			context,
			`The webhook secret in the credential cannot be right: ${whySecretUnfit(secret) ?? 'it is not base64'}. Copy it again, whole, as the gateway showed it.`,
		);
	}
}

/** @throws NodeOperationError in a person's words if deliveries could not reach this n8n */
export async function requireReachable(context: GatewayContext, url: string): Promise<void> {
	const { baseUrl } = await context.getCredentials(TOKENS.account.credential);
	const reason = whyUnreachable(url, String(baseUrl));
	if (reason === undefined) return;
	throw refusal(
		context,
		`The gateway cannot reach this n8n at ${url}: ${reason}. Set N8N_WEBHOOK_URL to the public https address of this n8n, and restart it. If the gateway does reach this address, create the webhook yourself and choose manual webhook setup.`,
	);
}

/** @throws NodeOperationError in a person's words if a field or an option has a value that cannot be used */
export function requireUsableSettings(context: IHookFunctions): void {
	try {
		readSettings(context);
	} catch (error) {
		throw refusal(context, (error as Error).message);
	}
}

/** If a workflow cannot be published, n8n shows the message of the error alone: it holds the advice too. */
export function refusal(context: GatewayContext, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message);
}
