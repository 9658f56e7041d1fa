import {
	Conditions,
	isPassing,
	type Finding,
	type News,
	type Outage,
} from '../../../../nodes/MessagingGateway/trigger/subscription/conditions';

const LASTING: Outage = { message: 'Events are refused', advice: 'Set it.', isPassing: false };
const PASSING: Outage = { message: 'The gateway is down', advice: 'Wait.', isPassing: true };
const UNTOLD = { untold: 'nobody can tell' };

const WARNING = 'a warning';
const ALARM = 'the alarm';

/** What is said of these findings, one after the other. */
function tell(...findings: Finding[]): string[] {
	const conditions = new Conditions();
	const name = (news: News): string =>
		'alarm' in news ? ALARM : news.log === 'warn' ? WARNING : news.text;
	return findings.map((finding) => conditions.note(finding).map(name).join(' and ') || '–');
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
])('says %s', (_what, findings, said) => {
	expect(tell(...findings)).toEqual(said);
});

it('says the message and the advice, and an advice that has changed not again', () => {
	const conditions = new Conditions();
	const [line, alarm] = conditions.note(LASTING);
	expect(line).toEqual({ log: 'warn', text: 'Events are refused. Set it.' });
	expect(alarm).toEqual({ alarm: LASTING });
	expect(conditions.note({ ...LASTING, advice: 'Set it, for the 2nd time.' })).toEqual([]);
});

it('keeps since when and how often, until all is well', () => {
	jest.useFakeTimers({ now: 1_000 });
	const conditions = new Conditions();
	conditions.note(PASSING);
	jest.setSystemTime(2_000);
	conditions.note(PASSING);
	expect(conditions.current).toEqual({ ...PASSING, since: 1_000, times: 2, isAlarmed: true });
	conditions.note(UNTOLD);
	expect(conditions.current?.times).toBe(2);
	conditions.note('well');
	expect(conditions.current).toBeUndefined();
	jest.useRealTimers();
});

it('knows what may be over a little later by itself', () => {
	expect([PASSING, LASTING, UNTOLD, 'well' as const].map(isPassing)).toEqual([
		true,
		false,
		false,
		false,
	]);
});
