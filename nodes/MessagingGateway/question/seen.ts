import type { GatewayEvent } from '../webhooks/event';

/** Whether a message answers an open question, as far as this process knows. */
export function isAnswerHere(_event: GatewayEvent): boolean {
	return false;
}
