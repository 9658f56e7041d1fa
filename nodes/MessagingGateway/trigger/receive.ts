import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isAnswerHere } from '../question/knownQuestions';
import { acknowledge, defer, refuse, responseOf } from '../webhooks/http';
import { admit } from './admit';
import { isWanted } from './filter';
import { keyOf } from './record';
import { claim, settle } from './seen';
import { isTest, readSettings } from './settings';
import { makeEntry, start } from './start';
import { advance } from './statusOrder';

const NOT_WANTED = 'Not subscribed to';
const OUTDATED = { event: undefined, takeBack: undefined };

/**
 * Receives one delivery (API document, "Delivery"). Answers in every case and never throws: n8n would save a failed
 * execution, which a stranger must not cause.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error('Messaging Gateway Trigger: a delivery could not be processed', { error });
		return defer(responseOf(this));
	}
}

// The order: first the signature, since nothing of a stranger's request may be read or remembered. Then the filters,
// so that only events that start an execution fill the memory. Then repeats, before anything that an
// event changes. Then outdated statuses, since a status counts only if its event is new. Gathering comes last, since an
// event that waits is one that will start.
async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const admitted = await admit(context);
	if (admitted === 'refused') return refuse(responseOf(context));
	if (admitted === 'deferred') return defer(responseOf(context));

	const settings = readSettings(context);
	if (!isWanted(admitted, settings)) return acknowledge(NOT_WANTED);
	if (settings.ignoreAnswers && isAnswerHere(admitted)) return acknowledge(NOT_WANTED);

	// A test event is the person's own: nothing is remembered of it, and it waits for no other.
	if (isTest(context)) return await start({ context, arrivedAt, settings }, makeEntry(admitted));
	const trigger = keyOf(context);
	const state = claim(trigger, admitted.id);
	if (state === 'done') return acknowledge('Already received');
	if (state === 'pending') return defer(responseOf(context));

	const { event, takeBack } = settings.ignoreOutdatedStatuses
		? (advance(trigger, admitted) ?? OUTDATED)
		: { event: admitted, takeBack: undefined };
	if (event === undefined) {
		settle(trigger, admitted.id, true);
		return acknowledge(NOT_WANTED);
	}
	const entry = makeEntry(event, (settlement) => {
		settle(trigger, event.id, settlement === 'accepted');
		if (settlement === 'deferred') takeBack?.();
	});
	const started = start({ context, arrivedAt, settings, trigger }, entry);
	// If anything fails, the event must not stay pending.
	started.catch(() => entry.settle('deferred'));
	return await started;
}
