import { randomInt } from 'crypto';
import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { openGateway, type Gateway, type GatewayContext } from '../gateway/call';
import { rejection } from '../gateway/failure';
import { requireReachable } from '../gateway/reach';
import { createWebhook, deleteWebhook, listWebhooks, type NewWebhook } from '../gateway/webhooks';
import { serialize, type Queue } from '../waits';
import { composeUrl, readUrl, type UrlParameters } from './question';

/** Codes are 10 to 99. */
const CODES = 90;

const openings: Queue = {};

const CHECK_TIMEOUT_MS = 3_000;
/** How many open questions a new one checks in passing. */
const MAX_CHECKS = 5;

/** The path of a question's URL, such as `/webhook-waiting/42/node-id`, if the address of n8n has no path. */
const WITHOUT_PREFIX = /^(?:\/[^/]+){3}$/;

/** n8n's words for an execution that no longer waits, and for a URL whose signature does not fit. */
const OVER = /no action required|the execution .*(?:does not exist|has finished)/i;
const REFUSED = /^401 .*Invalid/s;

/** Creates the webhook through which the answer comes, after deleting those of questions that are over. */
export async function openWebhook(
	context: IExecuteFunctions,
	account: Gateway,
	until: number,
	maxOpen: number,
): Promise<NewWebhook & Pick<UrlParameters, 'code'>> {
	const ownUrl = context.getSignedResumeUrl({});
	await requireAnswerable(context, ownUrl, account.baseUrl);
	// One after the other, so that each question counts the previous one.
	return await serialize(openings, async () => {
		const code = chooseCode(await makeRoom(context, account, { ownUrl, maxOpen }));
		const url = composeUrl(context, { until, code });
		const events = ['MESSAGE.RECEIVED', 'MESSAGE.SENT'];
		return { ...(await createWebhook(account, url, events)), code };
	});
}

/** Opens the account of a question: the credential of its number holds that token too. */
export async function openAccount(context: GatewayContext): Promise<Gateway> {
	// n8n aborts the requests of a cancelled execution. Its webhook would stay at the gateway.
	const lasting = Object.create(context) as GatewayContext;
	const getExecutionCancelSignal = (): undefined => undefined;
	Object.assign(lasting, { getExecutionCancelSignal });
	return await openGateway(lasting, 'account', { holder: 'instance' });
}

/**
 * n8n signs a question's URL with its path. If a proxy strips a path of `N8N_WEBHOOK_URL`, n8n responds 401 to every answer
 * before the node runs, and to a request of ours too. Otherwise it responds that the execution is running.
 */
async function requireAnswerable(context: IExecuteFunctions, url: string, gatewayUrl: string) {
	requireReachable(url, gatewayUrl);
	const { origin, pathname } = new URL(url);
	if (WITHOUT_PREFIX.test(pathname) || !REFUSED.test(await knock(context, url))) return;
	throw rejection(
		'n8n would refuse the answer',
		`A proxy takes a part off the path of ${origin}${pathname}, which n8n has signed. Set N8N_WEBHOOK_URL to the address without a path, let the proxy pass /webhook and /webhook-waiting on as they are, and restart n8n.`,
	);
}

/** Deletes the webhooks of questions that are over, and returns the codes of those that are open. */
async function makeRoom(
	context: IExecuteFunctions,
	account: Gateway,
	{ ownUrl, maxOpen }: { ownUrl: string; maxOpen: number },
): Promise<string[]> {
	const { webhooks } = await listWebhooks(account);
	const all = webhooks.flatMap(({ id, url }) => {
		const parameters = readUrl(context, url, ownUrl);
		return parameters ? [{ id, url, ...parameters }] : [];
	});
	const isPast = ({ until }: UrlParameters): boolean => until < Date.now();
	for (const { id } of all.filter(isPast)) await closeWebhook(context, account, id);
	const open = all.filter((each) => !isPast(each));
	const isFull = open.length >= maxOpen;
	const first = randomInt(Math.max(1, open.length - MAX_CHECKS + 1));
	const checked = isFull ? open : open.slice(first, first + MAX_CHECKS);
	// Only n8n knows which executions have been stopped or deleted. Any other response means that the execution waits.
	const checks = checked.map(async ({ id, url, code }) => {
		if (!OVER.test(await knock(context, url))) return [code];
		await closeWebhook(context, account, id);
		return [];
	});
	const codes = isFull ? (await Promise.all(checks)).flat() : open.map(({ code }) => code);
	if (codes.length < maxOpen) return codes;
	throw rejection(
		`${codes.length} questions are open, and at most ${maxOpen} may be open at once`,
		'Wait until some are answered, shorten Limit Wait Time, or raise Max Open Questions in the options. To ask more people, see “Ask many people at once” in the documentation.',
		true,
	);
}

// Each load of the package may have its own: the gateway's list tells which codes are taken.
let lastCode = randomInt(CODES);

/** The next code that no open question has. A code is used again only after all the others. */
function chooseCode(taken: string[]): string {
	do lastCode = (lastCode + 1) % CODES;
	while (taken.includes(String(lastCode + 10)));
	return String(lastCode + 10);
}

/** The status and the words of n8n's response to an unsigned delivery. Empty if n8n cannot reach itself. */
async function knock({ helpers }: GatewayContext, url: string): Promise<string> {
	try {
		const { statusCode, body } = (await helpers.httpRequest({
			method: 'POST',
			url,
			timeout: CHECK_TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as IN8nHttpFullResponse;
		return `${statusCode} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
	} catch {
		return '';
	}
}

/** Deletes the webhook of a question. If the gateway fails, the next question tries again. */
export async function closeWebhook(context: GatewayContext, account: Gateway, webhookId: string) {
	await deleteWebhook(account, webhookId).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway: webhook ${webhookId} of a question that is over could not be deleted yet: ${message}`,
		);
	});
}
