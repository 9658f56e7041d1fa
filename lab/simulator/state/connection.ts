import type { GatewayEvent } from '../event';
import type { Gateway } from '../gateway';
import type { ConnectionStatus } from './instance';

/** Seconds that a ban lasts, and the reason for it. */
export interface Ban {
	expiresIn?: number;
	reason?: string;
}

/** Moves a number to a connection status: `CONNECTION.UPDATED` with the fields that belong to the status. */
export function changeConnection(
	{ events, instance: first }: Gateway,
	status: ConnectionStatus,
	{ expiresIn = 3600, reason = 'Too many messages to people who never wrote' }: Ban = {},
	instance = first,
): GatewayEvent {
	instance.moveTo(status);
	const event = events.emit({
		type: 'CONNECTION.UPDATED',
		instanceId: instance.id,
		data: {
			status,
			...(status === 'CONNECTED' && { phone: instance.phone }),
			...(status === 'BANNED' && { expiresIn, reason }),
		},
	});
	if (status === 'CONNECTED') events.emitHeld(instance.id);
	return event;
}
