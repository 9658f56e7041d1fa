import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import { ENDPOINTS, fillEndpoint } from '../gateway/endpoints';
import { updateWebhook } from '../gateway/webhooks';
import type { GatewayEvent } from '../incoming/event';
import {
	acknowledge,
	defer,
	followResponse,
	refuse,
	requestOf,
	responseOf,
} from '../incoming/respond';
import { verifyDelivery } from '../incoming/signature';
import { textIn } from '../json';
import { rememberQuestion } from './knownQuestions';
import { closeWebhook, openAccount } from './openWebhook';
import {
	composeUrl,
	readLocation,
	readQuestion,
	type KnownQuestion,
	type Question,
} from './question';
import { listLabels, readAnswer, type Answer } from './readAnswer';

/** Receives one delivery while the execution waits. Never throws: n8n would end the execution with an error. */
export async function receiveReply(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handleReply(this);
	} catch (error) {
		this.logger.error('Messaging Gateway: a delivery to a question could not be processed', {
			error,
		});
		return defer(responseOf(this));
	}
}

async function handleReply(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = readQuestion(context);
	const verdict = await verifyDelivery(requestOf(context), () => question?.secret);
	if (question === undefined || verdict.kind !== 'genuine') return refuse(responseOf(context));
	const { event } = verdict;
	const known = rememberQuestion(question, readLocation(context.getQueryData() as IDataObject));
	if (event.type === 'MESSAGE.SENT') return await learnLocation(context, question, event);
	const answer = readAnswer(known, event);
	if (answer === undefined) return acknowledge('Not the answer');
	if (answer === 'unclear') return listAgain(context, known, event);
	return await resume(context, known, event, answer);
}

/** The webhook is deleted after n8n has accepted the answer: until then the gateway repeats it. */
async function resume(
	context: IWebhookFunctions,
	known: KnownQuestion,
	event: GatewayEvent,
	answer: Answer,
): Promise<IWebhookResponseData> {
	const { webhookId, messageId } = known.question;
	const { chat, sender, messageType = 'TEXT' } = event;
	known.answeredBy = event.id;
	const account = await openAccount(context).catch(() => undefined);
	void followResponse(responseOf(context), 'started').responded.then((settlement) => {
		if (settlement === 'accepted' && account) void closeWebhook(context, account, webhookId);
	});
	// The names of n8n's own send-and-wait nodes: the message is the question.
	const responder = sender && { id: sender.id, name: sender.name };
	const respondedAt = new Date().toISOString();
	const json = {
		data: { ...answer, messageType, responder, chatId: chat?.id, messageId, respondedAt },
		replyTo: chat?.id,
		event: event.raw,
	};
	return {
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
		webhookResponse: { message: 'Received' },
	};
}

/** Learns from `MESSAGE.SENT` which chat it is: the network may hide the phone there (API document, "Event types"). */
async function learnLocation(context: IWebhookFunctions, question: Question, event: GatewayEvent) {
	const { webhookId, messageId, until, code } = question;
	if (messageId === undefined || event.messageId !== messageId)
		return acknowledge('Not the question');
	const location = readLocation({ chat: event.chat?.id, instance: event.instanceId });
	rememberQuestion(question, location);
	const url = composeUrl(context, { until, code, ...location });
	// If the gateway cannot change webhooks, this process knows the location until n8n restarts.
	await openAccount(context)
		.then((account) => updateWebhook(account, webhookId, url, ['MESSAGE.RECEIVED']))
		.catch(() => undefined);
	return acknowledge('Noted');
}

/** Sends the numbered labels again, once for each question in a process. The answer may quote them. */
function listAgain(context: IWebhookFunctions, known: KnownQuestion, event: GatewayEvent) {
	if (known.isListedAgain) return acknowledge('Not the answer');
	known.isListedAgain = true;
	known.unclearBy = event.id;
	const to = event.chat?.id ?? known.question.to;
	void sendLabels(context, known, to).catch(({ message }: Error) =>
		context.logger.warn(`Messaging Gateway: the labels could not be listed again: ${message}`),
	);
	return acknowledge('Listed again');
}

async function sendLabels(context: IWebhookFunctions, known: KnownQuestion, to: string) {
	const { instanceId } = known.question;
	const gateway = await openGateway(context, 'instance', { instanceId });
	const { items } = await gateway.call({
		...fillEndpoint(ENDPOINTS.sendText, gateway.overrides),
		body: { to, text: listLabels(known.question) },
		effect: 'send',
	});
	known.listId = textIn(items[0], 'messageId');
}
