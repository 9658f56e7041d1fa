import { randomUUID } from 'crypto';
import { evictOldest, sharedMap } from '../n8n/processState';
import { waitUntil } from '../n8n/waits';
import { messageIdsIn, type GatewayResponse } from './content';
import type { Effect } from './failure';

/**
 * The messages that this process has sent, by their IDs.
 *
 * `MESSAGE.SENT` comes for each message of the number, and has no field that tells a send of the API
 * from a text that somebody types on the phone. So the trigger looks here. The event may be faster
 * than the response that names its message: then the trigger waits for the sends under way.
 *
 * Another process of queue mode, and this one after a restart, know nothing of these sends.
 */

/** A gateway may repeat an event for a day (API 7.5). */
const REMEMBERED_FOR_MS = 24 * 3_600_000;
/** A day of one message a second. */
const MAX_MESSAGES = 100_000;

/** When each message was accepted, as of `Date.now`, from the oldest to the newest. */
const sentMessages = sharedMap<number>('sent messages 1');

/** The requests without a response, each under a key of its own. They never reject. */
const underWay = sharedMap<Promise<unknown>>('sends under way 1');

/**
 * Makes a request, and remembers the messages that its response names. Only a send is under way for
 * `isSentHere`: a change, which may take as long, puts out a message only in *API → Request*.
 */
export async function rememberSent(
	request: () => Promise<GatewayResponse>,
	effect: Effect,
): Promise<GatewayResponse> {
	if (effect === 'harmless') return await request();

	const sending = request();
	const ended = sending.then(
		({ body }) => messageIdsIn(body).forEach(remember),
		() => undefined,
	);
	if (effect === 'change') {
		await ended;
		return await sending;
	}

	const key = randomUUID();
	underWay.set(key, ended);
	await ended;
	underWay.delete(key);
	return await sending;
}

function remember(messageId: string): void {
	const now = Date.now();
	sentMessages.set(messageId, now);
	evictOldest(sentMessages, MAX_MESSAGES);

	for (const [id, at] of sentMessages) {
		if (now - at < REMEMBERED_FOR_MS) return;
		sentMessages.delete(id);
	}
}

/**
 * Whether this process has sent a message. Waits for the sends that are under way now.
 *
 * @param deadline as of `Date.now`
 * @returns undefined if one of those sends has no response until the deadline
 */
export async function isSentHere(
	messageId: string | undefined,
	deadline: number,
): Promise<boolean | undefined> {
	if (messageId === undefined) return false;
	const isKnown = (): boolean => sentMessages.has(messageId);
	if (isKnown() || underWay.size === 0) return isKnown();

	const { promise: answer, resolve } = Promise.withResolvers<boolean>();
	const sends = [...underWay.values()];
	for (const send of sends) {
		void send.then(() => {
			if (isKnown()) resolve(true);
		});
	}
	void Promise.all(sends).then(() => resolve(isKnown()));

	return await waitUntil(deadline, answer);
}
