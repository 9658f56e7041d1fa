import type { ChatReply, ChatRequest } from '../../../../host/chatModel';
import { callTool } from './callTool';
import { findBest, readWords } from './words';

/** Why the model does not answer, as a model tells it. */
export class ModelFailure extends Error {}

/** Asked for on the phone page, so that a person sees what a workflow does then. */
const ASKS_FAILURE = /\blet the model fail\b/i;
const NAME = /(?:my name is|i am called|i'm called|meu nome é|me chamo)\s+(\p{L}+)/iu;
const ASKS_NAME = /what is my name|what's my name|who am i|qual é o meu nome/i;
const ASKS_EVERYTHING = /everything|tudo/i;
/** What n8n tells a model of a tool whose call somebody has reviewed. */
const REJECTED = /^User rejected the tool call to /;
const FEEDBACK =
	/^The user reviewed your planned tool call to .* and provided feedback: "([^]*)"\. The tool is/;
const FACT = /^\s*[-*]?\s*([^:\n]{2,40}):\s+(\S.*)$/gm;

/**
 * What the demo's stand-in for a language model answers. It knows nothing of its own: it finds in the system message the
 * line that fits, remembers a name that was told before, and calls the tool whose description fits.
 *
 * @throws {ModelFailure} when it is asked to fail
 */
export function answer({ messages, tools = [] }: ChatRequest): ChatReply {
	const facts = readFacts(messages);
	const last = messages.at(-1);
	if (last?.role === 'tool')
		return { content: whatToSay(messages, facts) ?? tellResult(readResult(last.content ?? '')) };

	const saidByPerson = messages
		.filter(({ role }) => role === 'user')
		.map(({ content }) => content ?? '');
	const question = saidByPerson.at(-1) ?? '';
	if (ASKS_FAILURE.test(question)) throw new ModelFailure('The model fails, as you have asked.');
	const call = callTool(question, tools);
	if (call !== undefined) return { content: null, tool_calls: [call] };

	return { content: answerInWords(question, saidByPerson, facts) };
}

interface Fact {
	title: string;
	text: string;
}

/** The lines of the system message with a title. */
function readFacts(messages: ChatRequest['messages']): Fact[] {
	const known = messages
		.filter(({ role }) => role === 'system')
		.map(({ content }) => content ?? '');
	return [...known.join('\n').matchAll(FACT)].map(([, title, text]) => ({ title, text }));
}

/** What the system message tells the model to say after the tool that it has called last. */
function whatToSay(messages: ChatRequest['messages'], facts: Fact[]): string | undefined {
	const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
	const name = calls.at(-1)?.function.name;
	return facts.find(({ title }) => title === `After ${name}, say`)?.text;
}

function answerInWords(question: string, saidByPerson: string[], facts: Fact[]): string {
	const names = saidByPerson
		.map((said) => NAME.exec(said)?.[1])
		.filter((name) => name !== undefined);
	if (ASKS_NAME.test(question))
		return names.length > 0 ? `You are ${names.at(-1)}.` : 'You have not told me your name yet.';
	if (ASKS_EVERYTHING.test(question) && facts.length > 0) return listAll(facts);

	const meant = facts.find(({ title }) => title === question);
	if (meant !== undefined) return meant.text;

	const told = NAME.exec(question)?.[1];
	const greeting = told === undefined ? [] : [`Nice to meet you, ${told}!`];
	const fact = findBest(readWords(question), facts, ({ title, text }) => `${title} ${text}`);
	const found = fact === undefined ? [] : [`${fact.title}: ${fact.text}`];
	if (greeting.length + found.length > 0) return [...greeting, ...found].join(' ');
	return 'I am the demo’s stand-in for a language model: I only find lines of the System Message, and none fits what you wrote. A colleague will answer.';
}

/** A long answer with Markdown, as language models like to write them. */
function listAll(facts: Fact[]): string {
	const paragraphs = facts.map(({ title, text }) => `**${title}**\n${text}`);
	return ['Here is everything I know.', ...paragraphs, '_Is there anything else?_'].join('\n\n');
}

function tellResult(result: string): string {
	if (REJECTED.test(result))
		return 'A colleague has looked at this and did not agree. Please write again if there is anything else.';
	const feedback = FEEDBACK.exec(result)?.[1];
	if (feedback !== undefined) return `A colleague has looked at this and says: ${feedback}`;
	return `The tool says: ${result}`;
}

/** What a tool has answered, without what n8n puts around the text of one. */
function readResult(content: string): string {
	const text = /^\[\{"(?:output|response)":("(?:[^"\\]|\\.)*")\}\]$/.exec(content)?.[1];
	return text === undefined ? content : (JSON.parse(text) as string);
}
