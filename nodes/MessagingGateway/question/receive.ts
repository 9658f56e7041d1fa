import {
	deepCopy,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { openAccess } from '../api/request';
import { dataOf, recordIn, textIn, timeOf, type GatewayEvent } from '../webhooks/event';
import { followAnswer } from '../webhooks/followAnswer';
import { acknowledge, defer, refuse, responseOf } from '../webhooks/http';
import { admitToQuestion, type QuestionDelivery } from './admit';
import { readMeaning, type Meaning } from './meaning';
import { arrangeWebhook, arrangeWebhooks } from './parking';
import {
	findOrigin,
	findQuestion,
	isQuestion,
	TOLD_WITHIN_MS,
	type Origin,
	type Question,
} from './question';
import { askForQuote, judgeConsent } from './soleApproval';
import { closeWebhook } from './sweep';
import { composeUrl, detailsOf } from './url';
import { askAgain } from './writeBack';

/** So long the gateway repeats what it has told of a question, while it does not let that be noted. */
const NOTED_WITHIN_MS = 2 * 60_000;

/**
 * Takes one delivery while the execution waits: the answer resumes it, everything else leaves it waiting. Never throws,
 * since n8n would end the execution with an error.
 */
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
	const question = findQuestion(context);
	const { until, ...details } = context.getQueryData() as IDataObject;
	// Of an earlier question, as in a loop: what is left of that says so, as n8n does, and is swept.
	if (question !== undefined && question.until !== Number(until))
		return acknowledge('No action required');
	const admitted = question && (await admitToQuestion(context, question));
	if (question === undefined || admitted === undefined) return refuse(responseOf(context));
	const { account, event } = admitted;
	const found = { to: question.to, until: Number(until), ...detailsOf(details) };
	const note = account.note(question.webhookId, found, question.messageId);
	const delivery = { context, account, question, event, note };
	if (isQuestion(question, event)) return await learn(delivery);
	if (!event.type.startsWith('MESSAGE.')) return await receiveParked(delivery);
	const origin = findOrigin(question, note, event);
	if (origin === 'unmatched' || origin === 'untold') sayUnclear(delivery, origin);
	if (origin === 'untold') return defer(responseOf(context));
	const answer = origin === 'asked' ? readReply(question, event) : undefined;
	if (answer === undefined) return acknowledge('Not the answer');
	if (answer.meaning === undefined) return askAgain(delivery);
	const consent = await judgeConsent(context, account, question, event, composeUrl(context, note));
	if (consent.decides === 'unknown') return defer(responseOf(context));
	if (consent.decides === 'this') return await resume(delivery, answer);
	return askForQuote(delivery, consent.others);
}

/** Says once of a question that a message may be its answer, and that nobody can tell, or not for long. */
function sayUnclear(
	{ context, account, question: { webhookId, until, askedAt } }: QuestionDelivery,
	origin: Extract<Origin, 'untold' | 'unmatched'>,
): void {
	if (origin === 'untold' && Date.now() < askedAt + TOLD_WITHIN_MS) return;
	if (!account.isNews(webhookId, `${until} ${origin}`)) return;
	const why =
		origin === 'untold'
			? 'The gateway has not sent MESSAGE.SENT for the question yet, so the chat of the question is not known. Until then, such messages are deferred.'
			: 'The event names neither the phone nor the ID of the person asked. Such messages do not count as the answer.';
	context.logger.warn(
		`Messaging Gateway: a message may be the answer to the question of webhook ${webhookId}, but nobody can tell who wrote it. ${why}`,
	);
}

interface Reply {
	/** What the person wrote, or the ID of the button that was pressed. */
	text: string;
	/** Undefined where it fits nothing that was asked. */
	meaning?: Meaning;
	/** Whether a reviewer has written what the agent is to do instead. */
	isFeedback: boolean;
}

function readReply(question: Question, event: GatewayEvent): Reply {
	const data = dataOf(event);
	const button = textIn(recordIn(data, 'buttonReply'), 'id');
	const texts = [textIn(data, 'text'), button].filter((text) => text !== undefined);
	const text = texts.at(0) ?? '';
	const meaning = readMeaning(question, texts);
	const isFeedback = meaning === undefined && question.isReview && text.trim() !== '';
	return { text, meaning: isFeedback ? { approved: false } : meaning, isFeedback };
}

/** Resumes the execution. Only once n8n has done so the webhook goes: until then the gateway repeats the answer. */
async function resume(
	delivery: QuestionDelivery,
	{ text, meaning, isFeedback }: Reply,
): Promise<IWebhookResponseData> {
	const { context, account, question, note, event } = delivery;
	const { webhookId, isReview } = question;
	const claim = account.decisions.claim(question, note, event);
	// If that fails, the first answer comes again: so it must not be told that it has arrived.
	if (claim === 'resuming') return defer(responseOf(context));
	if (claim === 'over') return acknowledge('Answered already');
	if (claim === 'spent') return askForQuote(delivery);
	const access = await openAccess(context, 'account').catch(() => undefined);
	followAnswer(responseOf(context), 'started', (settlement) => {
		const isTaken = settlement === 'accepted';
		// n8n 1 answers before it goes on, and would go on once more with another reply until it has.
		if (isTaken) {
			account.looks.noteTaken(event);
			account.forget(webhookId);
			void closeWebhook(context, webhookId, access);
		} else account.decisions.release(webhookId, note);
		return settlement;
	});
	const json: IDataObject = {
		answered: true,
		text,
		...meaning,
		// n8n hands a model what a reviewer says beside yes and no.
		...((isFeedback || !isReview) && { chatInput: text }),
		// Others hold the same message.
		event: deepCopy(event),
	};
	return {
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
		webhookResponse: { message: 'Received' },
	};
}

/**
 * Learns from the message itself where it was sent: a number of its own, and a chat whose phone the network may hide
 * (API document, "Event types"). Then its webhook gets nothing else than what may be the answer. Its URL holds that for
 * other processes and the time after a restart: so the gateway repeats the event while it cannot change the webhook.
 */
async function learn({
	context,
	account,
	question: { webhookId },
	note,
	event,
}: QuestionDelivery): Promise<IWebhookResponseData> {
	const chat = textIn(recordIn(dataOf(event), 'chat'), 'id');
	const left = timeOf(event);
	const learnt = { ...note, ...detailsOf({ chat, instance: event.instanceId, left }) };
	account.note(webhookId, learnt);
	const { chatId } = learnt;
	// Where the gateway does not change webhooks, this process knows it, and what comes in vain is dropped.
	const webhook = { id: webhookId, url: composeUrl(context, learnt) };
	const isSettled = await arrangeWebhook(context, webhook, chatId !== undefined).then(
		() => true,
		() => Date.now() >= account.looks.at(event).since + NOTED_WITHIN_MS,
	);
	return isSettled ? acknowledge('Noted') : defer(responseOf(context));
}

/** Handles a delivery to a parked webhook: if no trigger forwards its messages, the gateway delivers them to it again. */
async function receiveParked({
	context,
	question: { webhookId },
	note,
	event,
}: QuestionDelivery): Promise<IWebhookResponseData> {
	const url = composeUrl(context, note);
	const webhook = { id: webhookId, url, events: [event.type] };
	const { unchanged } = await arrangeWebhooks(context, [webhook]);
	return unchanged.length === 0 ? acknowledge('Noted') : defer(responseOf(context));
}
