import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { propertiesOf } from './action/properties';
import { run } from './action/run';
import { getGroups, searchCommunities, searchGroups } from './gateway/lists';
import { testAccountCredential, testInstanceCredential } from './gateway/testCredential';
import { resources } from './operations';
import { receiveReply } from './question/receive';

/**
 * Sends messages and manages chats, groups, webhooks and the connection of a number. Where comments say "API document" or "the
 * document", they mean the gateway's API documentation; "assumption" and a letter with a number is one of `gateway/assumptions.ts`.
 */
export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		// With a list of versions and a default, n8n offers no Custom API Call: API Request replaces it.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send messages, ask people, and manage chats, groups and webhooks',
		defaults: { name: 'Messaging Gateway' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Use it for all of the gateway, never HTTP Request. Pictures, files, polls, buttons: api request. To ask a person: message sendAndWait.',
			extraTypeDefContent: [
				...[
					'Invent no endpoints, fields or values. Resources account and webhook: credential messagingGatewayAccountApi alone; all others: messagingGatewayInstanceApi alone.',
					'Several numbers: call account getInstances first. The option instanceId is refused unless the credential knows it (its own number: Instance ID; others: Further Numbers): tell the user. With one number leave it out.',
					'The reviewer of an agent, messagingGatewayHitlTool, uses to, message, approvalOptions and options alone; the reviewed tool goes into its tools. {{ $tool.parameters }} prints [object Object]: use JSON.stringify. To instruct the agent (`data.chatInput`), the person must quote the question: say so in message.',
				].map((content) => ({ content })),
				{
					displayOptions: { show: { operation: ['sendText'] } },
					content:
						"Send to rows, no loop: onError 'continueErrorOutput' → output 0: sent; 1: $json.error.outcome (rejected: not sent; unknown: maybe sent, never send again), $json.error.message",
				},
			],
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
				// The slash: if the credentials named Resource itself, n8n's editor would hide it. n8n's lint wants literals.
				displayOptions: {
					show: {
						'/resource': [
							'api',
							'chat',
							'community',
							'group',
							'instance',
							'label',
							'message',
							'newsletter',
							'profile',
						],
					},
				},
			},
			{
				name: 'messagingGatewayAccountApi',
				displayName: 'Messaging Gateway Account Token API',
				required: true,
				testedBy: 'testAccountCredential',
				displayOptions: { show: { '/resource': ['account', 'webhook'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				// n8n finds the waiting node by this path.
				path: '={{ $nodeId }}',
				restartWebhook: true,
				isFullPath: true,
			},
		],
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "The workflow goes on when the person answers in the chat" : "" }}',
		properties: propertiesOf(resources),
	};

	methods = {
		credentialTest: { testAccountCredential, testInstanceCredential },
		listSearch: { searchCommunities, searchGroups },
		loadOptions: { getGroups },
	};

	// n8n's lint demands these methods, and n8n never calls them: this webhook only resumes an execution.
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
