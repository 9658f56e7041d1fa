import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { openAccess } from '../api/request';
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
import { countTimes, isDueAgain, sendAgain } from './askAgain';
import { readMeaning, type Meaning } from './meaning';
import { keep, noteLook, noteQuestion, resumed } from './memory';
import { findOrigin, findQuestion, isQuestion, type Origin, type Question } from './question';
import { arrangeWebhook, arrangeWebhooks, RELAY_SECRET } from './relay';
import { closeWebhook } from './sweep';
import { composeUrl, placeOf, readTimes, type Note } from './url';

/** So long the gateway takes at most, as a rule, to tell that a message has left the number. */
const TOLD_WITHIN_MS = 60_000;

/** Of which questions it was said that nobody can tell whose a message is. */
const unclear = new Map<string, true>();

/** A delivery to an execution that waits. */
interface Delivery {
	context: IWebhookFunctions;
	question: Question;
	note: Note & { again: number };
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
	const { until, again, ...place } = context.getQueryData() as IDataObject;
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
	const found = { to: question.to, until: Number(until), ...placeOf(place) };
	const known = noteQuestion(question.webhookId, found, question.messageId);
	const note = { ...found, ...known, again: countTimes(question, readTimes(again)) };
	const delivery = { context, question, event, note };
	if (isQuestion(question, event)) return await learn(delivery);
	if (!event.type.startsWith('MESSAGE.')) return await stir(delivery);
	const origin = findOrigin(question, known, event);
	if (origin === 'unmatched' || origin === 'untold') sayUnclear(delivery, origin);
	if (origin === 'untold') return postpone(responseOf(context));
	const answer = origin === 'asked' ? read(question, event) : undefined;
	if (answer === undefined) {
		noteLook(question.webhookId, event, false);
		return acknowledge('Not the answer');
	}
	return answer.meaning ? await resume(delivery, answer) : repeat(delivery);
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

/** Tells the person in the background that the reply fits nothing, where that is wanted. */
function repeat({ context, question, note, event }: Delivery): IWebhookResponseData {
	const isDue = isDueAgain(question, note, event);
	noteLook(question.webhookId, event, isDue);
	if (!isDue) return acknowledge('Not the answer');
	const counted = { ...note, again: note.again + 1 };
	sendAgain(context, question, counted, event).catch(({ message }: Error) =>
		context.logger.warn(`Messaging Gateway: a question could not be asked again: ${message}`),
	);
	return acknowledge('Asked again');
}

/** Says once of a question that a message may be its answer, and that nobody can tell, or not for long. */
function sayUnclear(
	{ context, question: { webhookId, until, askedAt } }: Delivery,
	origin: Exclude<Origin, 'asked' | 'other'>,
): void {
	const key = `${webhookId} ${until} ${origin}`;
	if (unclear.has(key) || (origin === 'untold' && Date.now() < askedAt + TOLD_WITHIN_MS)) return;
	keep(unclear, key, true);
	const why =
		origin === 'untold'
			? 'The gateway has not sent MESSAGE.SENT for the question, which tells its chat. Until it does, it is asked to repeat such messages.'
			: 'The event names neither the phone nor the ID of the person asked. Such messages are not taken for the answer.';
	context.logger.warn(
		`Messaging Gateway: a message may be the answer to the question of webhook ${webhookId}, but nobody can tell who wrote it. ${why}`,
	);
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
