import type { IWebhookResponseData } from 'n8n-workflow';
import { acknowledge } from '../webhooks/http';
import type { QuestionDelivery } from './admit';
import { arrangeWebhook } from './parking';
import { composeUrl, type Note } from './url';
import { writeBack } from './writeBack';

/** Tells the person in the background that the reply fits nothing, where that is wanted. */
export function askAgain(delivery: QuestionDelivery): IWebhookResponseData {
	const { account, question, event } = delivery;
	const { webhookId, askAgain: wanted } = question;
	const counted = wanted && account.countAskedAgain(webhookId, event, wanted.maxAttempts);
	if (!wanted || counted === undefined) return acknowledge('Not the answer');
	account.looks.noteTaken(event);
	void noteAndWrite(delivery, counted, wanted.text);
	return acknowledge('Asked again');
}

/** The URL of the webhook holds the count, since it outlasts the process. */
async function noteAndWrite(
	{ context, question, event }: QuestionDelivery,
	counted: Note,
	text: string,
): Promise<void> {
	const webhook = { id: question.webhookId, url: composeUrl(context, counted) };
	// Where the gateway does not change webhooks, this process still knows it.
	await arrangeWebhook(context, webhook, counted.chatId !== undefined).catch(() => {});
	await writeBack(context, question, event, text);
}
