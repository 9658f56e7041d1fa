import type { INodeTypeDescription } from 'n8n-workflow';

/**
 * The call of a tool, as a person is asked about it. The model chooses the order of the values: it could
 * put 500 characters in front of an amount. So a cut call says that it is cut, in words that nobody
 * agrees to. The `u` counts whole characters: no half of an emoji is left.
 */
export const SHOWN_TO_REVIEWER =
	"{{ JSON.stringify($tool.parameters).replace(/^(.{500}).+/su, '$1 … CUT: ANSWER NO') }}";

/** The hints that a model needs for all operations. */
const ALL_OPERATIONS = [
	'Invent no endpoints, fields or values. Credential of account and webhook: messagingGatewayAccountApi; of all others: messagingGatewayInstanceApi.',
	'Several numbers: account getInstances lists them. The credential must know an instanceId (Instance ID; Further Numbers): try instance getSettings with it, and tell the user.',
];

/** The node as a person who reviews the tools of an agent. */
const REVIEWER = [
	'Reviewer of an agent: messagingGatewayHitlTool, with to, message, approvalOptions, options; the reviewed tool goes into its tools.',
	`Write ${SHOWN_TO_REVIEWER}.`,
	'With customers: maxOpenQuestions 5, limitWaitTime 2 hours.',
	'Say in message that a quote of it instructs the agent (`data.chatInput`).',
];

/** The type and the search result of the action node as models read them. */
export const actionHints: INodeTypeDescription['builderHint'] = {
	searchHint:
		'For all of the gateway, never HTTP Request. One get_node_types without operation shows all. Pictures, files, polls, buttons: api request.',
	extraTypeDefContent: [
		...ALL_OPERATIONS.map((content) => ({ content })),
		{ content: REVIEWER.join(' ') },
		{
			displayOptions: { show: { operation: ['normalize'] } },
			content:
				"Puts out `phone`, `personKey` (as in events: compare this, never phones), `country`. Rows: onError 'continueErrorOutput', removeDuplicates by personKey in all rows, then Filter the unsent.",
		},
		{
			displayOptions: { show: { operation: ['sendText'] } },
			content:
				"Many rows: Loop Over Items of 10 (slow: 1; a kill leaves a batch unknown): inside it read stop lists (STOP may come meanwhile), mark the batch in a table chosen by ID, send, note results; if all are unknown (offline), stop with an error (messagesPerMinute counts over batches). onError 'continueRegularOutput' → $json.messageId, or $json.error.outcome (rejected: not sent; unknown: maybe sent, never send again), $json.error.message. As a tool, one item per agent: no $json and no bare $fromAI in to, instanceId, path, body. Take {{ $('Trigger').item.json.replyTo }}, or for groups and communities {{ $fromAI('group').match(/^[\\d-]+@g\\.us$/)?.[0] ?? '' }}",
		},
	],
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
			relationHint: 'Starts a workflow when a message arrives, is sent, delivered or read',
		},
	],
};

/** The same of the trigger. */
export const triggerHints: INodeTypeDescription['builderHint'] = {
	searchHint: 'Creates its own webhook and checks signatures: add no Webhook node. Drops repeats.',
	extraTypeDefContent: [
		"Answer a chat: trigger, option messageTypes 'TEXT, BUTTON_REPLY' (no reaction, picture, system message) → messagingGateway message sendText, to: { __rl: true, mode: 'id', value: expr('{{ $json.replyTo }}') }",
		'An AI answers: these messageTypes, oneTurnAtATime and combineMessages { values: {} } (turns it on), maxStartsPerConversation { values: { maxStarts: 60, minutes: 1440 } }; `sessionId` for its memory. Of n8n-nodes-base.messageAnAgent (a preview, not retired) the answer is in text.',
		'A word starts sendAndWait: combineMessages { values: {} }, and match a line of `text`: two quick messages would ask twice.',
		'Several numbers (account getInstances): choose instanceIds, or answer with `instanceId` as the option instanceId, if the credential knows it. Any field can be missing.',
	].map((content) => ({ content })),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-messaging-gateway.messagingGateway',
			relationHint: 'Answers in the same chat, and does everything else the gateway can do',
		},
	],
};
