/** Envelope of every event (API 9.1). */
export interface GatewayEvent {
	id: string;
	type: string;
	instanceId: string;
	/** ISO 8601, the same on every attempt. */
	timestamp: string;
	data: Record<string, unknown>;
}
