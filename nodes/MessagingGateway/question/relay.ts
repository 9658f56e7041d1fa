import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../api/access';
import { openAccess, type GatewayContext } from '../api/request';
import { deliversAll } from '../webhooks/compare';
import type { GatewayEvent } from '../webhooks/event';
import { updateWebhook, type RemoteWebhook } from '../webhooks/records';
import { signDelivery } from '../webhooks/signature';
import { findRelayed, forgetQuestion, lookAt, relayed } from './memory';
import { deliver } from './resumeUrl';

// A published trigger of the same account gets every message anyway. In the process in which it does, it hands a
// message on to the question that it may answer, and the webhooks of the questions rest: each of them would cost n8n as
// much again for every message. They stay as the notes that outlast the process.

const MESSAGES = ['MESSAGE.RECEIVED'];
/** Comes only while somebody pairs a number: to a thousand questions even a rare event would be a flood. */
const SELDOM = ['QRCODE.UPDATED'];

/** Signs what this process hands on. No other process can, and after its end nobody. */
export const RELAY_SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** A trigger that may hand messages on. */
export interface Relay {
	/** Fingerprint of its account's token. */
	account: string;
	/** Whether deliveries to this n8n's own address arrive. */
	isProven: boolean;
	/** Notes that questions may be parked, so that it survives a restart. Never throws. */
	noteParked?(): Promise<void>;
}

/** The webhook of a question. */
export type QuestionWebhook = Pick<RemoteWebhook, 'id' | 'url' | 'events'>;

/** By trigger node, as long as it is published in this process. */
const relays = new Map<string, Relay>();

const HAND_ON_WITHIN_MS = 5_000;
/** For so long the gateway is asked to repeat what could not be handed on. */
const HAND_ON_FOR_MS = 2 * 60_000;
/** So many webhooks are changed, and so many questions asked or told, at once. */
const TOGETHER = 10;
/** Accounts whose gateway lists all webhooks with their events: at others nobody would find again what rests. */
const listed = new Set<string>();
/** Triggers whose deliveries arrive in this process. */
const receiving = new Set<string>();
let runsExecutions = false;

/** An execution, and where n8n tells it, the mode of the one that has called it. */
interface Execution {
	getMode(): string;
	additionalData?: { rootExecutionMode?: string };
}

/** Notes that this process runs the executions of published workflows: where workers do, others may receive as well. */
export function noteExecution(context: Execution): void {
	// What is called by a workflow that somebody tries runs where that does.
	const mode = context.additionalData?.rootExecutionMode ?? context.getMode();
	runsExecutions ||= mode !== 'manual';
}

/** Notes that a delivery which a trigger has sent to itself has arrived, and in this process. */
export function noteArrival(trigger: string): void {
	receiving.add(trigger);
}

/** Notes a trigger that gets all messages of an account, or with undefined that it no longer does. */
export function setRelay(trigger: string, relay: Relay | undefined): void {
	if (relay) relays.set(trigger, relay);
	else relays.delete(trigger);
}

/** Whether a trigger of this process hands the messages of an account on, so that a webhook may rest. */
export function isRelayed(account: string): boolean {
	if (!runsExecutions || !listed.has(account)) return false;
	return [...relays].some(
		([trigger, relay]) => relay.account === account && relay.isProven && receiving.has(trigger),
	);
}

/** Whether a webhook rests, and a trigger has to hand its messages on. */
export function rests({ events }: Pick<QuestionWebhook, 'events'>): boolean {
	return events.length > 0 && !deliversAll(events, MESSAGES);
}

/**
 * Subscribes the webhooks of questions to what they have to get: nothing that comes often while a trigger hands them
 * the messages, else the messages.
 *
 * @param isListed whether the gateway lists all webhooks with their events, so that a trigger finds what rests again; left out, what is known of it
 * @returns how many rest now, and those that the gateway did not change
 */
