import type { IWebhookFunctions } from 'n8n-workflow';
import { dropOldest } from '../../processState';
import { SIGNATURE_LASTS } from '../../webhooks/standardWebhooks';
import { readClockLead, writeClockLead } from '../record';
import type { Outage } from './conditions';

/** A lead is kept in steps of so many seconds, so that a clock that varies a little is noted once. */
const STEP = 10;
/** From so many seconds on somebody has to set a clock: at 300 nothing is taken any more. */
const APART = 180;
/** So long after the last one, refused deliveries are no trouble of today. */
const RECENT_MS = 60 * 60_000;

const MOST_IDS = 10_000;

const UNITS: Array<[unit: string, seconds: number]> = [
	['days', 86_400],
	['hours', 3_600],
	['minutes', 60],
	['seconds', 1],
];

/**
 * All that a trigger knows of the gateway's clock: from the `Date` header of its answers, and from the time stamps of its
 * deliveries. The trigger's self-test tells nothing of it, since n8n signs and judges that by one and the same clock.
 */
export class GatewayClock {
	/** By how many seconds it is ahead of ours, as its last answer said. */
	private lead = 0;
	/** Deliveries since the last one that was taken: their signature fits, and their time stamp does not. */
	private refused = { count: 0, lead: 0, at: 0 };

	/** @param lead in seconds, negative where the gateway's clock is behind; undefined where an answer does not tell */
	noteAnswer(lead = 0): void {
		// What was refused is explained, once somebody has set a clock.
		if (isApart(this.lead) && !isApart(lead)) this.forgetRefused();
		this.lead = lead;
	}

	/**
	 * Notes a delivery that is refused for its time stamp alone.
	 *
	 * @param sentAt the verified time stamp, Unix seconds
	 * @returns what the stamp is, in words
	 */
	noteRefused(sentAt: number): string {
		const lead = sentAt - secondsOf(Date.now());
		this.refused = { count: this.refused.count + 1, lead, at: Date.now() };
		return describeStamp(lead);
	}

	/**
	 * Notes a delivery whose time stamp is good. By how much it is ahead of our clock is kept where the replay guard of the
	 * next process finds it: nothing is taken whose stamp is further ahead than what is kept.
	 *
	 * @param sentAt the verified time stamp, Unix seconds
	 * @returns whether there was anything to keep: n8n saves it only with a delivery that starts nothing, so the gateway
	 * must repeat this one
	 */
	noteTaken(context: IWebhookFunctions, sentAt: number): boolean {
		this.forgetRefused();
		const lead = sentAt - secondsOf(Date.now());
		if (lead <= readClockLead(context)) return false;
		writeClockLead(context, Math.ceil(lead / STEP) * STEP);
		return true;
	}

	/** Why nothing arrives, or will not for much longer; undefined if no clock is to blame. */
	findOutage(): Outage | undefined {
		const { count, lead, at } = this.refused;
		if (isApart(this.lead)) {
			const now = Date.now();
			const counted = count === 0 ? '' : ` So far, ${describeCount(count)} refused.`;
			return {
				message: `The clocks of n8n and of the gateway are ${describeSpan(this.lead)} apart`,
				advice: `n8n’s clock says ${writeTime(now)} UTC, and the gateway’s says ${writeTime(now + this.lead * 1000)} UTC. If they are more than ${SIGNATURE_LASTS / 60} minutes apart, the trigger refuses every delivery.${counted} Set the clock of n8n’s machine. After a computer has slept, restart WSL or Docker. If the gateway’s clock is wrong, tell its provider.`,
				isPassing: false,
			};
		}
		if (count === 0 || Date.now() - at > RECENT_MS) return undefined;
		return {
			message: `Deliveries are refused, because their time stamps are ${describeStamp(lead)}`,
			advice: `Since the last accepted delivery, ${describeCount(count)} refused. Their signatures fit. The last one arrived at ${writeTime(at)} UTC by n8n’s clock, and its time stamp says ${writeTime(at + lead * 1000)} UTC. There are three possible causes: the sender’s clock is wrong, something on the way holds deliveries back, or somebody repeats recorded ones. Compare n8n’s clock with the right time, and ask your gateway’s provider.`,
			isPassing: false,
		};
	}

	private forgetRefused(): void {
		this.refused = { count: 0, lead: 0, at: 0 };
	}
}

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

function secondsOf(milliseconds: number): number {
	return Math.floor(milliseconds / 1000);
}

function isApart(lead: number): boolean {
	return Math.abs(lead) >= APART;
}

function describeStamp(lead: number): string {
	return `${describeSpan(lead)} ${lead < 0 ? 'behind' : 'ahead of'} n8n’s clock`;
}

function describeSpan(lead: number): string {
	const seconds = Math.abs(lead);
	const [unit, each] = UNITS.find(([, least]) => seconds >= 2 * least) ?? ['seconds', 1];
	return `${Math.round(seconds / each)} ${unit}`;
}

function describeCount(count: number): string {
	return count === 1 ? '1 delivery was' : `${count} deliveries were`;
}

/** E.g. `2026-11-22 20:32:46`. */
function writeTime(milliseconds: number): string {
	return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
