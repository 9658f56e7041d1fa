import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import { ENDPOINTS, fillEndpoint } from '../gateway/endpoints';
import { GatewayError } from '../gateway/failure';
import { updateWebhook } from '../gateway/webhooks';
import type { GatewayEvent } from '../incoming/event';
import { verifyDelivery } from '../incoming/signature';
import { acknowledge, defer, followResponse, refuse, requestOf, responseOf } from '../n8n/respond';
import { pauseFor } from '../n8n/waits';
import { textIn } from '../values/json';
import { phoneKeyOf } from '../values/phone';
import { findMeant, isListable, isQuoting, readMeant } from './isMeant';
import {
	dropList,
	end,
	findHolder,
	findOlderKnown,
	giveBack,
	isBusy,
	isOverFor,
	noteList,
	remember,
	settle,
	take,
	type Known,
} from './known';
import { listLabels, readCode } from './labels';
import { composeUrl, isInChat, readListing } from './listing';
import { encrypt, keyOf, readQuestion, type Question } from './question';
import type { Answer } from './readAnswer';
import { closeWebhooks, listQuestions, openAccount, type Listed } from './webhooks';

/** An approval that was answered by its number stays in the gateway's list so long. */
const LISTED_FOR_MS = 5_000;

/** Receives one delivery. Never throws: n8n would end the execution with an error. */
export async function receiveReply(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error('Messaging Gateway: a delivery to a question could not be processed', {
			error,
		});
		return defer(responseOf(this));
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = readQuestion(context);
	const listing = readListing(context.getQueryData() as IDataObject);
	if (question === undefined || listing === undefined) return refuse(responseOf(context));

	const secret = encrypt(context, question.webhookId, Buffer.from(question.secret, 'base64'));
	const verdict = await verifyDelivery(requestOf(context), () => secret.toString());
	if (verdict.kind !== 'genuine') return refuse(responseOf(context));

	const { event } = verdict;
	const known = remember(question, listing, composeUrl(context, listing));
	await deleteLeftovers(context, known);
	if (event.type === 'MESSAGE.SENT') {
		await learnChat(context, known, event);
		return acknowledge('Not the answer');
	}
	return await receiveMessage(context, known, event);
}

