import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { openGateway, type Gateway } from '../gateway/call';
import { ENDPOINTS, fillEndpoint } from '../gateway/endpoints';
import { updateWebhook } from '../gateway/webhooks';
import type { GatewayEvent } from '../incoming/event';
import { verifyDelivery } from '../incoming/signature';
import { acknowledge, defer, followResponse, refuse, requestOf, responseOf } from '../n8n/respond';
import { textIn } from '../values/json';
import { answersHere, claim, isClaimed, release, rememberQuestion } from './knownQuestions';
import {
	closeWebhooks,
	knock,
	listQuestions,
	openAccount,
	type ListedQuestion,
} from './openWebhook';
import {
	composeUrl,
	encrypt,
	fingerprint,
	isInChat,
	readListing,
	readQuestion,
	type KnownQuestion,
} from './question';
import {
	findRivals,
	isQuoting,
	listLabels,
	readAnswer,
	type Answer,
	type Reading,
} from './readAnswer';

/** A gateway may repeat an event for a day (API document, "Delivery" 5). */
const MARKED_FOR_MS = 24 * 3_600_000;
/** A webhook needs an event: this one comes only while a number is paired. */
const MARK_EVENTS = ['QRCODE.UPDATED'];

/** Receives one delivery. Never throws: n8n would end the execution with an error. */
export async function receiveReply(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await handleReply(this).catch((error: unknown) => {
		const words = 'Messaging Gateway: a delivery to a question could not be processed';
		this.logger.error(words, { error });
		return defer(responseOf(this));
	});
}

async function handleReply(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = readQuestion(context);
	if (question === undefined) return refuse(responseOf(context));
	const bytes = Buffer.from(question.secret, 'base64');
	const secret = encrypt(context, question.webhookId, bytes).toString();
	const verdict = await verifyDelivery(requestOf(context), () => secret);
	if (verdict.kind !== 'genuine') return refuse(responseOf(context));
	const { event } = verdict;
	const listing = readListing(context.getQueryData() as IDataObject);
	const known = rememberQuestion({ question, listing, url: composeUrl(context, listing) });
	if (event.type === 'MESSAGE.SENT') await learnLocation({ context, known, event });
	const answer = readAnswer(known, event);
	if (answer === undefined || (answer === 'unclear' && known.isListedAgain))
		return acknowledge('Not the answer');
	const account = await openAccount(context).catch(() => undefined);
	// If the list cannot be read, the question takes the message.
	const listed = account && (await listQuestions(context, account).catch(() => undefined));
	const others = (listed ?? []).filter(({ id }) => id !== question.webhookId);
	const delivery = { context, account, known, event, others };
	const isForOther = await isForRival(delivery, answer);
	if (isForOther) release(known, event);
	if (isForOther || known.listing.answeredBy) return acknowledge('Not the answer');
	if (isForOther === undefined || (answer !== 'unclear' && !claim(known, event)))
		return defer(responseOf(context));
	if (answer !== 'unclear') return resume(delivery, answer);
	void listAgain(delivery).catch(({ message }: Error) =>
		context.logger.warn(`Messaging Gateway: the labels could not be listed again: ${message}`),
	);
	return acknowledge('Listed again');
}

interface Delivery {
	context: IWebhookFunctions;
	account?: Gateway;
	known: KnownQuestion;
	event: GatewayEvent;
	others: ListedQuestion[];
}

/** Whether a message is for another question; undefined while another one answers that question. */
async function isForRival(delivery: Delivery, answer: Reading): Promise<boolean | undefined> {
	const { context, known, event, others } = delivery;
	const answered = answersHere();
	if ([...answered.values()].includes(fingerprint(event.id))) return true;
	const open = others.filter(({ id }) => !answered.has(id));
	const rivals = findRivals(known, event, answer, open);
	if (rivals.some(({ id }) => isClaimed(id, event))) return undefined;
	const states = rivals.map(async (each) => each.answeredBy ?? (await knock(context, each.url)));
	return (await Promise.all(states)).some((state) => state !== 'stopped');
}

/** The webhook is closed after n8n has accepted the answer: until then the gateway repeats it. */
function resume(delivery: Delivery, answer: Answer): IWebhookResponseData {
	const { context, known, event } = delivery;
	const { messageId } = known.question;
	const { chat, sender, messageType = 'TEXT' } = event;
	void followResponse(responseOf(context), 'started').responded.then(async (decision) => {
		if (decision !== 'accepted') return release(known, event);
		known.listing.answeredBy = fingerprint(event.id);
		await close(delivery);
	});
	// The names of n8n's own send-and-wait nodes: the message is the question.
	const responder = sender && { id: sender.id, name: sender.name };
	const respondedAt = new Date().toISOString();
	const data = { ...answer, messageType, responder, chatId: chat?.id, messageId, respondedAt };
	const json = { data, replyTo: chat?.id, event: event.raw };
	return { ...acknowledge('Received'), workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}

/** Deletes the webhook, or keeps it as a mark while a repeat could answer another question. */
async function close({ context, account, known, event, others }: Delivery): Promise<void> {
	if (account === undefined) return;
	const { webhookId: id } = known.question;
	const inChat = others.filter((other) => isInChat(other, event));
	const isLast = !inChat.some(({ kind, answeredBy }) => kind !== 'approval' && !answeredBy);
	if (!isLast && !isQuoting(known, event)) {
		const url = composeUrl(context, { ...known.listing, until: Date.now() + MARKED_FOR_MS });
		const marking = updateWebhook(account, id, url, MARK_EVENTS).then(() => true);
		if (await marking.catch(() => false)) return;
	}
	const marks = inChat.filter(({ answeredBy }) => isLast && answeredBy);
	await closeWebhooks(context, account, [{ id }, ...marks]);
}

/** Learns from `MESSAGE.SENT` which chat it is (API document, "Event types"). */
async function learnLocation({ context, known, event }: Omit<Delivery, 'others'>) {
	const { listing, question } = known;
	const { webhookId, messageId } = question;
	if (messageId === undefined || event.messageId !== messageId) return;
	listing.instanceId = event.instanceId ?? listing.instanceId;
	listing.chatId = event.chat?.id ?? listing.chatId;
	const url = composeUrl(context, listing);
	// If the gateway cannot change webhooks, this process knows the location until n8n restarts.
	await openAccount(context)
		.then((account) => updateWebhook(account, webhookId, url, ['MESSAGE.RECEIVED']))
		.catch(() => undefined);
}

/** Sends the labels again, once for each question in a process. The answer may quote them. */
async function listAgain({ context, known, event }: Delivery): Promise<void> {
	if (known.isListedAgain) return;
	Object.assign(known, { isListedAgain: true, unclearBy: event.id });
	const { to, instanceId } = known.question;
	const gateway = await openGateway(context, 'instance', { instanceId });
	const { items } = await gateway.call({
		...fillEndpoint(ENDPOINTS.sendText, gateway.overrides),
		body: { to: event.chat?.id ?? to, text: listLabels(known) },
		effect: 'send',
	});
	known.listId = textIn(items[0], 'messageId');
}
