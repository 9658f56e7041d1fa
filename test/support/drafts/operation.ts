import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { choose, GATEWAY_NODE, makeNode } from '../../../lab/host/drafts/nodes';
import type { Host } from '../../../lab/host/host';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import type { DocumentedCall } from '../../contract/document';

const { description } = new MessagingGateway();

/** What the editor saves of a node's parameters: nothing that stands at its default. */
function saveParameters(parameters: INodeParameters): INodeParameters {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			false,
			false,
			null,
			description,
		) ?? {}
	);
}

/** The action node as the editor saves it, with no other credential than the one that the operation asks for. */
export function makeOperationNode(
	name: string,
	{ resource, operation, parameters, requests }: Omit<DocumentedCall, 'title' | 'output'>,
	credentials: Host['credentials'],
	others: Partial<INode> = {},
): INode {
	// An operation without a request reads the credential of a number.
	const { token } = requests.at(0) ?? { token: 'instance' };
	return makeNode(
		GATEWAY_NODE,
		name,
		saveParameters({ resource, operation, ...parameters } as INodeParameters),
		{ ...choose(credentials[token]), ...others },
	);
}
