import { randomInt } from 'crypto';
import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { GatewayError } from '../api/failure';
import { openGateway, type Gateway, type GatewayContext } from '../api/gateway';
import { whyUnreachable } from '../api/reach';
import { createWebhook, deleteWebhook, listWebhooks, type NewWebhook } from '../api/webhooks';
import { serialize, type Queue } from '../waits';
import { composeUrl, readUrl, type UrlParameters } from './question';

/** Codes are 10 to 99. At most 50 questions are open. */
const CODES = 90;

const openings: Queue = {};

const CHECK_TIMEOUT_MS = 3_000;

/** n8n's responses for an execution that no longer waits. */
const OVER = /no action required|the execution .*(?:does not exist|has finished)/i;

/**
 * Creates the webhook through which the answer comes, after deleting those of questions that are over.
 *
 * @param until end of the wait, in milliseconds
 * @param maxOpen how many questions of this n8n may be open at once
 * @throws {GatewayError} if there is none; then nothing was sent
 */
export async function openWebhook(
	context: IExecuteFunctions,
	account: Gateway,
	until: number,
	maxOpen: number,
): Promise<NewWebhook & Pick<UrlParameters, 'code'>> {
	const ownUrl = context.getSignedResumeUrl({});
	requireReachable(ownUrl, account.baseUrl);
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
	return await openGateway(context, 'account', { holder: 'instance' });
}

function requireReachable(url: string, gatewayUrl: string): void {
	const reason = whyUnreachable(url, gatewayUrl);
	if (reason === undefined) return;
	throw new GatewayError({
		message: 'No answer could reach this n8n',
		description: `The gateway would deliver the answer to ${new URL(url).origin}: ${reason}. Set N8N_WEBHOOK_URL to the public https address of this n8n, and restart it.`,
		outcome: 'rejected',
		retryable: false,
	});
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
	let open = all.filter((each) => !isPast(each));
	if (open.length >= maxOpen) {
		// Only n8n knows which executions have been stopped or deleted.
		const waits = await Promise.all(open.map(async ({ url }) => await isWaiting(context, url)));
		for (const { id } of open.filter((_, index) => !waits[index]))
			await closeWebhook(context, account, id);
		open = open.filter((_, index) => waits[index]);
	}
	if (open.length < maxOpen) return open.map(({ code }) => code);
	throw new GatewayError({
		message: `${open.length} questions are open, and at most ${maxOpen} may be open at once`,
		description:
			'Wait until some are answered, shorten Limit Wait Time, or raise Max Open Questions in the options. For more than 50 see “Ask many people at once” in the documentation.',
		outcome: 'rejected',
		retryable: true,
	});
}

// Each load of the package may have its own: the gateway's list tells which codes are taken.
let lastCode = randomInt(CODES);

/** The next code that no open question has. A code is used again only after all the others. */
function chooseCode(taken: string[]): string {
	do lastCode = (lastCode + 1) % CODES;
	while (taken.includes(String(lastCode + 10)));
	return String(lastCode + 10);
}

/** Whether an execution waits. If not, n8n responds to an unsigned delivery in words. */
async function isWaiting({ helpers }: GatewayContext, url: string): Promise<boolean> {
	try {
		const { body } = (await helpers.httpRequest({
			method: 'POST',
			url,
			timeout: CHECK_TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as IN8nHttpFullResponse;
		return !OVER.test(typeof body === 'string' ? body : JSON.stringify(body));
	} catch {
		return true;
	}
}

/** Deletes the webhook of a question that is over. If the gateway fails, the next question tries again. */
export async function closeWebhook(
	context: GatewayContext,
	account: Gateway,
	webhookId: string,
): Promise<void> {
	await deleteWebhook(account, webhookId).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway: webhook ${webhookId} of a question that is over could not be deleted yet: ${message}`,
		);
	});
}
