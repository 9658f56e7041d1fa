import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { instanceId } from '../fields/common';
import { textField } from '../fields/field';
import { recipientFields } from '../fields/recipient';
import { ENDPOINTS } from '../gateway/endpoints';
import { requireAgentThatWaits } from '../n8n/agent';
import { ask, isReview } from '../question/ask';
import type { QuestionDraft } from '../question/question';
import type { Operation } from './operation';
import { answerFields, questionOptions } from './questionFields';
import { showTyping, typingSeconds } from './typing';

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
	options: [instanceId, ...questionOptions, typingSeconds],
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
		return { items: [passInput(context)], ...(hint && { hint }) };
	},
};

/** Passes the input on if nobody answers in time, without `data`, which would pass for the answer. */
function passInput(context: IExecuteFunctions): IDataObject {
	const executeData = context.getExecuteData();
	// n8n disables this object when it goes on. Other calls of an agent share it.
	executeData.node = { ...executeData.node };
	const items = (executeData.data.main[0] ?? []).map((item) => {
		const json = isReview(context) ? {} : { ...item.json };
		delete json.data;
		return { ...item, json };
	});
	executeData.data.main = [items];
	return items[0].json;
}
