import { randomUUID } from 'node:crypto';
import type { ChatReply, ChatRequest } from '../../../../host/chatModel';
import { findBest, readWords } from './words';

type Tool = NonNullable<ChatRequest['tools']>[number];
type ToolCall = NonNullable<ChatReply['tool_calls']>[number];

interface Schema {
	type?: string;
	description?: string;
	enum?: unknown[];
	properties?: Record<string, Schema>;
	required?: string[];
}

/** A tool is called only when this many words of the question stand in its name or description. */
const WORDS_NEEDED = 2;
const PHONE = /\+?\d[\d ().-]{7,}\d/;
const QUOTED = /["“«]([^"”»]+)["”»]/;

/** The call of the tool that fits a question, filled in from the question; undefined if none fits. */
export function callTool(question: string, tools: Tool[]): ToolCall | undefined {
	const describe = ({ function: { name, description } }: Tool) =>
		`${name.replace(/[_-]|(?=[A-Z])/g, ' ')} ${description}`;
	const tool = findBest(readWords(question), tools, describe, WORDS_NEEDED);
	if (tool === undefined) return undefined;
	const { name, description, parameters } = tool.function;
	const given = JSON.stringify(fillIn(parameters as Schema, '', question, description));
	return { id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: given } };
}

/** @param purpose of the tool */
function fillIn(schema: Schema, name: string, question: string, purpose: string): unknown {
	if (schema.enum !== undefined) return schema.enum[0];
	switch (schema.type) {
		case 'object': {
			const { properties = {}, required = Object.keys(properties) } = schema;
			return Object.fromEntries(
				required.map((key) => [key, fillIn(properties[key] ?? {}, key, question, purpose)]),
			);
		}
		case 'number':
		case 'integer':
			return Number(/\d+/.exec(question)?.[0] ?? 0);
		case 'boolean':
			return true;
		case 'array':
			return [];
		default: {
			// The one field of a tool that names none: what it is for is said of the tool alone.
			const meaning = schema.description ?? (name === 'input' ? purpose : '');
			const about = `${name} ${meaning}`;
			const isRecipient = /phone|number|recipient|\bto\b/i.test(about);
			const phone = isRecipient ? PHONE.exec(question)?.[0] : undefined;
			const number = /\bnumber\b/i.test(about) ? /\d+/.exec(question)?.[0] : undefined;
			return phone ?? number ?? QUOTED.exec(question)?.[1] ?? question;
		}
	}
}
