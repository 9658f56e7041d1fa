import { generateNodeTypeFile, type NodeTypeDescription } from '@n8n/workflow-sdk';
import type { INodeProperties, INodeTypeBaseDescription, INodeTypeDescription } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const action = new MessagingGateway().description;
const trigger = new MessagingGatewayTrigger().description;

/** n8n's tool of the node: two parameters come before the others. */
function asTool(description: INodeTypeDescription): INodeTypeDescription {
	const { usableAsTool } = description as INodeTypeBaseDescription;
	const replaced = typeof usableAsTool === 'object' ? usableAsTool.replacements : undefined;
	const tool = { ...description, ...replaced };
	const added: INodeProperties[] = [
		{
			displayName: 'Tool Description',
			name: 'descriptionType',
			type: 'options',
			noDataExpression: true,
			default: 'auto',
			options: [
				{ name: 'Set Automatically', value: 'auto' },
				{ name: 'Set Manually', value: 'manual' },
			],
		},
		{
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			required: true,
			default: tool.description,
			description:
				'Explain to the LLM what this tool does, a good, specific description would allow LLMs to produce expected results much more often',
			displayOptions: { show: { descriptionType: ['manual'] } },
		},
	];
	return { ...tool, properties: [...added, ...tool.properties] };
}

/** n8n's reviewer of an agent's tools: the node without its menus, and with a message of n8n's own. */
function asReviewer(description: INodeTypeDescription): INodeTypeDescription {
	const hidden = ['resource', 'operation', 'responseType', 'message'];
	const message: INodeProperties = {
		displayName: 'Message',
		name: 'message',
		type: 'string',
		required: true,
		default: '=The agent wants to run this tool: {{ $tool.name }}',
		description:
			'Message to send for approval. Use expressions to include tool details: {{ $tool.parameters }}, {{ $json.toolCallId }}',
	};
	const others = description.properties.filter(({ name }) => !hidden.includes(name));
	return { ...description, properties: [message, ...others] };
}

/** What n8n's MCP server tells a model of a community node (`get_node_types`). */
function synthesize(description: INodeTypeDescription): string {
	const properties = description.properties.filter(({ type }) => type !== 'hidden');
	return generateNodeTypeFile({ ...description, properties } as NodeTypeDescription);
}

it.each([
	['the action', action, 36_000],
	['the tool', asTool(action), 46_000],
	['the reviewer', asReviewer(action), 14_000],
	['the trigger', trigger, 6_000],
])('the definition of %s: has at most the characters of its row', (_name, description, limit) => {
	expect(synthesize(description).length).toBeLessThanOrEqual(limit);
});
