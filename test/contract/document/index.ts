import { accountCalls } from './account';
import type { DocumentedCall } from './call';
import { chatCalls } from './chats';
import { groupCalls } from './groups';
import { messageCalls } from './messages';
import { otherCalls } from './others';
import { accountWebhookCalls } from './webhooks';

export { askingCalls } from './questions';
export { webhookCalls } from './webhooks';
export type { DocumentedAnswer, DocumentedCall, DocumentedRequest } from './call';
export { answerOf, describeRequest, to } from './call';

/**
 * Calls of every operation, with the fewest and with all fields filled in. The requests are retyped from docs/api.md
 * and know nothing of the node's own table. Those of a webhook that exists already are in `webhookCalls`.
 */
export const documentedCalls: DocumentedCall[] = [
	...messageCalls,
	...chatCalls,
	...groupCalls,
	...accountCalls,
	...accountWebhookCalls,
	...otherCalls,
];
