import type { IWebhookFunctions } from 'n8n-workflow';
import type { GatewayContext } from '../api/request';
import { sharedMap } from '../processState';
import { deliversAll } from '../webhooks/compare';
import type { GatewayEvent } from '../webhooks/event';
import { updateWebhook, type RemoteWebhook } from '../webhooks/records';
import { signDelivery } from '../webhooks/standardWebhooks';
import type { Account } from './account';
import { hasForwarder, openAccount } from './accounts';
import { isTold } from './question';
import { deliver } from './resumeUrl';
import { readNote } from './url';

// A published trigger of the same account gets every message anyway. In the process in which it does, it forwards a
// message to the question that it may answer, and the webhooks of the questions are parked: each of them would cost n8n
// as much again for every message. They stay as the notes that outlast the process.

const MESSAGES = ['MESSAGE.RECEIVED'];
/** Until the second tells where and when the question was asked. */
export const QUESTION_EVENTS = [...MESSAGES, 'MESSAGE.SENT'];
/** Comes only while somebody pairs a number: to a thousand questions even a rare event would be a flood. */
const SELDOM = ['QRCODE.UPDATED'];

/** The webhook of a question. */
export type QuestionWebhook = Pick<RemoteWebhook, 'id' | 'url' | 'events'>;

const FORWARD_WITHIN_MS = 5_000;
/** For so long the gateway is asked to repeat what could not be forwarded. */
const FORWARD_FOR_MS = 2 * 60_000;

/** So many webhooks are changed, and so many questions asked or told, at once. */
const TOGETHER = 10;

/** What kind of process this is. */
const roles = sharedMap<true>('roles');
const RUNS_EXECUTIONS = 'runs executions';

/** An execution, and where n8n tells it, the mode of the one that has called it. */
interface Execution {
	getMode(): string;
	additionalData?: { rootExecutionMode?: string };
}

/** Notes that this process runs the executions of published workflows: where workers do, others may receive as well. */
export function noteExecution(context: Execution): void {
	// What is called by a workflow that somebody tries runs where that does.
	const mode = context.additionalData?.rootExecutionMode ?? context.getMode();
	if (mode !== 'manual') roles.set(RUNS_EXECUTIONS, true);
}

/** Whether a trigger of this process forwards the messages of an account, so that a webhook may be parked. */
export function isForwarded(account: Account): boolean {
	return roles.has(RUNS_EXECUTIONS) && account.memory.listsAll && hasForwarder(account);
}

/** Whether a webhook is parked, so that a trigger has to forward its messages. */
export function isParkedWebhook({ events = [] }: Pick<QuestionWebhook, 'events'>): boolean {
	return events.length > 0 && !deliversAll(events, MESSAGES);
}

/**
 * Subscribes the webhooks of questions to what they have to get: nothing that comes often while a trigger hands them
 * the messages, else the messages.
 *
 * @param isListed whether the gateway lists all webhooks with their events, so that a trigger finds what is parked again; left out, what is known of it
 * @returns how many are parked now, and those that the gateway did not change
 */
export async function arrangeWebhooks(
	context: GatewayContext,
	webhooks: QuestionWebhook[],
	isListed?: boolean,
): Promise<{ parked: number; unchanged: QuestionWebhook[] }> {
	const account = await openAccount(context);
	if (isListed !== undefined) account.memory.listsAll = isListed;
	const isParked = isForwarded(account);
	// While a trigger comes back and its self-test has not arrived yet, parked webhooks stay parked.
	const staysParked = isParked || (isListed !== false && account.forwarders.size > 0);
	const wrong = webhooks.filter((webhook) => (isParkedWebhook(webhook) ? !staysParked : isParked));
	const arranged = await inGroups(
		wrong,
		async (webhook) =>
			// What is not changed is as it was.
			await arrangeWebhook(context, webhook, isParked).catch(() => !isParked),
	);
	const right = webhooks.filter((webhook) => !wrong.includes(webhook));
	const parked = right.filter(isParkedWebhook).length + arranged.filter(Boolean).length;
	return { parked, unchanged: wrong.filter((_, index) => arranged[index] !== isParked) };
}

/**
 * Gives the webhook of a question its URL, and subscribes it to what it has to get.
 *
 * @param mayPark whether a trigger may bring its messages, if there is one
 * @returns whether it is parked now
 * @throws Error if the gateway may make the change a little later, or nobody can tell whether it did
 */
