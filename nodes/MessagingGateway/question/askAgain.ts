import type { IWebhookFunctions } from 'n8n-workflow';
import { Pace } from '../action/pace';
import { openPaced, sendInTurn } from '../action/paced';
import { fingerprint } from '../api/access';
import { openAccess } from '../api/request';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { keep } from './memory';
import type { Question } from './question';
import { arrangeWebhook } from './relay';
import { composeUrl, type Note } from './url';

/** How often a person was asked again, and for which events: no more than they may be asked again. */
interface TimesTold {
	times: number;
	events: Set<string>;
}

/** By question. What its URL says outlasts the process. */
const told = new Map<string, TimesTold>();

/** How often the person was asked again, by the question's URL or as this process knows better. */
export function countTimes(question: Question, kept: number): number {
	return Math.max(kept, told.get(nameQuestion(question))?.times ?? 0);
}

/**
 * Counts a reply that fits nothing, at most once: the gateway may repeat it.
 *
 * @param note what is known of the question, with how often the person was asked again before
 * @returns whether the person is to be asked again
 */
export function isDueAgain(question: Question, note: Note, event: GatewayEvent): boolean {
	const { events = new Set<string>() } = told.get(nameQuestion(question)) ?? {};
	const times = note.again ?? 0;
	if (times >= (question.askAgain?.times ?? 0) || events.has(event.id)) return false;
	keep(told, nameQuestion(question), { times: times + 1, events: events.add(event.id) });
	return true;
}

/**
 * Asks the person again, after noting so in the URL of the webhook, which outlasts the process. The message goes out as those
 * of an item do: at the chosen pace, and after a pause that the gateway wants.
 *
 * @param note what is known of the question, this time counted
 * @throws GatewayError if it did not go out, or nobody knows
 */
export async function sendAgain(
	context: IWebhookFunctions,
	question: Question,
	note: Note,
	event: GatewayEvent,
): Promise<void> {
	const webhook = { id: question.webhookId, url: composeUrl(context, note) };
	// Where the gateway does not change webhooks, this process still knows it.
	await arrangeWebhook(context, webhook, note.chatId !== undefined).catch(() => {});
	const access = await openAccess(context, 'instance');
	const pace = new Pace(fingerprint(access), undefined);
	const item = { access, itemIndex: 0 };
	const gateway = openPaced(context, { item, pace, operation: 'Ask Again' });
	const body = { to: textIn(recordIn(dataOf(event), 'chat'), 'id'), text: question.askAgain?.text };
	const request = { method: 'POST', path: '/v1/messages/send-text', token: 'instance' } as const;
	if (question.perMinute !== undefined) await pace.next(question.perMinute);
	await sendInTurn(async () => await gateway.ask({ ...request, effect: 'send', body }));
}

/** Two gateways may give their webhooks the same ID. */
function nameQuestion({ webhookId, until }: Question): string {
	return `${webhookId} ${until}`;
}
