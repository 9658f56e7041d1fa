import { createHmac } from 'crypto';
import type { IDataObject, IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { quote } from '../../gateway/failure';
import type { SavedWebhook } from './state';

/** The trigger's response to an event that nobody has chosen. */
export const NOT_WANTED = 'Not subscribed to';

/** Nobody can choose an event type in small letters. */
const TYPE = 'own.check';
const TIMEOUT_MS = 8_000;

const REASON_BY_STATUS: Record<string, string> = {
	2: 'A login page, or another service, responds in place of n8n: let your proxy pass paths that begin with /webhook on without a login.',
	3: 'A gateway does not follow a redirect. If it leads to n8n, e.g. by https, set N8N_WEBHOOK_URL to that address without its path, and restart n8n. If it leads to a login page, let your proxy pass paths that begin with /webhook on without it.',
	4: 'Something asks for a login, or a proxy changes bodies or headers: let your proxy pass paths that begin with /webhook on without a login, and unchanged. In queue mode, unpublish the workflow and publish it again.',
	404: 'A proxy takes a part of the path off, a tunnel is gone, or another service responds.',
};

/**
 * Delivers an event that starts nothing to the trigger's public address. Gives an alarm unless the
 * trigger accepts it. No response, or 5xx, is none: many an n8n cannot reach its own address.
 */
export async function deliverToSelf(context: ITriggerFunctions, { url, secret }: SavedWebhook) {
	const sentAt = String(Math.floor(Date.now() / 1000));
	const id = `check-${sentAt}`;
	const body = JSON.stringify({ id, type: TYPE });
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');
	const signed = { 'webhook-id': id, 'webhook-timestamp': sentAt };
	const headers = { 'content-type': 'application/json', 'webhook-signature': `v1,${signature}` };
	const sending = context.helpers.httpRequest({
		...{ method: 'POST', url, headers: { ...headers, ...signed }, body, timeout: TIMEOUT_MS },
		...{ disableFollowRedirect: true, returnFullResponse: true, ignoreHttpStatusErrors: true },
	});
	const response = (await sending.catch(() => undefined)) as IN8nHttpFullResponse | undefined;
	const isOwn = (response?.body as IDataObject | undefined)?.message === NOT_WANTED;
	if (response === undefined || isOwn || response.statusCode >= 500) return undefined;
	const { location } = response.headers;
	const status = `${response.statusCode}${location ? `, to ${quote(location)}` : ''}`;
	return {
		message: `Events may not reach the trigger: its own address responds with status ${status}`,
		advice: `The trigger has sent a delivery to ${url}, and something else responded. ${REASON_BY_STATUS[response.statusCode] ?? REASON_BY_STATUS[status[0]]} If events do arrive, this n8n sees its own address differently from the internet: ignore this.`,
	};
}