export async function arrangeWebhook(
	context: GatewayContext,
	webhook: Pick<QuestionWebhook, 'id' | 'url'>,
	mayPark: boolean,
): Promise<boolean> {
	const account = mayPark ? await openAccount(context) : undefined;
	const { id, url } = webhook;
	// Noted first, and not forgotten when it wakes: what is on its way to the trigger comes in no other.
	const isParked =
		account !== undefined &&
		isForwarded(account) &&
		account.park(id, url) &&
		(await noteInTriggers(account));
	const note = readNote(url);
	const awake = note !== undefined && !isTold(note) ? QUESTION_EVENTS : MESSAGES;
	const change = updateWebhook(context, id, url, isParked ? SELDOM : awake);
	await Promise.allSettled([change]);
	// Unpublished meanwhile, the trigger has not seen it among those that it had to wake.
	if (isParked && !isForwarded(account)) return await arrangeWebhook(context, webhook, false);
	const became = await change;
	if (became === 'not now') throw new Error(`The gateway does not change webhook ${id} now`);
	return (became === 'made') === isParked;
}

/** Lets the triggers of an account note that questions may be parked. Answers whether any of them still knows it after a restart. */
async function noteInTriggers({ forwarders }: Account): Promise<boolean> {
	const noting = [...forwarders.values()].map(async (forwarder) => await forwarder.noteParked?.());
	return (await Promise.all(noting)).some(Boolean);
}

/**
 * Forwards a message to the questions of an account that it may answer.
 *
 * @param context of a trigger of that account
 * @param toAll whether also those get it that the gateway delivers to, so that each has looked at it afterwards
 * @returns whether each of them has it; otherwise the gateway has to repeat it
 */
export async function forwardMessage(
	context: IWebhookFunctions,
	account: Account,
	event: GatewayEvent,
	toAll: boolean,
): Promise<boolean> {
	const { forwarded } = account.looks.at(event);
	const questions = account.findAnswered(event).filter(({ isParked }) => toAll || isParked);
	const taken = await inGroups(questions, async ({ id, url }) => {
		// Two triggers of one account get the same message: it is forwarded once, and both know what became of it.
		const forwarding = forwarded.get(id) ?? forward(context, account, { id, url }, event);
		forwarded.set(id, forwarding);
		const isTaken = await forwarding;
		if (!isTaken) forwarded.delete(id);
		return isTaken;
	});
	return taken.every(Boolean);
}

async function forward(
	context: IWebhookFunctions,
	account: Account,
	webhook: Pick<QuestionWebhook, 'id' | 'url'>,
	event: GatewayEvent,
): Promise<boolean> {
	const { id, url } = webhook;
	const { since } = account.looks.at(event);
	const body = account.forwarding.begin(id, event);
	const headers = signDelivery(account.forwardSecret, event.id, body);
	const { status, state } = await deliver(context, url, { headers, body }, FORWARD_WITHIN_MS);
	// What n8n has not answered in time it may still read.
	if (status !== undefined) account.forwarding.end(id, event);
	// What runs after its time was over waits no longer, and may run for hours.
	const isLate = Number(new URL(url).searchParams.get('until')) < Date.now();
	const isOver = state === 'over' || (status === 409 && isLate);
	if (isOver) account.forget(id);
	if (isOver || status === 200) return true;
	// A question defers what nobody can judge yet, for as long as it would without a trigger.
	if (status === 503) return false;
	// All the others would cost n8n more the less time it has.
	if (state !== 'busy') {
		if (account.stopForwarding(id)) return true;
		// Where nobody can forward its messages, it gets them itself.
		await arrangeWebhook(context, webhook, false).catch(() => false);
	}
	if (Date.now() - since < FORWARD_FOR_MS) return false;
	context.logger.warn(
		`Messaging Gateway Trigger: a message could not be forwarded to the question of webhook ${id} at ${url.split('?')[0]} (${status ?? 'no answer'}). If it was the answer, the person has to write it again.`,
	);
	return true;
}

/** Works on all, some at a time, whatever becomes of one. */
export async function inGroups<T, R>(all: T[], work: (one: T) => Promise<R>): Promise<R[]> {
	const done: Array<Promise<R>> = [];
	for (let first = 0; first < all.length; first += TOGETHER) {
		done.push(...all.slice(first, first + TOGETHER).map(work));
		await Promise.allSettled(done);
	}
	return await Promise.all(done);
}
