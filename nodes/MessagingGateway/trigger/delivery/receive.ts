import type { IWebhookFunctions, IWebhookResponseData, Logger } from 'n8n-workflow';
import { sharedMap } from '../../processState';
import { noteArrival } from '../../question/accounts';
import type { GatewayEvent } from '../../webhooks/event';
import { answerForN8n, followAnswer, type AnswerEnds } from '../../webhooks/followAnswer';
import {
	acknowledge,
	answerLater,
	answerTo,
	defer,
	NOT_WANTED,
	refuse,
	requestOf,
	responseOf,
} from '../../webhooks/http';
import { START_WITHIN_MS, waitUntil } from '../../webhooks/patience';
import type { Acceptance } from '../memory/deduplicator';
import { readClockLead } from '../record';
import {
	isTest,
	readIgnoreAnswers,
	readPatience,
	readSettings,
	type TriggerSettings,
} from '../settings';
import { PROBE_ANSWER, PROBE_TYPE, tellReceived } from '../subscription/probe';
import type { Subscription } from '../subscription/subscription';
import {
	keyOfNode,
	nameOfKey,
	staysPublished,
	subscriptionFor,
} from '../subscription/subscriptions';
import { combine, conversationOf } from './conversation';
import { isWanted } from './filter';
import { forwardToQuestions, isAnswerHere } from './forward';
import { present } from './present';
import { start } from './start';
import { judgeDelivery, saveParked } from './trust';

const ALREADY_RECEIVED = 'Already received';

/** One delivery on its way from the request to the workflow. */
interface Delivery {
	context: IWebhookFunctions;
	subscription: Subscription;
	event: GatewayEvent;
	acceptance: Extract<Acceptance, { state: 'new' }>;
	arrivedAt: number;
}

/**
 * Takes one delivery (API document, "Delivery"): verify, drop duplicates, filter, emit. Answers in every case and
 * never throws, since n8n would save a failed execution for it.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error('Messaging Gateway Trigger: a delivery could not be processed', { error });
		return defer(responseOf(this));
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const response = responseOf(context);
	const key = keyOfNode(context, isTest(context));
	const subscription = subscriptionFor(key, context.logger);
	const admission = await judgeDelivery(context, subscription);
	if (admission === 'refused') {
		const { rawHeaders, rawBody } = requestOf(context);
		return refuse(response, tellReceived(rawHeaders, rawBody));
	}
	if (admission === 'deferred') return defer(response);
	const { event, sentAt } = admission;
	if (event.type === PROBE_TYPE) {
		noteArrival(nameOfKey(key));
		if (!key.test) saveParked(context, subscription);
		return acknowledge(PROBE_ANSWER);
	}
	tellWithoutProxy(context.logger, requestOf(context).rawHeaders);
	const { replayGuard, retries, deduplicator } = subscription;
	if (!key.test && replayGuard.mustRepeat(event.id, sentAt, readClockLead(context)))
		return defer(response);

	if (retries.has(event.id)) return acknowledge(ALREADY_RECEIVED);
	if (retries.isClaimed(event.id)) return defer(response);
	const acceptance = deduplicator.accept(event.id, () => readPatience(context));
	if (acceptance.state === 'done') return acknowledge(ALREADY_RECEIVED);
	if (acceptance.state === 'pending') {
		return answerLater(response, arrivedAt, acceptance.settled);
	}
	// n8n saves what is noted of the clock only with a delivery that starts nothing.
	if (!key.test && subscription.clock.noteTaken(context, sentAt))
		return answerTo(response, acceptance.settle('deferred'));
	const answer = filterAndStart({ context, subscription, event, acceptance, arrivedAt });
	// Whatever goes wrong from here on, the id must not stay pending.
	answer.catch(() => acceptance.settle('deferred'));
	return await answer;
}

/** What becomes of an event that is new: questions get it, the filters let it pass, and an execution starts with it. */
async function filterAndStart(delivery: Delivery): Promise<IWebhookResponseData> {
	const { context, subscription, acceptance, arrivedAt } = delivery;
	let { event } = delivery;
	const ignoreAnswers = readIgnoreAnswers(context);
	// Before the other options: what cannot be read in them keeps nobody from answering a question.
	if (!(await forwardToQuestions(context, subscription, event, ignoreAnswers)))
		return answerTo(responseOf(context), acceptance.settle('deferred'));
	const settings = readSettings(context);
	// Nobody can publish that, so an expression gives nothing now: what comes is not to be lost for it.
	if (settings.events.length === 0) throw new Error('‘Trigger On’ names no event now');
	if (!isWanted(event, settings)) return ignore(acceptance);
	if (ignoreAnswers && (await isAnswerHere(context, subscription, event)))
		return ignore(acceptance);

	if (settings.ignoreOutdatedStatuses) {
		let verdict = subscription.statuses.judge(event);
		while (verdict.kind === 'undecided') {
			const decided = await waitUntil(arrivedAt + START_WITHIN_MS, verdict.until);
			if (!decided) return answerTo(responseOf(context), acceptance.settle('deferred'));
			verdict = subscription.statuses.judge(event);
		}
		if (verdict.kind === 'overtaken') return ignore(acceptance);
		verdict.follow(acceptance.settled);
		event = verdict.event;
	}

	return await startTurn(delivery, event, settings);
}

