import { sleep, type IHookFunctions } from 'n8n-workflow';
import { openGateway } from '../../gateway/call';
import { toMessageError } from '../../gateway/failure';
import { requireReachable } from '../../gateway/reach';
import { whySecretUnfit } from '../../gateway/secrets';
import { listWebhooks } from '../../gateway/webhooks';
import { serialize } from '../../waits';
import {
	isManualSetup,
	readCredentialSecret,
	readSettings,
	readSubscribedEvents,
} from '../settings/settings';
import { isRegistered, register, unregister } from './reconcile';
import {
	forgetRecord,
	isComplete,
	recordOf,
	registrationOf,
	requireServed,
	writeSaved,
	type Registration,
} from './registration';

const SECOND_TRY_AFTER_MS = 1_000;

const OTHER_WAY =
	' If the gateway does reach this address, create the webhook yourself and choose manual webhook setup.';

/** n8n calls the hooks at a publication, at each of its starts, and for a test event, which has its own static data. */
export const hooks = { checkExists, create, delete: remove };

/** If the wanted webhook does not exist, or its secret is not known, n8n calls `create`. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await tolerateAtStart(this, async () => {
		const isManual = isManualSetup(this);
		// At a publication, a person reads which setting cannot be used.
		if (!isAtStart(this)) readSettings(this);
		if (!isAtStart(this) && isManual) await requireSecret(this);
		if (isManual) return true;
		const registration = want(this);
		const { wanted } = registration;
		requireServed(this);
		return await serialize(registration, async () => {
			const record = recordOf(registration, this);
			if (!isComplete(record) || String(record.events) !== String(wanted.events)) return false;
			const account = await openGateway(this, 'account');
			const { webhooks } = await listWebhooks(account);
			if (!isRegistered(webhooks, wanted, record, account.baseUrl)) return false;
			registration.record = record;
			writeSaved(this, record);
			return true;
		});
	});
}

async function create(this: IHookFunctions): Promise<boolean> {
	return await tolerateAtStart(this, async () => {
		const registration = want(this);
		const { wanted } = registration;
		return await serialize(registration, async () => {
			const account = await openGateway(this, 'account');
			requireReachable(wanted.url, account.baseUrl, OTHER_WAY);
			const { webhooks } = await listWebhooks(account);
			const known = recordOf(registration, this);
			forgetRecord(registration);
			registration.record = await register(account, webhooks, wanted, known);
			writeSaved(this, registration.record);
			registration.isRecreatedAtStart = isAtStart(this) && known.webhookId !== undefined;
			return true;
		});
	});
}

/** Deletes the webhook. Never throws: if one is left, the next `create` deletes it. */
async function remove(this: IHookFunctions): Promise<boolean> {
	if (isManualSetup(this)) return true;
	const url = urlOf(this);
	const published = registrationOf(this);
	// n8n deletes the webhook of a test event in the same mode: the URL tells them apart.
	const isTestUrl = published.wanted !== undefined && published.wanted.url !== url;
	const registration: Registration = isTestUrl ? { unsureSince: -Infinity } : published;
	registration.wanted = undefined;
	return await serialize(registration, async () => {
		const known = recordOf(registration, this);
		registration.record = undefined;
		const tryOnce = async (): Promise<void> => {
			const account = await openGateway(this, 'account');
			const { webhooks } = await listWebhooks(account);
			await unregister(account, webhooks, url, known);
		};
		try {
			await tryOnce().catch(async () => {
				await sleep(SECOND_TRY_AFTER_MS);
				await tryOnce();
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

function want(context: IHookFunctions) {
	const wanted = { url: urlOf(context), events: readSubscribedEvents(context) };
	return Object.assign(registrationOf(context), { wanted });
}

/** At a start, n8n gives up a trigger whose hook throws: so the error goes to the log, and the check repeats the work. */
async function tolerateAtStart(context: IHookFunctions, work: () => Promise<boolean>) {
	try {
		return await work();
	} catch (error) {
		if (!isAtStart(context)) throw toMessageError(context.getNode(), error);
		context.logger.warn(
			`Messaging Gateway Trigger: the trigger could not check its webhook at the start of n8n, and will check again soon: ${(error as Error).message}`,
		);
		return true;
	}
}

function isAtStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw new Error('n8n gives this trigger no URL');
	return url;
}

async function requireSecret(context: IHookFunctions): Promise<void> {
	const secret = await readCredentialSecret(context);
	if (secret === undefined) {
		throw new Error(
			'The credential holds no webhook secret. With manual webhook setup, create the webhook at your gateway with the URL of this trigger. Then enter the secret it shows (whsec_…) as Webhook Secret in the account credential.',
		);
	}
	const reason = whySecretUnfit(secret);
	if (reason === undefined) return;
	throw new Error(
		`The webhook secret in the credential cannot be right: ${reason}. Copy it again, whole, as the gateway showed it.`,
	);
}
