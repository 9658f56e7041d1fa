/** The gateway's clock, which can be wrong: the times of events, deliveries and answers come from it. */
export class Clock {
	/** By how much it is ahead of the right time; negative where it is behind. */
	aheadSeconds = 0;

	now(): Date {
		return new Date(Date.now() + this.aheadSeconds * 1000);
	}
}
