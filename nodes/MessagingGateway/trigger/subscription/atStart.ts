import type { IHookFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { sharedMap } from '../../processState';
import type { WebhookList } from '../../webhooks/records';
import { observe, readGateway } from './ownWebhooks';

const TIMEOUT_AT_START_MS = 3_000;
const SILENT_FOR_MS = 60_000;

/** By base URL: when a gateway did not answer at a start of n8n. */
const silentAt = sharedMap<number>('silent gateways');

/**
 * Lists the webhooks. At a start of n8n, many triggers may ask a gateway that does not answer, and everything else
 * waits for them: so the first one that waits in vain waits for all.
 *
 * @returns undefined if the gateway does not answer at a start
 * @throws GatewayError if it does not answer with a list at any other time
 */
export async function observeAtStart(
	context: IHookFunctions,
	url: string,
): Promise<WebhookList | undefined> {
	if (!isAtStart(context)) return await observe(context, url);
	const listUnlessSilent = async (): Promise<WebhookList | undefined> => {
		const gateway = await readGateway(context);
		if (Date.now() - (silentAt.get(gateway) ?? -Infinity) < SILENT_FOR_MS) return undefined;
		const listing = observe(context, url, TIMEOUT_AT_START_MS);
		listing.catch((error: unknown) => {
			// One that refuses a token may take that of another trigger.
			if (failureOf(error)?.passing) silentAt.set(gateway, Date.now());
		});
		return await listing;
	};
	return await tolerateAtStart(context, listUnlessSilent());
}

/**
 * At a start of n8n nobody looks on, and a trigger whose hook throws is given up for good. So what goes wrong then is
 * a line in the log: the trigger itself checks again soon.
 *
 * @returns undefined if it went wrong
 */
export async function tolerateAtStart<T>(
	context: IHookFunctions,
	work: Promise<T>,
): Promise<T | undefined> {
	if (!isAtStart(context)) return await work;
	return await work.catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway Trigger: the trigger could not check its webhook at the start of n8n, and will check again soon: ${message}`,
			{ workflowId: context.getWorkflow().id },
		);
		return undefined;
	});
}

/** Whether n8n calls a hook because it starts, and not because a person has published. */
export function isAtStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}