async function receiveMessage(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<IWebhookResponseData> {
	if (isOver(known)) return notTheAnswer(known, event);

	const isMeant = findMeant(event, [known]) !== undefined;
	const reading = isMeant ? readMeant(known, event) : undefined;
	if (reading === undefined) {
		tellTime(context, known, event);
		return notTheAnswer(known, event);
	}

	if (isBusy(known, event)) return defer(responseOf(context));
	if (reading === 'unclear') return await receiveUnclear(context, known, event);

	const isForApproval = await isForOtherApproval(context, known, event);
	if (isForApproval === 'unknown') return defer(responseOf(context));
	if (isForApproval) return notTheAnswer(known, event);

	// One message answers one question. A trigger may have taken it for the wrong one, which gives it back.
	const holder = findHolder(known.question.account, event);
	if (holder !== undefined && holder !== known) {
		return holder.state.is === 'answered' ? notTheAnswer(known, event) : defer(responseOf(context));
	}
	if (!take(known, event)) {
		return isBusy(known, event) ? defer(responseOf(context)) : notTheAnswer(known, event);
	}
	return resume(context, known, event, reading);
}

/** Whether a question has its answer, or a newer one has ended it. */
function isOver({ state }: Known): boolean {
	return state.is === 'answered' || state.is === 'ended';
}

/** Lists the lines again, if the message can only be for this question. */
async function receiveUnclear(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<IWebhookResponseData> {
	if (!isListable(known, event)) return notTheAnswer(known, event);

	const isOnly = await isOnlyMeant(context, known, event);
	if (isOnly === 'unknown') return defer(responseOf(context));
	if (!isOnly) return notTheAnswer(known, event);

	// Meanwhile the question may have its answer, or the message may have answered another one.
	if (isOver(known)) return notTheAnswer(known, event);
	if (findHolder(known.question.account, event) !== undefined) return notTheAnswer(known, event);

	if (!noteList(known, event)) return notTheAnswer(known, event);
	void listAgain(context, known, event);
	return acknowledge('Listed again');
}

/** A trigger may have taken the message for this question, before the gateway's list was read. */
function notTheAnswer(known: Known, event: GatewayEvent): IWebhookResponseData {
	giveBack(known, event);
	return acknowledge('Not the answer');
}

/**
 * Whether a *Reply* or *Choice* must leave a message to an approval of the chat: the message begins with
 * its number. Any other message needs no request to the gateway.
 *
 * @returns `unknown` if the list cannot be read: the gateway sends the message again
 */
async function isForOtherApproval(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<boolean | 'unknown'> {
	const code = readCode(event.text);
	const isOwn = known.listing.kind === 'approval' || isQuoting(known, event);
	if (code === undefined || isOwn) return false;

	const others = await listOthers(context, known, event);
	if (others === undefined) return 'unknown';
	return others.some(({ listing }) => listing.kind === 'approval' && listing.code === code);
}

/**
 * Whether an unclear message can only be for this question, so that its lines are listed again. If the list
 * cannot be read, an approval says nothing; a *Choice* to which an approval's number comes waits for it.
 */
async function isOnlyMeant(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<boolean | 'unknown'> {
	if (isQuoting(known, event)) return true;
	if (known.listing.kind === 'other') {
		const isForApproval = await isForOtherApproval(context, known, event);
		return isForApproval === 'unknown' ? 'unknown' : !isForApproval;
	}
	if (readCode(event.text) === known.listing.code) return true;

	const others = await listOthers(context, known, event);
	if (others === undefined) return false;
	const { openedAt } = known.listing;
	return !others.some(({ listing }) => listing.kind === 'other' || listing.openedAt > openedAt);
}

/** The other questions that a message without a quote could be for; undefined if the gateway fails. */
async function listOthers(
	context: IWebhookFunctions,
	{ question }: Known,
	event: GatewayEvent,
): Promise<Listed[] | undefined> {
	const { at = Date.now() } = event;
	try {
		const listed = await listQuestions(context, await openAccount(context));
		return listed.filter(
			({ id, listing }) =>
				id !== question.webhookId &&
				!isOverFor(id, event) &&
				!listing.needsQuote &&
				listing.until >= at &&
				isInChat(listing, event),
		);
	} catch {
		return undefined;
	}
}

/** The webhook is deleted after n8n has accepted the answer: until then the gateway sends it again. */
function resume(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
	answer: Answer,
): IWebhookResponseData {
	const { responded } = followResponse(responseOf(context), 'started');
	void responded.then(async (decision) => {
		if (decision !== 'accepted') return giveBack(known, event);
		settle(known, event);
		// Another process may not have read the list yet, in which a Reply of the chat looks for this number.
		const isNumber = known.listing.kind === 'approval' && !isQuoting(known, event);
		if (isNumber) await pauseFor(LISTED_FOR_MS, new AbortController().signal);
		await closeOwn(context, known);
	});

	const json = describeAnswer(known.question, event, answer);
	return { ...acknowledge('Received'), workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}

/** The names are those of n8n's own send-and-wait nodes: the message is the question. */
function describeAnswer(question: Question, event: GatewayEvent, answer: Answer): IDataObject {
	const { chat, messageType = 'TEXT' } = event;
	const data = {
		...answer,
		messageType,
		responder: describeResponder(event),
		chatId: chat?.id,
		messageId: question.messageId,
		respondedAt: new Date().toISOString(),
	};
	return { data, replyTo: chat?.id, event: event.raw };
}

/** Who has answered. `phone` has a +; `personKey` is that of the trigger's items. */
function describeResponder({ chat, sender }: GatewayEvent): IDataObject | undefined {
	if (sender === undefined) return undefined;
	const { id, name } = sender;
	const phone = sender.phone ?? (chat?.type === 'person' ? chat.phone : undefined);
	if (phone === undefined) return { id, name, personKey: id };
	return { id, name, phone: `+${phone.replace(/\D/g, '')}`, personKey: phoneKeyOf(phone) };
}

async function closeOwn(context: IWebhookFunctions, { question }: Known): Promise<void> {
	// If the credential is unfit by now, the webhook waits for nobody: n8n tells so when it is asked.
	const account = await openAccount(context).catch(() => undefined);
	if (account !== undefined) await closeWebhooks(context, account, [question.webhookId]);
}

/** Tries once more to delete what the question has ended, when the first try has failed. */
async function deleteLeftovers(context: IWebhookFunctions, known: Known): Promise<void> {
	const { leftovers } = known.question;
	if (known.isTidy || leftovers.length === 0) return;

	known.isTidy = true;
	const account = await openAccount(context).catch(() => undefined);
	if (account !== undefined) await closeWebhooks(context, account, leftovers);
}

/**
 * Learns from `MESSAGE.SENT` which chat it is, and which number asks (API 9.3). If the
 * gateway cannot change webhooks, this process knows it until n8n restarts.
 */
async function learnChat(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<void> {
	const { question, listing } = known;
	if (question.messageId === undefined || event.messageId !== question.messageId) return;

	listing.instanceId = event.instanceId ?? listing.instanceId;
	listing.chatId = event.chat?.id ?? listing.chatId;
	const phone = event.chat?.phone;
	listing.chatPhone = phone === undefined ? listing.chatPhone : keyOf(phone);
	known.url = composeUrl(context, listing);
	const account = await openAccount(context).catch(() => undefined);
	if (account === undefined) return;

	// An older question of the same chat may have been asked by another name: a phone, and an ID.
	const older = findOlderKnown(known);
	for (const id of older) end(id);
	await closeWebhooks(context, account, older);
	await updateWebhook(account, question.webhookId, known.url, ['MESSAGE.RECEIVED']).catch(() => {});
}

/** Tells once that a message would be the answer but for its time: then a clock is wrong, or a zone. */
function tellTime(context: IWebhookFunctions, known: Known, event: GatewayEvent): void {
	const { question, listing, isTimeTold } = known;
	if (isTimeTold || event.at === undefined) return;
	if (findMeant(event, [known], 'at any time') === undefined) return;
	const reading = readMeant(known, event);
	if (reading === undefined || reading === 'unclear') return;

	known.isTimeTold = true;
	const written = new Date(event.at).toISOString();
	const from = new Date(question.askedAt).toISOString();
	const until = new Date(listing.until).toISOString();
	context.logger.warn(
		`Messaging Gateway: a message would answer a question, but for its time. The gateway says that it was written at ${written}. The question was open from ${from} to ${until}.`,
	);
}

/** Sends the lines again. A person may quote them. */
async function listAgain(
	context: IWebhookFunctions,
	known: Known,
	event: GatewayEvent,
): Promise<void> {
	const list = known.lists.find(({ by }) => by === event.id);
	if (list === undefined || list.isSent) return;
	list.isSent = true;

	const { question, listing } = known;
	try {
		const gateway = await openGateway(context, 'instance', { instanceId: question.instanceId });
		const { items } = await gateway.call({
			...fillEndpoint(ENDPOINTS.sendText, gateway.overrides),
			body: {
				to: event.chat?.id ?? question.to,
				text: listLabels({ ...question, code: listing.code }),
			},
			effect: 'send',
		});
		list.messageId = textIn(items[0], 'messageId');
	} catch (error) {
		const mayBeSent = error instanceof GatewayError && error.failure.outcome === 'unknown';
		if (!mayBeSent) dropList(known, event);
		const { message } = error as Error;
		context.logger.warn(`Messaging Gateway: the lines could not be listed again: ${message}`);
	}
}
