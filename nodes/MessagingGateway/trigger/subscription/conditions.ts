/** Why nothing would arrive, in a person's words. */
export interface Outage {
	message: string;
	advice: string;
	/** Whether it may be over a little later by itself. */
	isPassing: boolean;
}

/** What a check or a self-test has found; `untold` is why nobody can tell. */
export type Finding = 'well' | Outage | { untold: string };

/** An outage that lasts. */
interface Condition extends Outage {
	/** Of its first finding, in milliseconds as of `Date.now`. */
	since: number;
	/** How often it was found. */
	times: number;
	isAlarmed: boolean;
}

/** What is new, and has to be said: a line of the log, or the alarm. */
export type News = { log: 'info' | 'warn'; text: string } | { alarm: Outage };

/** Whether what was found may be over a little later by itself. */
export function isPassing(finding: Finding): boolean {
	return typeof finding === 'object' && 'isPassing' in finding && finding.isPassing;
}

/**
 * What a trigger's checks cannot repair. Of each finding it tells what is new: a line of the log, and once as an alarm;
 * what may pass by itself gets a second chance first.
 */
export class Conditions {
	/** Undefined while all is well, as far as anybody can tell. */
	current?: Condition;

	// Every delivery may bring a check, and each would find the same.
	private lastSaid = '';

	note(finding: Finding): News[] {
		if (finding === 'well') {
			const news: News[] = this.current?.isAlarmed
				? [{ log: 'info', text: 'the webhook is in order again.' }]
				: [];
			this.clear();
			return news;
		}
		// What nobody can tell is neither an outage nor the end of one.
		if ('untold' in finding) return this.say('info', finding.untold);
		const { since, times, isAlarmed } = this.current ?? {
			since: Date.now(),
			times: 0,
			isAlarmed: false,
		};
		const isDue = !isAlarmed && (times > 0 || !finding.isPassing);
		this.current = { ...finding, since, times: times + 1, isAlarmed: isAlarmed || isDue };
		// The advice may hold times and counts, which are others each time.
		const news = this.say('warn', `${finding.message}. ${finding.advice}`, finding.message);
		return isDue ? [...news, { alarm: finding }] : news;
	}

	clear(): void {
		this.current = undefined;
		this.lastSaid = '';
	}

	private say(log: 'info' | 'warn', text: string, gist = text): News[] {
		if (gist === this.lastSaid) return [];
		this.lastSaid = gist;
		return [{ log, text }];
	}
}
