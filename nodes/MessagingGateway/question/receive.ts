import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { askGateway, openAccess } from '../api/request';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { followAnswer } from '../webhooks/followAnswer';
import {
	acknowledge,
	postpone,
	refuse,
	requestOf,
	responseOf,
	signedPartOf,
} from '../webhooks/http';
import { verifyDelivery } from '../webhooks/signature';
import { readMeaning, type Meaning } from './meaning';
import { countAskedAgain, keep, noteLook, noteQuestion, quotesAnother, resumed } from './memory';
import { findQuestion, isQuestion, isReply, isUntold, type Question } from './question';
import { arrangeWebhook, arrangeWebhooks, RELAY_SECRET } from './relay';
import { closeWebhook } from './sweep';
import { composeUrl, placeOf, type Note } from './url';

/** A delivery to an execution that waits. */
interface Delivery {
	context: IWebhookFunctions;
	question: Question;
	note: Note;
	event: GatewayEvent;
}

/**
 * Takes one delivery while the execution waits: the answer resumes it, everything else leaves it waiting. Never throws,
 * since n8n would end the execution with an error.
 */
export async function receiveReply(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await take(this);
	} catch (error) {
		this.logger.error('Messaging Gateway: a delivery to a question could not be taken', { error });
		return postpone(responseOf(this));
	}
}

async function take(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = findQuestion(context);
	const { until, ...place } = context.getQueryData() as IDataObject;
	// Of an earlier question, as in a loop: what is left of that says so, as n8n does, and is swept.
	if (question !== undefined && question.until !== Number(until))
		return acknowledge('No action required');
	const verify = async (secret?: string) =>
		await verifyDelivery(
			signedPartOf(requestOf(context)),
			async () => await Promise.resolve(secret),
		);
	let verdict = await verify(question?.secret);
	if (verdict.kind === 'forged') verdict = await verify(RELAY_SECRET);
	if (question === undefined || verdict.kind !== 'genuine') return refuse(responseOf(context));
	const { event } = verdict;
	const note = { to: question.to, until: Number(until), ...placeOf(place) };
	const delivery = { context, question, event, note };
	const known = noteQuestion(question.webhookId, note, question.messageId);
	if (isQuestion(question, event)) return await learn(delivery);
	if (!event.type.startsWith('MESSAGE.')) return await stir(delivery);
	const isMine = isReply(question, known, event);
	if (!isMine && isUntold(question, known, event)) return postpone(responseOf(context));
	const isAnother = isMine && (await quotesAnother(question.webhookId, event));
	const answer = isMine && !isAnother ? read(question, event) : undefined;
	if (answer === undefined) {
		noteLook(question.webhookId, event, false);
		return acknowledge('Not the answer');
	}
	return answer.meaning ? await resume(delivery, answer) : await askAgain(delivery);
}

interface Reply {
	/** What the person wrote, or the ID of the button that was pressed. */
	text: string;
	/** Undefined where it fits nothing that was asked. */
	meaning?: Meaning;
	/** Whether a reviewer has written what the agent is to do instead. */
	isFeedback: boolean;
}

function read(question: Question, event: GatewayEvent): Reply {
	const data = dataOf(event);
	const said = [textIn(data, 'text'), textIn(recordIn(data, 'buttonReply'), 'id')].filter(
		(text) => text !== undefined,
	);
	const text = said.at(0) ?? '';
	const meaning = readMeaning(question, said);
	const isFeedback = meaning === undefined && question.isReview && text.trim() !== '';
	return { text, meaning: isFeedback ? { approved: false } : meaning, isFeedback };
}

/** Resumes the execution. Only once n8n has done so the webhook goes: until then the gateway repeats the answer. */
async function resume(
	{ context, question: { webhookId, isReview }, event }: Delivery,
	{ text, meaning, isFeedback }: Reply,
): Promise<IWebhookResponseData> {
	const first = resumed.get(webhookId);
	// If that fails, the first answer comes again: so it must not be told that it has arrived.
	if (first === event.id) return postpone(responseOf(context));
	if (first !== undefined) return acknowledge('Answered already');
	keep(resumed, webhookId, event.id);
	const access = await openAccess(context, 'account').catch(() => undefined);
	followAnswer(responseOf(context), 'started', (settlement) => {
		const isTaken = settlement === 'accepted';
		noteLook(webhookId, event, isTaken);
		// n8n 1 answers before it goes on, and would go on once more with another reply until it has.
		if (isTaken) void closeWebhook(context, webhookId, access);
		else resumed.delete(webhookId);
		return settlement;
	});
	const json: IDataObject = {
		answered: true,
		text,
		...meaning,
		// n8n hands a model what a reviewer says beside yes and no.
		...((isFeedback || !isReview) && { chatInput: text }),
		event,
	};
	return {
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
		webhookResponse: { message: 'Received' },
	};
}

/** Tells the person that the reply fits nothing, in the background and at most once: the gateway may repeat it. */
async function askAgain({ context, question, event }: Delivery): Promise<IWebhookResponseData> {
	const { webhookId, askAgain: again } = question;
	const to = textIn(recordIn(dataOf(event), 'chat'), 'id');
	const isDue = again !== undefined && countAskedAgain(webhookId, event.id) <= again.maxAttempts;
	noteLook(webhookId, event, isDue);
	if (!isDue) return acknowledge('Not the answer');
	const access = await openAccess(context, 'instance');
	const request = { method: 'POST', path: '/v1/messages/send-text', token: 'instance' } as const;
	const body = { to, text: again.text };
	askGateway(context, { ...request, effect: 'send', body }, { access, itemIndex: 0 }).catch(
		({ message }: Error) =>
			context.logger.warn(`Messaging Gateway: a question could not be asked again: ${message}`),
	);
	return acknowledge('Asked again');
}

/**
 * Learns from the message itself where it was sent: a number of its own, and a chat whose phone the network may hide
 * (API document, "Event types"). Then its webhook gets nothing else than what may be the answer.
 */
async function learn({
	context,
	question: { webhookId },
	note,
	event,
}: Delivery): Promise<IWebhookResponseData> {
	const chat = textIn(recordIn(dataOf(event), 'chat'), 'id');
	const learnt = { ...note, ...placeOf({ chat, instance: event.instanceId }) };
	noteQuestion(webhookId, learnt);
	const { chatId } = learnt;
	// Where the gateway does not change webhooks, this process knows it, and what comes in vain is dropped.
	const webhook = { id: webhookId, url: composeUrl(context, learnt) };
	await arrangeWebhook(context, webhook, chatId !== undefined).catch(() => {});
	return acknowledge('Noted');
}

/** Takes what comes to a webhook that rests: if there is nobody who hands it its messages, it gets them itself again. */
async function stir({
	context,
	question: { webhookId },
	note,
	event,
}: Delivery): Promise<IWebhookResponseData> {
	const url = composeUrl(context, note);
	const webhook = { id: webhookId, url, events: [event.type] };
	const { unchanged } = await arrangeWebhooks(context, [webhook]);
	return unchanged.length === 0 ? acknowledge('Noted') : postpone(responseOf(context));
}
