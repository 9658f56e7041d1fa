import { generateNodeTypeFile, type NodeTypeDescription } from '@n8n/workflow-sdk';
import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const action = new MessagingGateway().description;
const trigger = new MessagingGatewayTrigger().description;

/** n8n's tool of the node: two parameters come before the others. */
function asTool(description: INodeTypeDescription): INodeTypeDescription {
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
			default: description.description,
			description:
				'Explain to the LLM what this tool does, a good, specific description would allow LLMs to produce expected results much more often',
			displayOptions: { show: { descriptionType: ['manual'] } },
		},
	];
	return {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		outputs: [NodeConnectionTypes.AiTool],
		properties: [...added, ...description.properties],
	};
}

/** n8n's reviewer of an agent's tools: the node without its menus, and with a message of n8n's own. */
function asReviewer(description: INodeTypeDescription): INodeTypeDescription {
	const hidden = ['resource', 'operation', 'responseType', 'message'];
	const message: INodeProperties = {
		displayName: 'Message',
		name: 'message',
		type: 'string',
		required: true,
		default:
			'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}',
		description:
			'Message to send for approval. Use expressions to include tool details: {{ $tool.parameters }}, {{ $json.toolCallId }}',
	};
	const others = description.properties.filter(({ name }) => !hidden.includes(name));
	return {
		...description,
		name: `${description.name}HitlTool`,
		description: 'Request human approval for tools',
		outputs: [NodeConnectionTypes.AiTool],
		properties: [message, ...others],
	};
}

/** As n8n loads it: the menus of a node with one version get an entry that leads to the HTTP Request node. */
function load(description: INodeTypeDescription): INodeTypeDescription {
	const { version, defaultVersion, name } = description;
	const hasEntry = defaultVersion === undefined || defaultVersion === version;
	const entry = { name: 'Custom API Call', value: '__CUSTOM_API_CALL__' };
	const properties = description.properties.map((property) =>
		hasEntry && ['resource', 'operation'].includes(property.name)
			? { ...property, options: [...(property.options ?? []), entry] }
			: property,
	);
	return { ...description, name: `n8n-nodes-messaging-gateway.${name}`, properties };
}

/** What n8n's MCP server tells a model of a community node (`get_node_types`). */
function synthesize(description: INodeTypeDescription): string {
	const loaded = load(description);
	const properties = loaded.properties.filter(({ type }) => type !== 'hidden');
	return generateNodeTypeFile({ ...loaded, properties } as NodeTypeDescription);
}

// A model reads all of it for any operation. A new operation or option raises the limits by its own part, some 600 characters.
it.each([
	['the action', action, 22_000],
	['the tool', asTool(action), 32_000],
	['the reviewer', asReviewer(action), 11_000],
	['the trigger', trigger, 6_750],
])('the definition of %s: has at most the characters of its row', (_name, description, limit) => {
	expect(synthesize(description).length).toBeLessThanOrEqual(limit);
});

it.each(['to', 'options'])('the definition of the reviewer: has %s of Send and Wait', (name) => {
	const [before] = synthesize(asReviewer(action)).split(`\n    ${name}?: `);
	const comment = before.slice(before.lastIndexOf('/**'));
	expect(comment).toContain('operation: ["sendAndWait"]');
});
