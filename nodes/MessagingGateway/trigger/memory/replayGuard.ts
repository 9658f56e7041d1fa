import { dropOldest } from '../../processState';
import { SIGNATURE_LASTS } from '../../webhooks/signature';

const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const MOST_IDS = 10_000;

/**
 * Deliveries of one trigger that may have been sent before this process remembered anything. The process before may have
 * received them, and whoever has recorded one could repeat it now. Only the gateway can stamp an attempt anew (API document,
 * "Webhook delivery signing"): so such an event is asked for once more, and taken when it comes with a later stamp.
 */
export class ReplayGuard {
	private readonly askedAt = new Map<string, number>();
	private readonly since: number;

	/** @param since when this process began to remember what it has received, in milliseconds as of `Date.now` */
	constructor(since: number) {
		this.since = secondsOf(since);
	}

	/**
	 * Whether the gateway has to repeat a delivery before it can be taken.
	 *
	 * @param sentAt the verified time stamp of the attempt, Unix seconds
	 * @param lead by how many seconds the gateway's clock may be ahead of ours: what was sent before the start can have a
	 * stamp later than the start by as much
	 */
	mustRepeat(id: string, sentAt: number, lead: number): boolean {
		const coversUntil = this.since + lead;
		if (sentAt >= coversUntil) {
			if (secondsOf(Date.now()) > coversUntil + SIGNATURE_LASTS) this.askedAt.clear();
			return false;
		}
		const askedAt = this.askedAt.get(id) ?? sentAt;
		if (sentAt > askedAt) return false;
		this.askedAt.set(id, askedAt);
		dropOldest(this.askedAt, MOST_IDS);
		return true;
	}
}
