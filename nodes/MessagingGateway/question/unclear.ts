import type { QuestionDelivery } from './admit';
import type { Origin } from './question';

/** So long the gateway takes at most, as a rule, to tell that a message has left the number. */
export const TOLD_WITHIN_MS = 60_000;

/** Says once of a question that a message may be its answer, and that nobody can tell, or not for long. */
export function sayUnclear(
	{ context, account, question: { webhookId, until, askedAt } }: QuestionDelivery,
	origin: Extract<Origin, 'untold' | 'unmatched'>,
): void {
	if (origin === 'untold' && Date.now() < askedAt + TOLD_WITHIN_MS) return;
	if (!account.isNews(webhookId, `${until} ${origin}`)) return;
	const why =
		origin === 'untold'
			? 'The gateway has not sent MESSAGE.SENT for the question yet, so the chat of the question is not known. Until then, such messages are deferred.'
			: 'The event names neither the phone nor the ID of the person asked. Such messages do not count as the answer.';
	context.logger.warn(
		`Messaging Gateway: a message may be the answer to the question of webhook ${webhookId}, but nobody can tell who wrote it. ${why}`,
	);
}
