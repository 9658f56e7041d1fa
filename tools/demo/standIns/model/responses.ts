import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ChatReply, ChatRequest } from '../../../../host/chatModel';
import { answer } from './answer';
import { readRole, readText, type Content, type Message } from './messages';
import { sendEvents } from './stream';

interface InputItem {
	type?: string;
	role?: Message['role'] | 'developer';
	content?: Content;
	/** What a tool has answered. */
	output?: string;
	/** Which tool the model has called, its values as JSON, and the id of the call. */
	name?: string;
	arguments?: string;
	call_id?: string;
}

interface ResponsesRequest {
	model: string;
	stream?: boolean;
	instructions?: string;
	input: string | InputItem[];
	tools?: Array<{ type: 'function'; name: string; description: string; parameters: object }>;
}

/** OpenAI's Responses, which n8n's newer nodes use unless told otherwise, at once or as a stream. */
export function addResponses(app: FastifyInstance): void {
	app.post<{ Body: ResponsesRequest }>('/v1/responses', async ({ body }, reply) => {
		const item = describeOutput(answer(readRequest(body)));
		const response = {
			id: `resp_${randomUUID()}`,
			object: 'response',
			created_at: Math.floor(Date.now() / 1000),
			model: body.model,
			status: 'completed',
			error: null,
			incomplete_details: null,
			output: [item],
			usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
		};
		if (!body.stream) return response;
		const begun = { ...response, status: 'in_progress', output: [] };
		const events = [
			{ type: 'response.created', response: begun },
			{ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
			...(item.content ? [describeText(item.content[0].text)] : []),
			{ type: 'response.completed', response },
		];
		return await sendEvents(
			reply,
			events.map((event) => ({ name: event.type, data: event })),
		);
	});
}

function readRequest({ model, instructions, input, tools }: ResponsesRequest): ChatRequest {
	const items: InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
	const system: InputItem[] = instructions ? [{ role: 'system', content: instructions }] : [];
	return {
		model,
		messages: [...system, ...items].map(readItem),
		tools: tools?.map(({ type, ...described }) => ({ type, function: described })),
	};
}

function readItem(item: InputItem): Message {
	const { type, role = 'assistant', content, output, name = '', call_id: id = '' } = item;
	if (type === 'function_call_output') return { role: 'tool', content: output ?? '' };
	if (type === 'function_call') {
		const called = { name, arguments: item.arguments ?? '' };
		return {
			role: 'assistant',
			content: null,
			tool_calls: [{ id, type: 'function', function: called }],
		};
	}
	return { role: readRole(role), content: readText(content) };
}

function describeOutput({ content, tool_calls: [call] = [] }: ChatReply) {
	const status = 'completed';
	if (call !== undefined) {
		const { id, function: called } = call;
		return { type: 'function_call', id: `fc_${id}`, call_id: id, ...called, status };
	}
	return {
		type: 'message',
		id: `msg_${randomUUID()}`,
		role: 'assistant',
		status,
		content: [{ type: 'output_text', text: content ?? '', annotations: [] }],
	};
}

function describeText(delta: string) {
	return { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta };
}