export async function arrangeWebhooks(
	context: GatewayContext,
	webhooks: QuestionWebhook[],
	isListed?: boolean,
): Promise<{ resting: number; unchanged: QuestionWebhook[] }> {
	const account = fingerprint(await openAccess(context, 'account'));
	if (isListed === true) listed.add(account);
	if (isListed === false) listed.delete(account);
	const isResting = isRelayed(account);
	// What rests is not woken for a trigger that comes back and has not proven itself yet.
	const staysResting =
		isResting ||
		(isListed !== false && [...relays.values()].some((relay) => relay.account === account));
	const wrong = webhooks.filter((webhook) => (rests(webhook) ? !staysResting : isResting));
	const arranged = await inGroups(
		wrong,
		async (webhook) =>
			// What is not changed is as it was.
			await arrangeWebhook(context, webhook, isResting).catch(() => !isResting),
	);
	const right = webhooks.filter((webhook) => !wrong.includes(webhook));
	const resting = right.filter(rests).length + arranged.filter(Boolean).length;
	return { resting, unchanged: wrong.filter((_, index) => arranged[index] !== isResting) };
}

/**
 * Gives the webhook of a question its URL, and subscribes it to what it has to get.
 *
 * @param mayRest whether a trigger may bring its messages, if there is one
 * @returns whether it rests now
 */
export async function arrangeWebhook(
	context: GatewayContext,
	webhook: Pick<QuestionWebhook, 'id' | 'url'>,
	mayRest: boolean,
): Promise<boolean> {
	const account = mayRest && fingerprint(await openAccess(context, 'account'));
	const { id, url } = webhook;
	const isResting = account !== false && isRelayed(account);
	// Noted first, and not forgotten when it wakes: what is on its way to the trigger comes in no other.
	if (isResting) {
		for (const relay of relays.values()) if (relay.account === account) await relay.noteParked?.();
		relayed.set(id, url);
	}
	const change = updateWebhook(context, id, url, isResting ? SELDOM : MESSAGES);
	await Promise.allSettled([change]);
	// Unpublished meanwhile, the trigger has not seen it among those that it had to wake.
	if (isResting && !isRelayed(account)) return await arrangeWebhook(context, webhook, false);
	return (await change) === isResting;
}

/**
 * Hands a message to the questions that it may answer.
 *
 * @returns whether each of them has it; otherwise the gateway has to repeat it
 */
export async function relayMessage(
	context: IWebhookFunctions,
	event: GatewayEvent,
): Promise<boolean> {
	const questions = findRelayed(event);
	const taken = await inGroups(
		questions,
		async ([id, url]) => await handOn(context, { id, url }, event),
	);
	return taken.every(Boolean);
}

async function handOn(
	context: IWebhookFunctions,
	webhook: Pick<QuestionWebhook, 'id' | 'url'>,
	event: GatewayEvent,
): Promise<boolean> {
	const { id, url } = webhook;
	const { handed, since } = lookAt(event);
	if (handed.has(id)) return true;
	const body = JSON.stringify(event);
	const headers = signDelivery(RELAY_SECRET, event.id, body);
	const { status, state } = await deliver(context, url, { headers, body }, HAND_ON_WITHIN_MS);
	// What runs after its time was over waits no longer, and may run for hours.
	const isLate = Number(new URL(url).searchParams.get('until')) < Date.now();
	const isOver = state === 'over' || (status === 409 && isLate);
	if (isOver) forgetQuestion(id);
	if (isOver || status === 200) handed.add(id);
	if (handed.has(id)) return true;
	// A question that cannot take it yet says so, and all the others would cost n8n more the less time it has. Where
	// nobody can hand its messages on, it gets them itself.
	if (state !== 'busy' && status !== 503)
		await arrangeWebhook(context, webhook, false).catch(() => false);
	if (Date.now() - since < HAND_ON_FOR_MS) return false;
	handed.add(id);
	context.logger.warn(
		`Messaging Gateway Trigger: a message could not be handed to the question of webhook ${id} at ${url.split('?')[0]} (${status ?? 'no answer'}). If it was the answer, it has to be written again.`,
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
