import type { WorkflowDraft } from '../../../lab/host/api';
import { lead, makeStart } from '../../../lab/host/drafts/nodes';
import type { Host } from '../../../lab/host/host';
import type { DocumentedCall } from '../../contract/document';
import { makeOperationNode } from './operation';

/** The name of the node that makes a call. */
export const nameOf = ({ resource, operation, title }: DocumentedCall): string =>
	`${resource}.${operation}: ${title}`;

/** A published workflow in which a webhook starts one node after another, each for itself. */
export function fanOut(
	{ credentials }: Pick<Host, 'credentials'>,
	path: string,
	calls: DocumentedCall[],
	onError?: 'continueRegularOutput',
): WorkflowDraft {
	const nodes = calls.map((call, index) =>
		// n8n works through branches from top to bottom.
		makeOperationNode(nameOf(call), call, credentials, { position: [300, index * 100], onError }),
	);
	return {
		name: path,
		nodes: [makeStart(path), ...nodes],
		connections: { Start: { main: [lead(nodes.map(({ name }) => name))] } },
	};
}
