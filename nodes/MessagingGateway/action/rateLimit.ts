import type { Gateway, GatewayRequest } from '../gateway/call';
import type { Connection } from '../gateway/connection';
import type { GatewayResponse } from '../gateway/content';
import { GatewayError } from '../gateway/failure';
import { sharedMap } from '../n8n/processState';

/** When the requests of a token may go out, as of `Date.now`. */
interface Slots {
	/** The end of the pause that the gateway has asked for. */
	pausedUntil: number;
	/** The next free slot of messages, whatever the rate limit of the next one is. */
	next: number;
}

const MAX_PAUSE_MS = 60_000;

const slots = sharedMap<Slots>('rate limits 4');

/** Gives each request its slot, and repeats it once after 429 with a short pause. */
export function withRateLimit(
	gateway: Gateway,
	wait: (milliseconds: number) => Promise<void>,
	perMinute = 0,
): Gateway {
	const callInSlot = async (request: GatewayRequest): Promise<GatewayResponse> => {
		const isLimited = request.effect === 'send' && perMinute > 0;
		await wait(isLimited ? takeSlot(gateway, perMinute) : readPause(gateway));
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

/** Takes the next free slot of a token for a message, and gives the milliseconds until then. */
export function takeSlot(connection: Connection, perMinute: number): number {
	const now = Date.now();
	const own = slotsOf(connection);
	const slot = Math.max(now, own.pausedUntil, own.next);
	own.next = slot + 60_000 / perMinute;
	return slot - now;
}

/** The milliseconds until the pause of a token ends. */
export function readPause(connection: Connection): number {
	return Math.max(0, slotsOf(connection).pausedUntil - Date.now());
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
	const own = slots.get(key) ?? { pausedUntil: 0, next: 0 };
	slots.set(key, own);
	return own;
}
