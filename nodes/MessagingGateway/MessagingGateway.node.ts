import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { propertiesOf } from './action/properties';
import { run } from './action/run';
import { actionHints } from './editor/builderHints';
import { getGroups, searchCommunities, searchGroups } from './editor/lists';
import { testAccountCredential, testInstanceCredential } from './editor/testCredential';
import { resources } from './operations';
import { receiveReply } from './question/receive';

/**
 * Sends messages and manages chats, groups, webhooks and the connection of a number. In comments,
 * API 7.2 is a rule of the gateway's API: `docs/api.md` has them all.
 */
export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		// With a list of versions, n8n offers no Custom API Call: API Request replaces it.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send messages, ask people, and manage chats, groups and webhooks',
		defaults: { name: 'Messaging Gateway' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: actionHints,
		credentials: [
			{
				name: 'messagingGatewayInstanceApi',
				displayName: 'Messaging Gateway Instance Token API',
				required: true,
				testedBy: 'testInstanceCredential',
				// n8n's editor hides a property named here without the slash. Its lint wants literals.
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
							'phoneNumber',
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

	// n8n's lint demands these methods. n8n never calls them for a webhook that only resumes.
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