/** Starts an execution with an event, once its conversation lets it. */
async function startTurn(
	{ context, subscription, acceptance, arrivedAt }: Delivery,
	event: GatewayEvent,
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const { output, confirmWhen, debounce, maxTurnMs } = settings;
	const { settle, settled } = acceptance;
	const said = { ids: [event.id], entry: present(event, output), settle };
	const response = responseOf(context);
	const ends: AnswerEnds =
		maxTurnMs === undefined
			? { sender: response, follow: (hear) => followAnswer(response, confirmWhen, hear) }
			: answerForN8n(response, confirmWhen);
	const starter = { context, subscription, arrivedAt, ends };
	const answerSender = () => answerLater(ends.sender, arrivedAt, settled);
	if (maxTurnMs !== undefined) answerSender();
	const gathers = debounce !== undefined || maxTurnMs !== undefined;
	const conversation = gathers && conversationOf(event);
	if (!conversation) return await start(starter, said, settings);

	acceptance.delay((debounce?.maxWaitMs ?? 0) + (maxTurnMs ?? 0));
	const turn = await subscription.conversations.join(conversation, said, settings);
	if (!turn) return answerSender();
	acceptance.delay(0);
	const together = combine(turn, output);
	if (!(await staysPublished(subscription, context.logger))) {
		subscription.warn(
			'messages were waiting when the workflow was unpublished. They start no execution.',
		);
		together.settle('deferred');
		return answerSender();
	}
	const started = start(starter, together, settings);
	started.catch(() => together.settle('deferred'));
	return await started;
}

function ignore(acceptance: Delivery['acceptance']): IWebhookResponseData {
	acceptance.settle('ignored');
	return acknowledge(NOT_WANTED);
}

/** Every proxy adds one of them. */
const FORWARDED = new Set(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip']);

const told = sharedMap<true>('told once');
const WITHOUT_PROXY = 'without proxy';

/**
 * Says in the log, once in the life of the process, what a delivery that came without a proxy tells: n8n answers 200 by
 * itself to what arrives while it starts, and no trigger can prevent it.
 *
 * @param rawHeaders names and values in turn
 */
export function tellWithoutProxy(logger: Logger, rawHeaders: readonly string[]): void {
	if (told.has(WITHOUT_PROXY)) return;
	told.set(WITHOUT_PROXY, true);
	const names = rawHeaders.filter((_, index) => index % 2 === 0);
	if (names.some((name) => FORWARDED.has(name.toLowerCase()))) return;
	logger.info(
		'Messaging Gateway Trigger: deliveries reach this n8n without a proxy. For about a second while n8n starts, it answers 200 to all of them by itself, and they are lost. A proxy that waits for /healthz/readiness prevents it: see docs/proxy.md of this package.',
	);
}
