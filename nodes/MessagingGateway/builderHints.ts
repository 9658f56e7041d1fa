import type { INodeTypeDescription } from 'n8n-workflow';

/** The type and the search result of the action node as models read them. */
export const actionHints: INodeTypeDescription['builderHint'] = {
	searchHint:
		'Use it for all of the gateway, never HTTP Request. Pictures, files, polls, buttons: api request. To ask a person: message sendAndWait.',
	extraTypeDefContent: [
		...[
			'Invent no endpoints, fields or values. Resources account and webhook: credential messagingGatewayAccountApi alone; all others: messagingGatewayInstanceApi alone.',
			'Several numbers: call account getInstances first. The option instanceId is refused unless the credential knows it (its own number: Instance ID; others: Further Numbers): tell the user.',
			'The reviewer of an agent, messagingGatewayHitlTool, uses to, message, approvalOptions and options alone; the reviewed tool goes into its tools. {{ $tool.parameters }} prints [object Object]: use JSON.stringify. To instruct the agent (`data.chatInput`), the person must quote the question: say so in message.',
		].map((content) => ({ content })),
		{
			displayOptions: { show: { operation: ['normalize'] } },
			content:
				'Puts out `phone`, `personKey` (as in events: compare and store this, never phones), `country`. For rows: removeDuplicates by personKey behind it.',
		},
		{
			displayOptions: { show: { operation: ['sendText'] } },
			content:
				"Many rows: Loop Over Items of 50: mark the batch in the table, send, note each result (messagesPerMinute counts over all batches). onError 'continueRegularOutput' → $json.messageId, or $json.error.outcome (rejected: not sent; unknown: maybe sent, never send again), $json.error.message. As a tool: no $json and no bare $fromAI in to, or a model writes to anybody; take {{ $('Trigger').item.json.replyTo }}, and give the agent one item.",
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
		"Answer a chat: trigger → Filter `text` not empty (pictures and voice messages have none) → messagingGateway message sendText, to: { __rl: true, mode: 'id', value: expr('{{ $json.replyTo }}') }",
		'An AI answers: Filter `chatInput` not empty; options oneTurnAtATime and combineMessages; `sessionId` for its memory. Of n8n-nodes-base.messageAnAgent (a preview, not retired) the answer is in text.',
		'Several numbers (call account getInstances): choose instanceIds, or answer with `instanceId` as the option instanceId, if the credential knows it. With one number leave it out.',
		'With several events, branch on `type`. Any field can be missing. Never invent a download path.',
	].map((content) => ({ content })),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-messaging-gateway.messagingGateway',
			relationHint: 'Answers in the same chat, and does everything else the gateway can do',
		},
	],
};
