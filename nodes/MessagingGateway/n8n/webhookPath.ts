import type { INode } from 'n8n-workflow';

/**
 * Whether n8n serves the webhook of a node under the URL that it tells.
 *
 * n8n's editor gives each trigger a `webhookId`, which is in the URL. A workflow that a machine has
 * written may lack it. Then the node's name is in the URL, and n8n looks for the decoded name, which it
 * does not find if the name has spaces or signs (`getNodeWebhookPath` of n8n-workflow's
 * `node-helpers.ts`).
 */
export function isWebhookServed({ name, webhookId }: INode): boolean {
	return webhookId !== undefined || encodeURIComponent(name) === name;
}
