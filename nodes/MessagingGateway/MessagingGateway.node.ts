import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { describe } from './action/describe';
import { run } from './action/run';
import { getGroups, searchCommunities, searchGroups } from './api/lists';
import { testAccountCredential, testInstanceCredential } from './api/testCredential';
import type { TokenKind } from './api/token';
import { resources } from './operations';
import { receiveReply } from './question/receive';

const resourcesOf = (kind: TokenKind): string[] =>
	resources.filter(({ token }) => token === kind).map(({ value }) => value);

/**
 * Sends messages and manages chats, groups, webhooks and the connection of a number. Where comments say "API document" or "the
 * document", they mean the gateway's API documentation; "assumption" and a letter with a number is one of `api/assumptions.ts`.
 */
export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		// As a list, n8n adds no Custom API Call to each menu, which leads to a node that may send twice.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send messages and manage chats, groups, webhooks and the connection of a number',
		defaults: { name: 'Messaging Gateway' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Everything the gateway documents is an operation of this node. Never call the gateway with HTTP Request, and never invent endpoints, fields or values. To answer an event of Messaging Gateway Trigger, use message sendText with "to" in mode "id" and the trigger\'s replyTo. Write phone numbers with + and country code. Pictures, files, polls, buttons and everything else without an operation go through api request. Ask the user for the path and the body. Message sendAndWait asks a person and puts out data.approved (approval), data.choice (choice) or data.text (every answer), with data.respondedAt, replyTo and event. If nobody answers in time, its input goes on without data: branch on $json.data !== undefined first. A failed send says whether it may have been sent: never send it again in a loop.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
					relationHint: 'Starts a workflow when a message arrives, is sent, delivered or read',
				},
			],
		},
		credentials: [
			{
				name: 'messagingGatewayInstanceApi',
				displayName: 'Messaging Gateway Instance Token API',
				required: true,
				testedBy: 'testInstanceCredential',
				displayOptions: { show: { resource: resourcesOf('instance') } },
			},
			{
				name: 'messagingGatewayAccountApi',
				displayName: 'Messaging Gateway Account Token API',
				required: true,
				testedBy: 'testAccountCredential',
				displayOptions: { show: { resource: resourcesOf('account') } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				// Where n8n looks for whoever waits for a signed delivery.
				path: '={{ $nodeId }}',
				restartWebhook: true,
				isFullPath: true,
			},
		],
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "The workflow goes on when the person answers in the chat" : "" }}',
		properties: describe(resources),
	};

	methods = {
		credentialTest: { testAccountCredential, testInstanceCredential },
		listSearch: { searchCommunities, searchGroups },
		loadOptions: { getGroups },
	};

	// A webhook that only resumes is not registered by n8n: the question that waits makes its own at the gateway.
	webhookMethods = {
		default: {
			checkExists: async () => await Promise.resolve(true),
			create: async () => await Promise.resolve(true),
			delete: async () => await Promise.resolve(true),
		},
	};

	execute = run;

	webhook = receiveReply;
}
