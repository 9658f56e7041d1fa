import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ChatRequest } from '../../../../host/chatModel';
import { answer } from './answer';
import { readRole, readText, type Content, type Message } from './messages';
import { sendEvents } from './stream';

interface CompletionsRequest extends Omit<ChatRequest, 'messages'> {
	stream?: boolean;
	messages: Array<
		Pick<Message, 'tool_calls'> & { role: Message['role'] | 'developer'; content: Content }
	>;
}

/** OpenAI's chat completions, at once or as a stream. */
export function addCompletions(app: FastifyInstance): void {
	app.post<{ Body: CompletionsRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		const messages = body.messages.map(({ role, content, tool_calls }) => ({
			role: readRole(role),
			content: readText(content),
			...(tool_calls && { tool_calls }),
		}));
		const said = answer({ ...body, messages });
		const message = { role: 'assistant', ...said };
		const finish_reason = said.tool_calls ? 'tool_calls' : 'stop';
		const completion = {
			id: `chatcmpl-${randomUUID()}`,
			created: Math.floor(Date.now() / 1000),
			model: body.model,
		};
		if (!body.stream)
			return {
				...completion,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
		const tool_calls = said.tool_calls?.map((call, index) => ({ index, ...call }));
		const choices = [
			{ index: 0, delta: { ...message, tool_calls }, finish_reason: null },
			{ index: 0, delta: {}, finish_reason },
		];
		const chunks = choices.map((choice) => ({
			data: { ...completion, object: 'chat.completion.chunk', choices: [choice] },
		}));
		return await sendEvents(reply, [...chunks, { data: '[DONE]' }]);
	});
}
