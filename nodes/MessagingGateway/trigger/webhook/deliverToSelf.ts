import { createHmac } from 'crypto';
import type {
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	ITriggerFunctions,
} from 'n8n-workflow';
import { quote } from '../../gateway/failure';
import type { KnownAlarm } from './alarms';
import type { SavedWebhook } from './state';

/** The trigger's response to an event that nobody has chosen. */
export const NOT_WANTED = 'Not subscribed to';

const TIMEOUT_MS = 8_000;

const LOGIN =
	'A login page, or another service, responds in place of n8n: let your proxy pass paths that begin with /webhook on without a login.';
const REDIRECT =
	'A gateway does not follow a redirect. If it leads to n8n, e.g. by https, set N8N_WEBHOOK_URL to that address without its path, and restart n8n. If it leads to a login page, let your proxy pass paths that begin with /webhook on without it.';
const REFUSED =
	'Something asks for a login, or a proxy changes bodies or headers. A firewall (WAF) or an API gateway that reads JSON and writes it anew breaks the signature, though all values stay. Let your proxy pass paths that begin with /webhook on without a login, and byte for byte. In queue mode, unpublish the workflow and publish it again.';
const NOT_FOUND =
	'A proxy takes a part of the path off, a tunnel is gone, or another service responds.';

/**
 * Delivers an event that starts nothing to the trigger's public address. Gives an alarm unless the
 * trigger accepts it. No response, or 5xx, is none: many an n8n cannot reach its own address.
 */
export async function deliverToSelf(
	context: ITriggerFunctions,
	{ url, secret }: SavedWebhook,
): Promise<KnownAlarm | undefined> {
	const sending = context.helpers.httpRequest(signDelivery(url, secret));
	const response = (await sending.catch(() => undefined)) as IN8nHttpFullResponse | undefined;
	if (response === undefined || response.statusCode >= 500) return undefined;

	const isOwn = (response.body as IDataObject | undefined)?.message === NOT_WANTED;
	if (isOwn) return undefined;

	const { statusCode, headers } = response;
	const target = headers.location ? `, to ${quote(headers.location)}` : '';
	return {
		kind: `own address ${statusCode}`,
		message: `Events may not reach the trigger: its own address responds with status ${statusCode}${target}`,
		advice: `The trigger has sent a delivery to ${url}, and something else responded. ${explainStatus(statusCode)} If events do arrive, this n8n sees its own address differently from the internet: ignore this.`,
	};
}

function explainStatus(status: number): string {
	if (status === 404) return NOT_FOUND;
	if (status >= 400) return REFUSED;
	if (status >= 300) return REDIRECT;
	return LOGIN;
}

/** A delivery as the gateway signs it (API 8). */
function signDelivery(url: string, secret: string): IHttpRequestOptions {
	const sentAt = String(Math.floor(Date.now() / 1000));
	const id = `check-${sentAt}`;
	const body = writeBody(id);
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');

	return {
		method: 'POST',
		url,
		headers: {
			'content-type': 'application/json',
			'webhook-id': id,
			'webhook-timestamp': sentAt,
			'webhook-signature': `v1,${signature}`,
		},
		body,
		timeout: TIMEOUT_MS,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
}

/**
 * An event that nobody can choose, since its type is in small letters. A proxy that reads JSON and
 * writes it anew changes its bytes, and so breaks the signature, as it would that of each genuine
 * event: no writer of JSON keeps the blanks, the escaped letter and `1.0`.
 */
function writeBody(id: string): string {
	return `{"id": "${id}",  "type": "own.ch\\u0065ck", "data": {"number": 1.0}}`;
}
