/** The five event types that the API document names (Events, Event types). */
export const EVENT_TYPES = [
	'MESSAGE.RECEIVED',
	'MESSAGE.SENT',
	'MESSAGE.STATUS_UPDATED',
	'CONNECTION.UPDATED',
	'QRCODE.UPDATED',
] as const;

/** Envelope of every event (API document, Events, Envelope). */
export interface GatewayEvent {
	id: string;
	type: string;
	instanceId: string;
	/** ISO 8601, the same on every attempt. */
	timestamp: string;
	data: Record<string, unknown>;
}

export type EventDraft = Partial<GatewayEvent> & { type: string };
