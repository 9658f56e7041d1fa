import type { IExecuteFunctions } from 'n8n-workflow';
import { openGateway, type Gateway, type GatewayContext } from '../gateway/call';
import { GatewayError } from '../gateway/failure';
import { deleteWebhook, listWebhooks } from '../gateway/webhooks';
import { isWaiting, resumeUrlOf, type WaitingContext } from '../n8n/waitingExecution';
import { ownerOf, readListing, type Listing } from './listing';

/** A question in the gateway's list of webhooks. */
export interface Listed {
	id: string;
	url: string;
	listing: Listing;
	/** Whether this n8n has asked it. Nothing is ever sent to the URL of another one. */
	isOwn: boolean;
}

/** So many executions are asked about at a time. A question takes n8n about 50 milliseconds. */
const CHECKS_AT_ONCE = 10;

/** Opens the account also if the execution is cancelled: its webhook would stay at the gateway. */
export async function openAccount(context: GatewayContext): Promise<Gateway> {
	return await openGateway(context, 'account', { holder: 'instance', outlivesCancel: true });
}

/** Lists the questions of an account, also those of another n8n. */
export async function listQuestions(context: WaitingContext, account: Gateway): Promise<Listed[]> {
	const { webhooks } = await listWebhooks(account);
	const { origin } = new URL(resumeUrlOf(context, {}));
	const owner = ownerOf(context);

	return webhooks.flatMap(({ id, url }) => {
		if (!URL.canParse(url)) return [];
		const { origin: host, searchParams } = new URL(url);
		const parameters = Object.fromEntries(searchParams);
		const listing = readListing(parameters);
		if (listing === undefined || parameters.signature === undefined) return [];
		return [{ id, url, listing, isOwn: host === origin && parameters.by === owner }];
	});
}

/** Lists the questions whose time is not over, and deletes the others of this n8n. */
export async function listOpen(context: WaitingContext, account: Gateway): Promise<Listed[]> {
	const listed = await listQuestions(context, account);
	const over = listed.filter(({ listing }) => listing.until < Date.now());
	const own = over.filter(({ isOwn }) => isOwn);
	await closeWebhooks(
		context,
		account,
		own.map(({ id }) => id),
	);
	return listed.filter((each) => !over.includes(each));
}

/**
 * Deletes webhooks of questions. Throws nothing.
 *
 * @returns the IDs of those that the gateway may still have
 */
export async function closeWebhooks(
	context: GatewayContext,
	account: Gateway,
	ids: string[],
): Promise<string[]> {
	const left: string[] = [];

	await Promise.all(
		ids.map(async (id) => {
			try {
				await deleteWebhook(account, id);
			} catch (error) {
				if (error instanceof GatewayError && error.failure.status === 404) return;

				const { message } = error as Error;
				context.logger.warn(
					`Messaging Gateway: the webhook of a question could not be deleted yet: ${message}`,
				);
				left.push(id);
			}
		}),
	);

	return left;
}

/**
 * Deletes the webhooks of questions that no longer wait, until so many are deleted. Each is asked about at
 * n8n: a person may have stopped it, or the gateway may have failed at its end.
 *
 * @returns how many no longer wait
 */
export async function closeStopped(
	context: IExecuteFunctions,
	account: Gateway,
	questions: Listed[],
	wanted: number,
): Promise<number> {
	const stopped: string[] = [];
	for (
		let first = 0;
		first < questions.length && stopped.length < wanted;
		first += CHECKS_AT_ONCE
	) {
		const checked = questions.slice(first, first + CHECKS_AT_ONCE);
		const waits = await Promise.all(checked.map(async ({ url }) => await isWaiting(context, url)));
		const over = checked.filter((_, index) => !waits[index]);
		stopped.push(...over.map(({ id }) => id));
	}
	await closeWebhooks(context, account, stopped);
	return stopped.length;
}
