import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type ITaskData,
} from 'n8n-workflow';

/** What the model of an agent is told of one call of its tool, first to last. */
export interface ToldCall {
	args: IDataObject;
	answers: string[];
}

/** What goes with a request to n8n and comes back with its answer; nothing comes with the first call. */
interface Round {
	told?: ToldCall[];
}

interface Tool {
	metadata: { sourceNodeName: string };
	invoke(args: IDataObject): Promise<unknown>;
}

const MOST_CALLS = 3;

/**
 * A model as there are many: it calls again what it is told has failed, and leaves alone only what it is told may
 * have been done all the same.
 */
function callsAgain({ answers }: ToldCall): boolean {
	const last = answers.at(-1) ?? '';
	if (/may have been (sent|made)/.test(last) || answers.length >= MOST_CALLS) return false;
	return !/"messageId"|"success":true/.test(last);
}

const describe = (name: string): INodeType['description'] => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: '',
	defaults: { name },
	inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
	outputs: [NodeConnectionTypes.Main],
	properties: [{ displayName: 'Calls', name: 'calls', type: 'string', default: '[]' }],
});

function readCalls(context: IExecuteFunctions): ToldCall[] {
	const calls = JSON.parse(String(context.getNodeParameter('calls', 0))) as IDataObject[];
	return calls.map((args) => ({ args, answers: [] }));
}

const toItems = (told: ToldCall[]): INodeExecutionData[][] => [
	told.map(({ args, answers }) => ({ json: { args, answers } })),
];

/** Calls its tool itself, as AI Agent 2 does: all calls at once, and then again those that its model wants again. */
const callingAgent: INodeType = {
	description: describe('test.callingAgent'),
	async execute(this: IExecuteFunctions) {
		const told = readCalls(this);
		const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
		let wanted = told;
		while (wanted.length > 0) {
			await Promise.all(
				wanted.map(async ({ args, answers }) => {
					try {
						answers.push(String(await tool.invoke(args)));
					} catch {
						// LangChain's executor, which that agent uses, drops the error.
						answers.push('');
					}
				}),
			);
			wanted = wanted.filter(callsAgain);
		}
		return toItems(told);
	},
};

/** What AI Agent 3 makes of what n8n hands it of a tool (its `buildSteps`). */
function tellObservation({ data, error }: ITaskData): string {
	const items = data?.ai_tool?.[0]?.map(({ json }) => json) ?? [];
	if (items.length > 0) return JSON.stringify(items);
	return JSON.stringify(error ? { error: error.message } : '');
}

/** Lets n8n run its tool, as AI Agent 3 does. */
const askingAgent: INodeType = {
	description: describe('test.askingAgent'),
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse<Round>,
	): Promise<INodeExecutionData[][] | EngineRequest<Round>> {
		const told = response?.metadata.told ?? readCalls(this);
		for (const { action, data } of response?.actionResponses ?? [])
			told[Number(action.id)].answers.push(tellObservation(data));
		const wanted = told
			.map((call, index) => ({ call, index }))
			.filter(({ call }) => call.answers.length === 0 || callsAgain(call));
		if (wanted.length === 0) return toItems(told);
		return {
			actions: wanted.map(({ call, index }) => ({
				actionType: 'ExecutionNodeAction' as const,
				nodeName: 'Send',
				type: NodeConnectionTypes.AiTool,
				id: String(index),
				input: call.args,
				metadata: {},
			})),
			metadata: { told },
		};
	},
};

/**
 * Agents with a model inside. Their parameter `calls` holds the arguments of each call of the tool called Send; they
 * put out what the model was told of each.
 */
export const testAgents: Partial<Record<string, INodeType>> = {
	'test.callingAgent': callingAgent,
	'test.askingAgent': askingAgent,
};
