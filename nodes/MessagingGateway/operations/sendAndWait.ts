import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { recipientOptions } from '../fields/common';
import { textField } from '../fields/field';
import { recipientFields } from '../fields/recipient';
import { ENDPOINTS } from '../gateway/endpoints';
import { isReview, isRunForAgent, requireAgentThatWaits, undecided } from '../n8n/agent';
import { passOn } from '../n8n/passInput';
import { ask } from '../question/ask';
import type { QuestionDraft } from '../question/question';
import type { Operation } from './operation';
import { answerFields, questionOptions } from './questionFields';
import { showTyping, typingSeconds } from './typing';

/** A model reads it of a tool or of a review. */
const NOT_ANSWERED = 'Nobody has answered in time, so nothing is decided, and nothing was done.';

export const sendAndWait: Operation = {
	name: 'Send and Wait for Reply',
	value: 'sendAndWait',
	action: 'Send message and wait for reply',
	description: 'Send a message, and go on with what the person answers in the chat',
	effect: 'send',
	request: ENDPOINTS.sendText,
	fields: [
		...recipientFields(
			'Who is asked: a phone number, a chat ID (replyTo of an event), or a group',
			"Do not let the model fill in To. Otherwise it can choose who approves its own call. Enter the person, or choose By ID and {{ $('Name').item.json.replyTo }}.",
		),
		textField({
			displayName: 'Message',
			name: 'message',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. May I refund order 42?',
			description: 'The question',
			as: 'text',
		}),
		...answerFields,
	],
	options: [...recipientOptions, ...questionOptions, typingSeconds],
	perform: async (item, values, request) => {
		const { context, gateway } = item;
		requireAgentThatWaits(context);

		const { text } = request.body as { text: string };
		const { to, responseType: type, options } = values;
		const labels = values.choices ?? values.approvalOptions ?? [];
		const draft = { ...options, text, to, type, labels } as unknown as QuestionDraft;
		const hint = await ask(context, draft, {
			before: async () => await showTyping(item, values),
			send: async (lines) => {
				const body = { to, text: [text, lines].filter(Boolean).join('\n\n') };
				const { items } = await gateway.call({ ...request, body });
				return String(items[0].messageId);
			},
		});

		const json = passOn(context, (input) => withoutAnswer(context, input));
		return { items: [json], ...(hint && { hint }) };
	},
	/** A question that could not be asked goes on as one without an answer, if its node continues. */
	outputOfFailure: (context, error, itemIndex) => {
		const continues = context.getNode().onError === 'continueRegularOutput';
		if (!continues || isRunForAgent(context)) return { error };

		const { json } = context.getInputData()[itemIndex];
		return { ...withoutAnswer(context, json), error };
	},
};

/** The item of a question that nobody has answered: the input without `data`, which would pass for the answer. */
function withoutAnswer(context: IExecuteFunctions, input: IDataObject): IDataObject {
	if (isReview(context)) return undecided(NOT_ANSWERED);
	// The input of a tool is what the model has said itself.
	if (isRunForAgent(context)) return { message: NOT_ANSWERED };

	const json = { ...input };
	delete json.data;
	return json;
}
