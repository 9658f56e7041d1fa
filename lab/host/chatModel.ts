import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { N8nApi, StoredCredential } from './api';

interface ToolCall {
	id: string;
	type: 'function';
	/** `arguments` is JSON as text. */
	function: { name: string; arguments: string };
}

/** What the agent says to the model; only what tests look at. */
export interface ChatRequest {
	model: string;
	/** Whether the reply is wanted as events, as n8n's Agents do. */
	stream?: boolean;
	messages: Array<{
		/** n8n sends its System Message to newer models as the developer's. */
		role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
		content: string | null;
		tool_calls?: ToolCall[];
	}>;
	tools?: Array<{
		type: 'function';
		function: { name: string; description: string; parameters: object };
	}>;
}

export interface ChatReply {
	content: string | null;
	tool_calls?: ToolCall[];
}

/** A language model that says what a test wants it to say. */
export interface ChatModel {
	/** For the credential's Base URL. */
	url: string;
	/** Everything that was asked, in order. */
	requests: ChatRequest[];
	stop(): Promise<void>;
}

/** A language model that says what stands in its script, one after another. */
export interface ScriptedModel extends ChatModel {
	script: Array<(request: ChatRequest) => ChatReply>;
}

export async function startScriptedModel(): Promise<ScriptedModel> {
	const chatModel = await startChatModel(
		(request) => model.script.shift()?.(request) ?? { content: 'There is nothing left to say.' },
	);
	const model: ScriptedModel = Object.assign(chatModel, { script: [] });
	return model;
}

/** What a model says to have one tool called. */
export function callTool(name: string, values: object): ChatReply {
	const id = `call_${randomUUID()}`;
	const called = { name, arguments: JSON.stringify(values) };
	return { content: null, tool_calls: [{ id, type: 'function', function: called }] };
}

/** The credential with which n8n asks a model. */
export async function createModelCredential(
	api: N8nApi,
	{ url }: ChatModel,
): Promise<StoredCredential> {
	return await api.createCredential('openAiApi', 'OpenAI account', { apiKey: 'any', url });
}

/** Starts a server that speaks OpenAI's chat completions, for n8n's OpenAI Chat Model node. */
export async function startChatModel(
	reply: (request: ChatRequest) => ChatReply,
	port = 0,
): Promise<ChatModel> {
	const requests: ChatRequest[] = [];

	const server = createServer(async (request, response) => {
		const respond = (body: object) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

		// The editor lists the models.
		if (request.method === 'GET') {
			respond({ data: [{ id: 'gpt-5-mini' }] });
			return;
		}

		const body = await readBody(request);
		// n8n's Agents try OpenAI's Responses first.
		if (request.url?.endsWith('/responses')) {
			response.writeHead(404).end('{}');
			return;
		}

		const asked = JSON.parse(body) as ChatRequest;
		requests.push(asked);
		const completion = complete(asked, reply(asked), requests.length);
		if (!asked.stream) {
			respond(completion);
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(`data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`);
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/** A reply as OpenAI's chat completions give it, or as its one event if the request asks for events. */
function complete({ model, stream }: ChatRequest, reply: ChatReply, count: number) {
	const message = { role: 'assistant', ...reply };
	const delta = {
		...message,
		tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })),
	};

	return {
		id: `chatcmpl-${count}`,
		object: stream ? 'chat.completion.chunk' : 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [
			{
				index: 0,
				...(stream ? { delta } : { message }),
				finish_reason: message.tool_calls ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
