import type { INode } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../../lab/host/api';
import { choose, lead, makeNode, makeStart } from '../../../lab/host/drafts/nodes';

/** A webhook starts an agent that has these tools and says what a scripted model says. */
export function draftAgent(
	path: string,
	{
		text,
		tools,
		model,
		typeVersion = 3.1,
	}: {
		/** What the agent is told. */
		text: string;
		tools: INode[];
		/** The credential of its model. */
		model: StoredCredential;
		typeVersion?: number;
	},
): WorkflowDraft {
	const chatModel = makeNode(
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		'Chat Model',
		{ model: { __rl: true, mode: 'id', value: 'any' }, options: {} },
		{ typeVersion: 1.2, ...choose(model) },
	);

	const agent = makeNode(
		'@n8n/n8n-nodes-langchain.agent',
		'AI Agent',
		{ promptType: 'define', text, options: {} },
		{ typeVersion },
	);

	const toAgent = (type: 'ai_languageModel' | 'ai_tool') => ({
		[type]: [[{ node: 'AI Agent', type, index: 0 }]],
	});

	return {
		name: path,
		nodes: [makeStart(path), agent, chatModel, ...tools],
		connections: {
			Start: { main: [lead(['AI Agent'])] },
			'Chat Model': toAgent('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
		},
	};
}
