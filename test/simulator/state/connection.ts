import { randomInt } from 'node:crypto';
import type { GatewayEvent } from '../events';
import type { Gateway } from '../gateway';
import type { ConnectionStatus } from './instance';

/** How long a ban lasts (seconds) and why. */
export interface Ban {
	expiresIn?: number;
	reason?: string;
}

/** Moves the number to a connection status: `CONNECTION.UPDATED` with the fields that belong to the status. */
export function changeConnection(
	gateway: Gateway,
	status: ConnectionStatus,
	ban: Ban = {},
): GatewayEvent {
	const { instance, events } = gateway;
	instance.moveTo(status);
	const event = events.emit({
		type: 'CONNECTION.UPDATED',
		data: {
			status,
			...(status === 'CONNECTED' && { phone: instance.phone }),
			...(status === 'BANNED' && {
				expiresIn: ban.expiresIn ?? 3600,
				reason: ban.reason ?? 'Too many messages to people who never wrote',
			}),
		},
	});
	if (status === 'CONNECTED') events.emitHeld();
	return event;
}

/** A new pairing code appears, or the one on the screen expires: `QRCODE.UPDATED`. */
export function changePairing(gateway: Gateway, status: 'GENERATED' | 'EXPIRED'): GatewayEvent {
	const code = status === 'GENERATED' ? String(randomInt(100_000_000)).padStart(8, '0') : undefined;
	gateway.instance.showPairingCode(code);
	return gateway.events.emit({ type: 'QRCODE.UPDATED', data: { status } });
}
