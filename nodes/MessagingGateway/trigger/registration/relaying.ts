import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { openAccount, setForwarder } from '../../question/accounts';
import { arrangeQuestions, sweepQuestions } from '../../question/sweep';
import { deliversAll } from '../../webhooks/compare';
import { nameOf } from '../memory/identity';
import { findWanted } from '../memory/registrations';

/**
 * Looks after the questions of the action node: removes what they have left at the gateway, and hands the messages on
 * to them where this trigger gets them all. Where that fails, the next look does it.
 *
 * @param signal comes when the trigger is no longer published
 * @param isProven whether deliveries to this n8n's own address arrive
 */
export async function lookAfterQuestions(
	context: ITriggerFunctions,
	signal: AbortSignal,
	isProven: boolean,
): Promise<void> {
	const wanted = findWanted(context);
	if (wanted === undefined || signal.aborted) return;
	if (isProven) await joinRelay(context, signal, true);
	else leaveRelay(context);
	await sweepQuestions(context, wanted.url).catch(() => {});
}

/** Says that this trigger hands messages on, or will as soon as it has proven that it can. */
export async function joinRelay(
	context: ITriggerFunctions,
	signal: AbortSignal,
	isProven = false,
): Promise<void> {
	const account = await openAccount(context).catch(() => undefined);
	if (signal.aborted) return;
	const events = findWanted(context)?.events ?? [];
	const isFit = deliversAll(events, ['MESSAGE.RECEIVED']);
	setForwarder(nameOf(context), isFit ? account : undefined, isProven);
}

/** Ends the handing on, as with the process. */
export function leaveRelay(context: ITriggerFunctions): void {
	setForwarder(nameOf(context), undefined);
}

/** Lets the questions get their messages themselves again, unless there is another trigger that gets them. */
export async function endRelay(context: IHookFunctions, url: string): Promise<void> {
	setForwarder(nameOf(context), undefined);
	const account = await openAccount(context).catch(() => undefined);
	if (account === undefined || account.parked.size === 0) return;
	await arrangeQuestions(context, url).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway Trigger: open questions get their answers only after the next question or publication, since their webhooks could not be changed: ${message}`,
		);
	});
}
