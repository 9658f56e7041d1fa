import { sleep, type IHookFunctions } from 'n8n-workflow';
import { GatewayError, joinSentences } from '../api/failure';
import { openConnection } from '../api/request';
import { listWebhooks } from '../webhooks/records';
import {
	forgetRecord,
	isComplete,
	readSaved,
	registrationOf,
	serialize,
	writeSaved,
	type Registration,
	type WantedWebhook,
	type WebhookRecord,
} from './record';
import { isRegistered, register, unregister } from './registration';
import { refusal, requireReachable, requireSecret, requireUsableSettings } from './requirements';
import { isManualSetup, isTest, readSubscribedEvents } from './settings';

const TIMEOUT_AT_START_MS = 3_000;
const SECOND_TRY_AFTER_MS = 1_000;

/**
 * The hooks that n8n calls when a workflow is published, changed and unpublished, at every start of n8n, and when the
 * editor listens for a test event. A test event has static data of its own, and no registration.
 */
export const hooks = { checkExists, create, delete: remove };

/** Whether exactly the wanted webhook exists and its secret is held. If not, n8n calls `create`. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	const isManual = isManualSetup(this);
	// At a start n8n would give up for good a trigger whose hook throws.
	if (!isAtStart(this)) {
		requireUsableSettings(this);
		if (isManual) await requireSecret(this);
	}
	if (isManual) return true;
	const wanted = readWanted(this);
	const registration = isTest(this) ? undefined : registrationOf(this);
	if (registration) registration.wanted = wanted;
	return await serialize(registration, async () => {
		const record = registration?.record ?? readSaved(this);
		if (!isComplete(record) || String(record.events) !== String(wanted.events)) return false;
		const checking = check(this, wanted, record);
		if (!(await tolerateAtStart(this, checking))) return false;
		// A start at which the gateway could not be asked confirms nothing.
		if (await checking.catch(() => false)) keep(this, registration, record);
		return true;
	});
}

async function check(
	context: IHookFunctions,
	wanted: WantedWebhook,
	record: WebhookRecord,
): Promise<boolean> {
	const account = await openConnection(context, 'account');
	const timeoutMs = isAtStart(context) ? TIMEOUT_AT_START_MS : undefined;
	const { webhooks } = await listWebhooks(context, account, timeoutMs);
	return isRegistered(webhooks, wanted, record, account.baseUrl);
}

/** Creates the webhook. */
async function create(this: IHookFunctions): Promise<boolean> {
	const wanted = readWanted(this);
	const registration = isTest(this) ? undefined : registrationOf(this);
	const making = serialize(registration, async () => {
		await requireReachable(this, wanted.url);
		const known = registration?.record ?? readSaved(this);
		if (registration) forgetRecord(registration);
		keep(this, registration, await register(this, wanted, known));
		return true;
	});
	return await tolerateAtStart(this, making);
}

/** Deletes the webhook. Never throws: what is left over, the next `create` deletes. */
async function remove(this: IHookFunctions): Promise<boolean> {
	if (isManualSetup(this)) return true;
	const url = urlOf(this);
	const published = registrationOf(this);
	// n8n deletes the webhook of a test event in the same mode: the URL tells them apart.
	const isPublished = published.wanted === undefined || published.wanted.url === url;
	const registration = isPublished ? published : undefined;
	if (registration) registration.wanted = undefined;
	return await serialize(registration, async () => {
		const known = registration?.record ?? readSaved(this);
		if (registration) registration.record = undefined;
		try {
			await unregister(this, url, known).catch(async () => {
				await sleep(SECOND_TRY_AFTER_MS);
				await unregister(this, url, known);
			});
			writeSaved(this, undefined);
		} catch (error) {
			this.logger.warn(
				`Messaging Gateway Trigger: the webhook for ${url} could not be deleted at the gateway. The next publication deletes it: ${(error as Error).message}`,
			);
		}
		return true;
	});
}

function keep(
	context: IHookFunctions,
	registration: Registration | undefined,
	record: WebhookRecord,
): void {
	writeSaved(context, record);
	if (registration) registration.record = { ...record };
}

/** If something fails at a start of n8n, the trigger goes on, and its check repeats it. */
async function tolerateAtStart(context: IHookFunctions, work: Promise<boolean>): Promise<boolean> {
	try {
		return await work;
	} catch (error) {
		if (!isAtStart(context)) throw error instanceof GatewayError ? explain(context, error) : error;
		context.logger.warn(
			`Messaging Gateway Trigger: the trigger could not check its webhook at the start of n8n, and will check again soon: ${(error as Error).message}`,
		);
		return true;
	}
}

/** If a workflow cannot be published, n8n shows the message of the error alone. */
function explain(context: IHookFunctions, { message, description }: GatewayError): Error {
	return refusal(context, joinSentences(message, description));
}

/** Whether n8n calls a hook because it starts, and not because a person has published. */
function isAtStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/** If an expression gives no event at a start, the webhook keeps its events. */
function readWanted(context: IHookFunctions): WantedWebhook {
	const url = urlOf(context);
	try {
		return { url, events: readSubscribedEvents(context) };
	} catch (error) {
		const { events } = readSaved(context);
		if (isAtStart(context) && events !== undefined) return { url, events };
		throw refusal(context, (error as Error).message);
	}
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw refusal(context, 'n8n gives this trigger no URL');
	return url;
}
