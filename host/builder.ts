import type { N8nSession } from './session';

/** n8n's MCP server, through which the models of others build workflows. It looks nodes up as n8n's own AI builder does. */
export interface Builder {
	/** What a tool of the server answers, as the model reads it. Throws if the server knows no such tool. */
	use(tool: string, values: object): Promise<string>;
}

interface Answer {
	result?: { content: Array<{ text: string }>; isError?: boolean };
	error?: { message: string };
}

/** Allows access to the MCP server, as somebody does in n8n's settings, and connects to it. */
export async function openBuilder(api: N8nSession): Promise<Builder> {
	await api.request('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = await api.request<{ apiKey: string }>('GET', '/mcp/api-key');
	return {
		async use(tool, values) {
			const response = await fetch(`${api.url}/mcp-server/http`, {
				method: 'POST',
				headers: {
					authorization: `Bearer ${apiKey}`,
					'content-type': 'application/json',
					accept: 'application/json, text/event-stream',
				},
				body: JSON.stringify({
					jsonrpc: '2.0',
					id: 1,
					method: 'tools/call',
					params: { name: tool, arguments: values },
				}),
			});
			// One event of a stream: its last line holds the answer.
			const [, data] = /^data: (.*)$/m.exec(await response.text()) ?? [];
			const { result, error } = JSON.parse(data ?? '{}') as Answer;
			const text = result?.content.map((part) => part.text).join('\n') ?? '';
			if (result === undefined || result.isError) throw new Error(error?.message ?? text);
			return text;
		},
	};
}
