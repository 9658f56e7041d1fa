import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowDraft } from '../../../host/api';
import type { ChatRequest } from '../../../host/chatModel';
import { projectFolder } from '../../../host/places';
import { answer, ModelFailure } from '../../../tools/demo/standIns/model/answer';

// What the demo's stand-in for a language model says, asked as the example "AI agent in the chat" asks it.

const example = JSON.parse(
	readFileSync(join(projectFolder, 'examples', 'ai-agent.json'), 'utf8'),
) as WorkflowDraft;
const { systemMessage } = example.nodes.find(({ name }) => name === 'AI Agent')?.parameters
	.options as { systemMessage: string };

type Message = ChatRequest['messages'][number];
const said = (content: string): Message => ({ role: 'user', content });
const system: Message = { role: 'system', content: systemMessage };
const ask = (messages: Message[], tools?: ChatRequest['tools']) =>
	answer({ model: 'any', messages, ...(tools && { tools }) });
const hear = (...texts: string[]) =>
	ask([
		system,
		...texts
			.flatMap((text) => [said(text), { role: 'assistant' as const, content: 'Yes.' }])
			.slice(0, -1),
	]).content;

describe('in words', () => {
	it.each([
		['When do you open?', /^Opening hours: Monday to Saturday 6 to 20 h/],
		['What are your opening hours on Sunday?', /^Opening hours/],
		['Where are you?', /^Address: Rua das Flores 120/],
		['And your address, please?', /^Address/],
	])('answers "%s" from the system message', (question, expected) => {
		expect(hear(question)).toMatch(expected);
	});

	it('greets who tells a name, answers the question too, and remembers the name', () => {
		const first = 'My name is Ana. When do you open?';
		expect(hear(first)).toMatch(/^Nice to meet you, Ana! Opening hours/);
		expect(hear(first, 'What is my name?')).toBe('You are Ana.');
		expect(hear('Meu nome é Lúcia', 'What is my name?')).toBe('You are Lúcia.');
		expect(hear('What is my name?')).toMatch(/not told me/);
	});

	it('says what it is when nothing fits', () => {
		expect(hear('Do you sell bicycles?')).toMatch(/stand-in for a language model/);
		expect(ask([said('Hello')]).content).toMatch(/stand-in for a language model/);
	});

	it('says only the text of a line whose title is all that it is asked', () => {
		const known: Message = { role: 'system', content: '(no words): I see no pictures.' };
		expect(ask([known, said('(no words)')]).content).toBe('I see no pictures.');
	});

	it('fails when it is asked to', () => {
		expect(() => hear('Please let the model fail')).toThrow(ModelFailure);
		expect(hear('Where are you?')).toMatch(/^Address/);
	});

	it('tells everything it knows at length, with Markdown', () => {
		expect(hear('Tell me everything!')).toMatch(
			/\n\n\*\*Opening hours\*\*\nMonday[^]*\n\n\*\*Address\*\*\nRua[^]*\n\n_/,
		);
	});
});

describe('with tools', () => {
	const tools: ChatRequest['tools'] = [
		tool('archive_chat', 'Archives a chat', { to: { type: 'string', description: 'Phone' } }),
		tool('send_message', 'Sends a text message to a person', {
			recipient: { type: 'string', description: 'Phone of the recipient' },
			text: { type: 'string' },
			urgent: { type: 'boolean' },
			copies: { type: 'number' },
			mode: { enum: ['now', 'later'] },
			details: { type: 'object', properties: { tags: { type: 'array' } } },
		}),
	];
	function tool(name: string, description: string, properties: object) {
		return {
			type: 'function' as const,
			function: { name, description, parameters: { type: 'object', properties } },
		};
	}

	it('calls the one that fits, filled in from what was written', () => {
		const question = 'Send the message "Bread is ready" to the person +55 11 90000-0001';
		const { content, tool_calls: [call] = [] } = ask([system, said(question)], tools);
		expect(content).toBeNull();
		expect(call.function.name).toBe('send_message');
		expect(JSON.parse(call.function.arguments)).toEqual({
			recipient: '+55 11 90000-0001',
			text: 'Bread is ready',
			urgent: true,
			copies: 55,
			mode: 'now',
			details: { tags: [] },
		});
	});

	it('calls none when none fits', () => {
		expect(ask([system, said('When do you open?')], tools)).toEqual({
			content: expect.stringContaining('Opening hours'),
		});
	});

	it('gives a tool without fields of its own the number that its description asks for', () => {
		const refund = tool('refund_order', 'Refunds an order. The input is the number of the order.', {
			// Where somebody reviews the call, n8n puts the fields of the tool into one.
			toolParameters: { type: 'object', properties: { input: { type: 'string' } } },
		});
		const { tool_calls: [call] = [] } = ask([said('Please refund order 42')], [refund]);
		expect(JSON.parse(call.function.arguments)).toEqual({ toolParameters: { input: '42' } });
	});

	it.each([
		['{"messageId":"A1"}', 'The tool says: {"messageId":"A1"}'],
		['Not found', 'The tool says: Not found'],
		['[{"response":"Order 42 is refunded."}]', 'The tool says: Order 42 is refunded.'],
	])('passes on what the tool has answered, and claims nothing itself: %s', (content, expected) => {
		const result: Message = { role: 'tool', content };
		expect(ask([system, said('Do it'), result], tools).content).toBe(expected);
	});

	it('says after a tool what the system message wants it to say then', () => {
		const known: Message = { role: 'system', content: 'After archive_chat, say: It is put away.' };
		const called = { name: 'archive_chat', arguments: '{}' };
		const call: Message = {
			role: 'assistant',
			content: null,
			tool_calls: [{ id: '1', type: 'function', function: called }],
		};
		const result: Message = { role: 'tool', content: '[{"id":1}]' };
		expect(ask([known, said('Archive it'), call, result], tools).content).toBe('It is put away.');
	});

	// In the words of n8n 2.41, `processHitlResponses.js`.
	it.each([
		[
			'User rejected the tool call to refund_order (id: call_1). STOP what you are doing and wait for the user to tell you how to proceed. The tool is still available if needed.',
			'A colleague has looked at this and did not agree. Please write again if there is anything else.',
		],
		[
			'The user reviewed your planned tool call to refund_order (id: call_1) and provided feedback: "Offer a voucher, say \"sorry\"". The tool is still available if needed.',
			'A colleague has looked at this and says: Offer a voucher, say "sorry"',
		],
	])(
		'tells the customer what the colleague has decided, not n8n’s words: %s',
		(output, expected) => {
			const result: Message = { role: 'tool', content: JSON.stringify([{ output }]) };
			expect(ask([system, said('Please refund order 42'), result], tools).content).toBe(expected);
		},
	);
});
