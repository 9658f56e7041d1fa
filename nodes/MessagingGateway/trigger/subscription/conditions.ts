/** Why nothing would arrive, in a person's words. */
export interface Outage {
	message: string;
	advice: string;
	/** Whether it may be over a little later by itself. */
	isPassing: boolean;
}

/**
 * What an outage is of: the gateway's management, the way of deliveries, or their time stamps. Each is found and ends by
 * itself. A check tells of the first also where nobody can tell of the second.
 */
export type ConditionType = 'check' | 'arrival' | 'clocks';

/** What was found of one; `untold` is why nobody can tell. */
export type Finding = 'well' | Outage | { untold: string };

/** What a check or a self-test has found; what is left out, it has not looked at. */
export type Findings = Partial<Record<ConditionType, Finding>>;

/** What is new, and has to be said: a line of the log, or the alarm. */
export type News = { log: 'info' | 'warn'; text: string } | { alarm: Outage };

/** Whether what was found may be over a little later by itself. */
export function isPassing(findings: Findings): boolean {
	return Object.values(findings).some((finding) => isOutage(finding) && finding.isPassing);
}

/** Whether all that was looked at is well, for certain. */
export function isWell(findings: Findings): boolean {
	return Object.values(findings).every((finding) => finding === 'well');
}

export function isOutage(finding: Finding): finding is Outage {
	return typeof finding === 'object' && 'isPassing' in finding;
}

/**
 * What a trigger's checks cannot repair. Of each finding it tells what is new: a line of the log, and once as an alarm;
 * what may pass by itself gets a second chance first.
 */
export class Conditions {
	/** The outages that last. */
	private readonly outages = new Map<ConditionType, 'found' | 'alarmed'>();

	// Every delivery may bring a check, and each would find the same.
	private readonly lastSaid = new Map<ConditionType, string>();

	/** False while all is well, as far as anybody can tell. */
	get hasOutage(): boolean {
		return this.outages.size > 0;
	}

	note(findings: Findings): News[] {
		const wasAlarmed = this.isAlarmed;
		const found = Object.entries(findings) as Array<[ConditionType, Finding]>;
		const news = found.flatMap(([type, finding]) => this.noteOne(type, finding));
		return wasAlarmed && !this.isAlarmed
			? [...news, { log: 'info', text: 'the webhook is in order again.' }]
			: news;
	}

	clear(): void {
		this.outages.clear();
		this.lastSaid.clear();
	}

	private get isAlarmed(): boolean {
		return [...this.outages.values()].includes('alarmed');
	}

	private noteOne(type: ConditionType, finding: Finding): News[] {
		if (finding === 'well') {
			this.outages.delete(type);
			this.lastSaid.delete(type);
			return [];
		}
		// What nobody can tell is neither an outage nor the end of one.
		if (!isOutage(finding)) return this.say(type, 'info', finding.untold);
		const before = this.outages.get(type);
		const isDue = before !== 'alarmed' && (before === 'found' || !finding.isPassing);
		this.outages.set(type, isDue ? 'alarmed' : (before ?? 'found'));
		// The advice may hold times and counts, which are others each time.
		const news = this.say(type, 'warn', `${finding.message}. ${finding.advice}`, finding.message);
		return isDue ? [...news, { alarm: finding }] : news;
	}

	private say(type: ConditionType, log: 'info' | 'warn', text: string, gist = text): News[] {
		if (gist === this.lastSaid.get(type)) return [];
		this.lastSaid.set(type, gist);
		return [{ log, text }];
	}
}
