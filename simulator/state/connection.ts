import { randomInt } from 'node:crypto';
import type { GatewayEvent } from '../event';
import { Refusal, type Gateway } from '../gateway';
import type { Ban, ConnectionStatus } from './instance';

/** Moves the number to a connection status: `CONNECTION.UPDATED` with the fields that belong to the status. */
export function changeConnection(
	gateway: Gateway,
	status: ConnectionStatus,
	{ expiresIn = 3600, reason = 'Too many messages to people who never wrote' }: Ban = {},
	instance = gateway.instance,
): GatewayEvent {
	const { events } = gateway;
	const ban = status === 'BANNED' ? { expiresIn, reason } : undefined;
	instance.moveTo(status, ban);
	const event = events.emit({
		type: 'CONNECTION.UPDATED',
		instanceId: instance.id,
		data: {
			status,
			...(status === 'CONNECTED' && { phone: instance.phone }),
			...ban,
		},
	});
	if (status === 'CONNECTED') events.emitHeld(instance.id);
	return event;
}

/**
 * A new pairing code appears, or the one on the screen expires: `QRCODE.UPDATED`.
 * @throws Refusal unless the number was logged out: no other has to be paired (API document, Connection status)
 */
export function changePairing(gateway: Gateway, status: 'GENERATED' | 'EXPIRED'): GatewayEvent {
	if (gateway.instance.connection !== 'LOGGED_OUT')
		throw new Refusal(409, 'Only a number that was logged out is paired again');
	const code = status === 'GENERATED' ? String(randomInt(100_000_000)).padStart(8, '0') : undefined;
	gateway.instance.showPairingCode(code);
	return gateway.events.emit({ type: 'QRCODE.UPDATED', data: { status } });
}
