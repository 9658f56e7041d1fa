/** The part of n8n's contexts that names a trigger node. */
export interface TriggerNode {
	getWorkflow(): { id?: string };
	getNode(): { id: string };
}

/** What this process knows a trigger node by. */
export interface Identity {
	workflowId: string;
	nodeId: string;
}

const identities = new WeakMap<TriggerNode, Identity>();

/** Which trigger node a context is of. n8n copies the whole node for whoever asks for it: so it is asked once. */
export function identify(context: TriggerNode): Identity {
	const known = identities.get(context);
	if (known) return known;
	const identity = { workflowId: context.getWorkflow().id ?? '', nodeId: context.getNode().id };
	identities.set(context, identity);
	return identity;
}

/** The name under which this process keeps what it knows of a trigger node. */
export function nameOf(context: TriggerNode): string {
	const { workflowId, nodeId } = identify(context);
	return `${workflowId}:${nodeId}`;
}
