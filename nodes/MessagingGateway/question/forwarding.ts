import type { GatewayEvent } from '../webhooks/event';
import { keep } from './looks';

/** Of what is forwarded. No gateway's event has it. */
const TYPE = 'N8N.FORWARDED';

/** Far more than are on their way at once. What is forgotten is deferred, and forwarded again. */
const MOST_KEPT = 1_000;

/**
 * The messages that triggers of one account forward to its questions at this moment. A message stays here, and a question
 * is told its ID only: a message of megabytes for a thousand questions would be copied, signed and parsed for each.
 */
export class Forwarding {
	private readonly events = new Map<string, GatewayEvent>();

	/** Keeps a message for a question, and gives the body that tells of it. */
	begin(webhookId: string, event: GatewayEvent): string {
		keep(this.events, nameMessage(webhookId, event), event, MOST_KEPT);
		return JSON.stringify({ id: event.id, type: TYPE });
	}

	/** The message that a question was told of. */
	find(webhookId: string, told: GatewayEvent): GatewayEvent | undefined {
		return told.type === TYPE ? this.events.get(nameMessage(webhookId, told)) : undefined;
	}

	/** Lets go of a message, once a question has answered. */
	end(webhookId: string, event: GatewayEvent): void {
		this.events.delete(nameMessage(webhookId, event));
	}
}

function nameMessage(webhookId: string, { id }: GatewayEvent): string {
	return `${webhookId} ${id}`;
}
