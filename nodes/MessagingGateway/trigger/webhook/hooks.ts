import type { IHookFunctions } from 'n8n-workflow';
import { openGateway } from '../../gateway/call';
import { toMessageError } from '../../gateway/failure';
import { whySecretUnfit } from '../../gateway/secrets';
import { deleteWebhook } from '../../gateway/webhooks';
import { serialize } from '../../n8n/waits';
import {
	isManualSetup,
	readCredentialSecret,
	readSettings,
	readSubscribedEvents,
} from '../settings/settings';
import { ensure, findOurs } from './ensure';
import {
	forget,
	readSaved,
	recordOf,
	unknownState,
	want,
	webhookStateOf,
	writeSaved,
	type SavedWebhook,
	type WebhookState,
} from './state';

/** n8n calls them at a publication, a start, and for a test event. */
export const hooks = { checkExists, create, delete: remove };

/** With automatic setup, n8n always calls `create`. A person who publishes reads what is wrong. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await tolerateAtStart(this, async () => {
		const isManual = isManualSetup(this);
		if (isAtStart(this)) return isManual;

		readSettings(this);
		if (isManual) await requireSecret(this);
		return isManual;
	});
}

async function create(this: IHookFunctions): Promise<boolean> {
	return await tolerateAtStart(this, async () => {
		const state = webhookStateOf(this);
		const wanted = { url: urlOf(this), events: readSubscribedEvents(this) };

		return await serialize(state, async () => {
			want(state, wanted);
			const hadOne = readSaved(this).webhookId !== undefined;
			const { record, creation } = await ensure(this, state, wanted);
			writeSaved(this, record);

			// Nobody sees this start: the next check raises the alarm.
			const isRecreated = hadOne && creation !== undefined;
			if (isRecreated && isAtStart(this)) state.sinceLastCheck.recreation = creation;
			return true;
		});
	});
}

/** Deletes the webhook. Never throws: if one is left, the next `create` deletes it. */
async function remove(this: IHookFunctions): Promise<boolean> {
	if (isManualSetup(this)) return true;

	const url = urlOf(this);
	const published = webhookStateOf(this);
	return await serialize(published, async () => {
		const state = isOfTest(published, url) ? unknownState() : published;
		const saved = recordOf(state) ?? readSaved(this);
		forget(state);

		try {
			await deleteOurs(this, url, saved);
			writeSaved(this, undefined);
		} catch (error) {
			this.logger.warn(
				`Messaging Gateway Trigger: the webhook for ${url} could not be deleted at the gateway. The next publication deletes it: ${(error as Error).message}`,
			);
		}

		return true;
	});
}

/** n8n deletes the webhook of a test event in the same mode: the URL tells them apart. */
function isOfTest({ knowledge }: WebhookState, url: string): boolean {
	return knowledge.kind !== 'not published' && knowledge.wanted.url !== url;
}

async function deleteOurs(
	context: IHookFunctions,
	url: string,
	saved: Partial<SavedWebhook>,
): Promise<void> {
	const account = await openGateway(context, 'account');
	const { ours } = await findOurs(account, url, saved);
	for (const { id } of ours) await deleteWebhook(account, id);
}

/** At a start, n8n gives up a trigger whose hook throws. The check soon repeats the work. */
async function tolerateAtStart(context: IHookFunctions, work: () => Promise<boolean>) {
	try {
		return await work();
	} catch (error) {
		if (!isAtStart(context)) throw toMessageError(context.getNode(), error);

		const { knowledge } = webhookStateOf(context);
		if (knowledge.kind === 'not published') knowledge.startError = error as Error;
		context.logger.warn(
			`Messaging Gateway Trigger: the trigger could not check its webhook at the start of n8n, and will check again soon: ${(error as Error).message}`,
		);
		return true;
	}
}

const isAtStart = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

const urlOf = (context: IHookFunctions): string => context.getNodeWebhookUrl('default') ?? '';

async function requireSecret(context: IHookFunctions): Promise<void> {
	const secret = await readCredentialSecret(context);
	const reason = secret === undefined ? 'it is empty' : whySecretUnfit(secret);
	if (reason === undefined) return;

	throw new Error(
		`The webhook secret in the credential cannot be right: ${reason}. With manual webhook setup, create the webhook at your gateway with the URL of this trigger. Then enter the whole secret that it shows (whsec_…) as Webhook Secret in the account credential.`,
	);
}
