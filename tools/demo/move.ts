import type { N8nApi } from '../../host/api';
import { TRIGGER_NODE } from '../../host/drafts/nodes';
import type { Simulator } from '../../simulator';

/** What was done because addresses have changed since the last start. */
export interface Move {
	/** Names of the workflows that were published again, so that the gateway knows where to deliver. */
	published: string[];
	/** Why others could not be. */
	failed: string[];
	/** How many webhooks of open questions lead to the new address. */
	moved: number;
	/** How many webhooks that led nowhere were removed at the gateway. */
	removed: number;
}

/** Where executions wait for the answers to their questions. */
const WAITING = '/webhook-waiting/';

/**
 * Lets the webhooks of open questions lead to n8n's new address, registers what is published there, each workflow as it is
 * published and not as its draft is, and removes the webhooks that lead to where n8n no longer is.
 * @param url n8n's address now
 * @param formerUrls every other address that this n8n has had
 */
export async function moveWebhooks(
	api: N8nApi,
	gateway: Simulator,
	url: string,
	formerUrls: string[],
): Promise<Move> {
	// First, so that the triggers find the questions where they are now. n8n signs their path, and not its own address.
	const moved = moveQuestions(gateway, url, formerUrls);
	const move: Move = { published: [], failed: [], moved, removed: 0 };
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
		.filter((webhook) => formerUrls.some((former) => webhook.url.startsWith(`${former}/`)));
	for (const { id } of dead) gateway.deleteWebhook(id);
	return { ...move, removed: dead.length };
}

function moveQuestions(gateway: Simulator, url: string, formerUrls: string[]): number {
	const ways = gateway.webhooks().flatMap((webhook) => {
		const former = formerUrls.find((each) => webhook.url.startsWith(each + WAITING));
		return former === undefined
			? []
			: [{ id: webhook.id, to: url + webhook.url.slice(former.length) }];
	});
	for (const { id, to } of ways) gateway.moveWebhook(id, to);
	return ways.length;
}

async function hasTrigger(api: N8nApi, workflowId: string): Promise<boolean> {
	const { activeVersion, nodes } = await api.getWorkflow(workflowId);
	return (activeVersion?.nodes ?? nodes).some(({ type }) => type === TRIGGER_NODE);
}
