import type { N8nApi } from '../../test/host/api';
import { TRIGGER_NODE } from '../../test/host/drafts/nodes';
import type { Simulator } from '../../test/simulator';

/** What was done because addresses have changed since the last start. */
export interface Move {
	/** Names of the workflows that were published again, so that the gateway knows where to deliver. */
	published: string[];
	/** Why others could not be. */
	failed: string[];
	/** How many webhooks that led nowhere were removed at the gateway. */
	removed: number;
}

/**
 * Registers what is published at n8n's new address, each workflow as it is published and not as its draft is, and removes
 * the webhooks that lead to where n8n no longer is.
 * @param formerUrls every other address that this n8n has had
 */
export async function moveWebhooks(
	api: N8nApi,
	gateway: Simulator,
	formerUrls: string[],
): Promise<Move> {
	const move: Move = { published: [], failed: [], removed: 0 };
	for (const { id, name, activeVersionId, isArchived } of await api.listWorkflows()) {
		if (activeVersionId === null || isArchived || !(await hasTrigger(api, id))) continue;
		await api.unpublish(id);
		await api.publish(id, activeVersionId).then(
			() => move.published.push(name),
			(error: Error) => move.failed.push(`${name}: ${error.message}`),
		);
	}
	const dead = gateway
		.webhooks()
		.filter(({ url }) => formerUrls.some((former) => url.startsWith(`${former}/`)));
	for (const { id } of dead) gateway.deleteWebhook(id);
	return { ...move, removed: dead.length };
}

async function hasTrigger(api: N8nApi, workflowId: string): Promise<boolean> {
	const { activeVersion, nodes } = await api.getWorkflow(workflowId);
	return (activeVersion?.nodes ?? nodes).some(({ type }) => type === TRIGGER_NODE);
}
