import type { INodeTypeDescription } from 'n8n-workflow';
import type { WorkflowDraft } from '../../../host/api';
import { lead, makeStart } from '../../../host/drafts/nodes';
import type { Host } from '../../../host/host';
import type { RecordedRequest } from '../../../simulator';
import type { DocumentedCall, DocumentedRequest } from '../../contract/document';
import { makeOperationNode } from './operation';

/** The name of the node that makes a call. */
export const nameOf = ({ resource, operation, title }: DocumentedCall): string =>
	`${resource}.${operation}: ${title}`;

/**
 * A published workflow in which a webhook starts one node after another, each for itself.
 * @param savedBy the description of the node whose editor saves it; today's unless given
 */
export function fanOut(
	{ credentials }: Pick<Host, 'credentials'>,
	path: string,
	calls: DocumentedCall[],
	onError?: 'continueRegularOutput',
	savedBy?: INodeTypeDescription,
): WorkflowDraft {
	const nodes = calls.map((call, index) =>
		// n8n works through branches from top to bottom.
		makeOperationNode(
			nameOf(call),
			call,
			credentials,
			{ position: [300, index * 100], onError },
			savedBy,
		),
	);
	return {
		name: path,
		nodes: [makeStart(path), ...nodes],
		connections: { Start: { main: [lead(nodes.map(({ name }) => name))] } },
	};
}

/** A request as the document writes it, and nothing of what it does not. */
export const describeRequest = ({
	method,
	path,
	query,
	body,
	rawBody,
	token,
}: RecordedRequest): DocumentedRequest => ({
	method: method as DocumentedRequest['method'],
	path,
	...(Object.keys(query).length > 0 && { query: query as Record<string, string> }),
	...(rawBody !== '' && { body }),
	token: token as DocumentedRequest['token'],
});
