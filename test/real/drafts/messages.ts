import { randomUUID } from 'node:crypto';
import type { Host } from '../../../host/host';
import { PEOPLE, type WebhookRecord } from '../../../simulator';
import { ANA, type OpenQuestion } from './asking';

/** A webhook of the gateway, as far as a delivery to it needs it. */
export type Webhook = Pick<WebhookRecord, 'url' | 'secret'>;

export const ANAS_CHAT = { id: PEOPLE[0].id, type: 'CONTACT', phone: ANA };

/** A yes in Ana's chat, but for what is said otherwise. */
export const makeMessage = (of: Host, data: object, others: object = {}) => ({
	id: randomUUID(),
	type: 'MESSAGE.RECEIVED',
	instanceId: of.gateway.instanceId,
	timestamp: new Date().toISOString(),
	data: { messageId: randomUUID(), chat: ANAS_CHAT, fromMe: false, text: 'yes', ...data },
	...others,
});

/** Delivers a message to a webhook as the gateway does, and answers with which status it was taken. */
export async function deliverMessage(
	of: Host,
	{ url, secret }: Webhook,
	data: object,
	others: object = {},
): Promise<number> {
	const event = makeMessage(of, data, others);
	const headers = { ...of.gateway.sign(event, secret), 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })).status;
}

/** Tells a question that its message has left the number, and for which chat. */
export async function tellQuestionSent(
	of: Host,
	question: OpenQuestion,
	chat: object = ANAS_CHAT,
	others: object = {},
): Promise<void> {
	const data = { messageId: question.sent.messageId, chat, fromMe: true };
	const told = { type: 'MESSAGE.SENT', ...others };
	expect(await deliverMessage(of, question.webhook(), data, told)).toBe(200);
}

/** How many times as long as something harmless what may do harm may keep n8n from everything else. */
const MOST_TIMES_AS_LONG = 5;
/** What is shorter tells nothing, in milliseconds. */
const SHORTEST_MS = 600;

/** Expects that n8n is silent for about as long with one delivery as with another, on whichever machine. */
export async function expectAsResponsive(
	{ n8n }: Host,
	harmless: () => Promise<unknown>,
	harmful: () => Promise<unknown>,
): Promise<void> {
	const usual = await longestSilence(n8n.url, harmless());
	const silence = await longestSilence(n8n.url, harmful());
	expect(silence / Math.max(usual, SHORTEST_MS)).toBeLessThan(MOST_TIMES_AS_LONG);
}

/** The longest that n8n answered nobody while something was under way, in milliseconds. */
async function longestSilence(url: string, work: Promise<unknown>): Promise<number> {
	let isDone = false;
	void work.finally(() => (isDone = true)).catch(() => {});
	let longest = 0;
	while (!isDone) {
		const at = Date.now();
		// Whoever waits for a minute is hung up on.
		await fetch(`${url}/healthz`)
			.then(async (answer) => await answer.text())
			.catch(() => {});
		longest = Math.max(longest, Date.now() - at);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return longest;
}
