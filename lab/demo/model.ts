import type { ChatReply, ChatRequest } from '../host/chatModel';

type Tool = NonNullable<ChatRequest['tools']>[number];

const FACT = /^\s*[-*]?\s*([^:\n]{2,40}):\s+(\S.*)$/gm;
const MIN_LENGTH = 4;

/**
 * The stand-in for a language model: it answers with the line of the system message that shares most words with the
 * question, or calls the tool whose description does, with the first number of the question or the whole question.
 */
export function answer({ messages, tools = [] }: ChatRequest): ChatReply {
	const last = messages.at(-1);
	if (last?.role === 'tool') return { content: `The tool says: ${last.content}` };

	const question = textOf(last?.content);
	const describe = ({ function: { name, description } }: Tool) => `${name} ${description}`;
	const [tool] = rank(question, tools, describe);
	if (tool !== undefined) return { content: null, tool_calls: [callOf(tool, question)] };

	const system = messages
		.filter(({ role }) => role === 'system' || role === 'developer')
		.map(({ content }) => textOf(content));
	const facts = [...system.join('\n').matchAll(FACT)].map(([line]) => line.trim());
	const [fact] = rank(question, facts, (each) => each);
	return {
		content:
			fact ??
			'I am the stand-in for a language model: no line of the System Message fits. A colleague will answer.',
	};
}

/** Newer chat models send a text in parts. */
function textOf(content: unknown): string {
	if (Array.isArray(content))
		return content.map((part: { text?: string }) => part.text ?? '').join('\n');
	return typeof content === 'string' ? content : '';
}

const wordsOf = (text: string) =>
	(text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= MIN_LENGTH);

/** The candidates that share a word with the question, the closest first. */
function rank<T>(question: string, candidates: T[], describe: (candidate: T) => string): T[] {
	const asked = wordsOf(question);
	// "open" fits "opening".
	const isAsked = (word: string) =>
		asked.some((each) => word.startsWith(each) || each.startsWith(word));
	const score = (candidate: T) => wordsOf(describe(candidate)).filter(isAsked).length;
	return candidates
		.filter((candidate) => score(candidate) > 0)
		.sort((one, other) => score(other) - score(one));
}

function callOf(tool: Tool, question: string) {
	const { properties = {} } = tool.function.parameters as {
		properties?: Record<string, { type?: string }>;
	};
	const number = /\+?\d[\d ().-]*/.exec(question)?.[0].trim();
	const values = Object.entries(properties).map(([name, { type }]) => {
		if (type === 'boolean') return [name, true];
		if (type === 'number' || type === 'integer') return [name, Number(number ?? 0)];
		return [name, number ?? question];
	});

	return {
		id: `call_${Date.now()}`,
		type: 'function' as const,
		function: {
			name: tool.function.name,
			arguments: JSON.stringify(Object.fromEntries(values)),
		},
	};
}
