import type { Gateway, GatewayRequest } from '../gateway/call';
import type { Connection } from '../gateway/connection';
import type { GatewayResponse } from '../gateway/content';
import { GatewayError } from '../gateway/failure';
import { sharedMap } from '../n8n/processState';

interface Slots {
	pausedUntil: number;
	nextMessage: number;
	nextWith: Record<number, number>;
}

const MAX_PAUSE_MS = 60_000;

const slots = sharedMap<Slots>('rate limits 3');

/** Gives each request its slot, and repeats it once after 429 with a short pause. */
export function withRateLimit(
	gateway: Gateway,
	wait: (milliseconds: number) => Promise<void>,
	perMinute = 0,
): Gateway {
	const callInSlot = async (request: GatewayRequest): Promise<GatewayResponse> => {
		await wait(takeSlot(gateway, request.effect === 'send' ? perMinute : 0));
		return await gateway.call(request);
	};
	const call = async (request: GatewayRequest): Promise<GatewayResponse> =>
		await callInSlot(request).catch(async (error: unknown) => {
			const pauseMs = error instanceof GatewayError ? error.failure.retryAfterMs : undefined;
			if (pauseMs === undefined || !keepPause(gateway, pauseMs)) throw error;
			return await callInSlot(request);
		});
	return { ...gateway, call };
}

/** Takes the next free slot of a token, and gives the milliseconds until then. */
export function takeSlot(connection: Connection, perMinute: number): number {
	const now = Date.now();
	const own = slotsOf(connection);
	if (perMinute <= 0) return Math.max(0, own.pausedUntil - now);
	const afterOthers = Math.min(own.nextMessage, now + MAX_PAUSE_MS);
	const slot = Math.max(now, own.pausedUntil, own.nextWith[perMinute] ?? 0, afterOthers);
	own.nextWith[perMinute] = slot + 60_000 / perMinute;
	own.nextMessage = Math.max(own.nextMessage, own.nextWith[perMinute]);
	return slot - now;
}

/** Keeps the pause of `Retry-After`; false if it is too long to wait. */
export function keepPause(connection: Connection, pauseMs: number): boolean {
	if (pauseMs > MAX_PAUSE_MS) return false;
	const own = slotsOf(connection);
	own.pausedUntil = Math.max(own.pausedUntil, Date.now() + pauseMs);
	return true;
}

function slotsOf({ baseUrl, token }: Connection): Slots {
	const key = `${baseUrl} ${token}`;
	const own = slots.get(key) ?? { pausedUntil: 0, nextMessage: 0, nextWith: {} };
	slots.set(key, own);
	return own;
}
