import type { GatewayEvent } from '../../nodes/MessagingGateway/deliveries/event';
import { makeEvent as makeDelivered } from '../contract/deliveries';

/** An event as the trigger has it after verification; `data` may be anything that JSON can hold. */
export function makeEvent(change: Partial<GatewayEvent> = {}): GatewayEvent {
	return { ...makeDelivered(), ...change } as unknown as GatewayEvent;
}
