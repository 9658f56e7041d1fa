import {
	Conditions,
	isPassing,
	isWell,
	type Finding,
	type Findings,
	type News,
	type Outage,
} from '../../../../nodes/MessagingGateway/trigger/subscription/conditions';

const LASTING: Outage = { message: 'Events are refused', advice: 'Set it.', isPassing: false };
const PASSING: Outage = { message: 'The gateway is down', advice: 'Wait.', isPassing: true };
const UNTOLD = { untold: 'nobody can tell' };

const WARNING = 'a warning';
const ALARM = 'the alarm';

/** What is said of these findings, one after the other. */
function tell(...findings: Findings[]): string[] {
	const conditions = new Conditions();
	const name = (news: News): string =>
		'alarm' in news ? ALARM : news.log === 'warn' ? WARNING : news.text;
	return findings.map((each) => conditions.note(each).map(name).join(' and ') || '–');
}

const RIGHT = 'the webhook is in order again.';

it.each<[string, Finding[], string[]]>([
	['nothing, while all is well', ['well', 'well'], ['–', '–']],
	[
		'an outage that lasts, once',
		[LASTING, LASTING, LASTING],
		[`${WARNING} and ${ALARM}`, '–', '–'],
	],
	['one that may pass, if it is found again', [PASSING, PASSING, PASSING], [WARNING, ALARM, '–']],
	['one that has passed, no more', [PASSING, 'well', PASSING], [WARNING, '–', WARNING]],
	[
		'the end of an alarm, and the same outage when it comes back',
		[LASTING, 'well', 'well', LASTING],
		[`${WARNING} and ${ALARM}`, RIGHT, '–', `${WARNING} and ${ALARM}`],
	],
	[
		'another outage behind the first one, without another alarm',
		[LASTING, PASSING, LASTING],
		[`${WARNING} and ${ALARM}`, WARNING, WARNING],
	],
	['what nobody can tell, once', [UNTOLD, UNTOLD], [UNTOLD.untold, '–']],
	[
		'an outage, although nobody could tell in between',
		[PASSING, UNTOLD, PASSING],
		[WARNING, UNTOLD.untold, `${WARNING} and ${ALARM}`],
	],
])('of one type, says %s', (_what, findings, said) => {
	expect(tell(...findings.map((arrival) => ({ arrival })))).toEqual(said);
});

it.each<[string, Findings[], string[]]>([
	[
		'raises an alarm of its own',
		[{ check: LASTING }, { arrival: LASTING }],
		[`${WARNING} and ${ALARM}`, `${WARNING} and ${ALARM}`],
	],
	[
		'ends although nobody can tell of another',
		[{ check: LASTING }, { check: 'well', arrival: UNTOLD }, { check: LASTING }],
		[`${WARNING} and ${ALARM}`, `${UNTOLD.untold} and ${RIGHT}`, `${WARNING} and ${ALARM}`],
	],
	[
		'lasts while it was not looked at',
		[{ check: PASSING }, { arrival: 'well' }, { check: PASSING }],
		[WARNING, '–', ALARM],
	],
	[
		'is not called in order while another lasts',
		[{ check: LASTING, clocks: LASTING }, { check: 'well' }, { clocks: 'well' }],
		[`${WARNING} and ${ALARM} and ${WARNING} and ${ALARM}`, '–', RIGHT],
	],
])('each type %s', (_what, findings, said) => {
	expect(tell(...findings)).toEqual(said);
});

it('says the message and the advice, and an advice that has changed not again', () => {
	const conditions = new Conditions();
	const [line, alarm] = conditions.note({ check: LASTING });
	expect(line).toEqual({ log: 'warn', text: 'Events are refused. Set it.' });
	expect(alarm).toEqual({ alarm: LASTING });
	expect(conditions.note({ check: { ...LASTING, advice: 'Set it, for the 2nd time.' } })).toEqual(
		[],
	);
});

it('has an outage until each is over, or until it is told to forget them', () => {
	const conditions = new Conditions();
	const hasOutage = (findings: Findings) => {
		conditions.note(findings);
		return conditions.hasOutage;
	};
	expect(hasOutage({ check: 'well', arrival: UNTOLD })).toBe(false);
	expect(hasOutage({ check: PASSING, clocks: LASTING })).toBe(true);
	expect(hasOutage({ check: 'well' })).toBe(true);
	expect(hasOutage({ clocks: 'well' })).toBe(false);
	expect(hasOutage({ arrival: LASTING })).toBe(true);
	conditions.clear();
	expect(conditions.hasOutage).toBe(false);
});

it('knows what may be over a little later by itself, and what is well for certain', () => {
	const found: Findings[] = [
		{ check: 'well', arrival: PASSING },
		{ arrival: LASTING },
		{ check: 'well', arrival: UNTOLD },
		{ check: 'well', arrival: 'well' },
	];
	expect(found.map(isPassing)).toEqual([true, false, false, false]);
	expect(found.map(isWell)).toEqual([false, false, false, true]);
});
