import * as n8nWorkflow from 'n8n-workflow';
import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { quote } from '../../api/plainText';
import { CREDENTIAL_TYPES, type GatewayContext } from '../../api/request';
import { whySecretUnfit } from '../../api/token';
import { isReadableOnTheWay, whyUnreachable } from '../../webhooks/reach';
import { isUsableSecret } from '../../webhooks/standardWebhooks';
import { readConfirmWhen, readSettings } from '../settings';

/** @throws NodeOperationError in a person's words if manual webhook setup lacks the secret that it needs */
export async function requireSecret(context: GatewayContext): Promise<void> {
	const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
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
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const reason = whyUnreachable(url, String(baseUrl));
	if (isReadableOnTheWay(url, String(baseUrl))) {
		context.logger.warn(
			`Messaging Gateway Trigger: deliveries to ${url} cross the internet unencrypted, so that messages can be read on their way. Set N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) to an https address.`,
		);
	}
	if (reason === undefined) return;
	throw refusal(
		context,
		`The gateway cannot reach this n8n at ${url}: ${reason}. Set N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) to the public https address of this n8n, and restart it. If the gateway does reach this address, create the webhook yourself and choose manual webhook setup.`,
	);
}

/** @throws NodeOperationError in a person's words if an option has a value that cannot be used */
export function requireUsableSettings(context: IHookFunctions): void {
	try {
		readSettings(context);
	} catch (error) {
		throw refusal(context, (error as Error).message);
	}
}

const RESPONDER = 'n8n-nodes-base.respondToWebhook';
/** Older ones do nothing where there is nobody for them to answer. */
const FAILS_FROM_VERSION = 1.1;
/** One of these before it, and it does not fail. */
const ANSWERED_BY_IT = [
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.formTrigger',
	'@n8n/n8n-nodes-langchain.chatTrigger',
	'n8n-nodes-base.wait',
];

/**
 * @throws NodeOperationError in a person's words if a node behind the trigger would make each execution fail, so that the
 * gateway repeats every event until it gives up
 */
export function requireNoResponder(context: IHookFunctions): void {
	if (readConfirmWhen(context) !== 'succeeded') return;
	const responder = context
		.getChildNodes(context.getNode().name)
		.find(
			({ type, typeVersion, disabled }) =>
				type === RESPONDER && typeVersion >= FAILS_FROM_VERSION && !disabled,
		);
	if (responder === undefined) return;
	if (context.getParentNodes(responder.name).some(({ type }) => ANSWERED_BY_IT.includes(type)))
		return;
	throw refusal(
		context,
		`Remove the node ${quote(responder.name)}: it makes every execution of this trigger fail. It answers n8n’s own Webhook node only. This trigger answers the gateway by itself.`,
	);
}

// n8n 2.23 brought this along, and was the first to leave static data out of what it saves of an execution.
const SAVES_SECRETS = !('mergeRunsPerBranch' in n8nWorkflow);

/** Says in the log where this n8n lets more people read the webhook's secret than it should. */
export function warnOfSavedSecret({ logger }: GatewayContext): void {
	if (!SAVES_SECRETS) return;
	logger.warn(
		'Messaging Gateway Trigger: this version of n8n saves the secret of the webhook with every execution of the workflow. Everybody who may see the executions can read it, and sign deliveries with it. Use n8n 2.23 or newer, or choose manual webhook setup, which keeps the secret in the credential.',
	);
}

/** Of what keeps a workflow from being published, n8n shows the message and nothing else: it holds the advice too. */
export function refusal(context: GatewayContext, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message);
}
