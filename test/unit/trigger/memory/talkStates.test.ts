import {
	MOVES,
	type TalkHappening,
	type TalkState,
} from '../../../../nodes/MessagingGateway/trigger/memory/talkStates';

const STATES: TalkState[] = ['idle', 'gathering', 'running', 'gathering beside', 'waiting'];
const HAPPENINGS: TalkHappening[] = ['say', 'quiet', 'end'];
const RUNS: TalkState[] = ['running', 'gathering beside', 'waiting'];
const HOLDS: TalkState[] = ['gathering', 'gathering beside', 'waiting'];

// The table again, in the words of the documentation. A dash changes nothing.
it.each<[TalkState, ...Array<TalkState | '-'>]>([
	//                    say                 quiet      end
	['idle', 'gathering', '-', '-'],
	['gathering', 'gathering', 'running', '-'],
	['running', 'gathering beside', '-', 'idle'],
	['gathering beside', 'gathering beside', 'waiting', 'gathering'],
	['waiting', 'gathering beside', '-', 'running'],
])('leads from %s where it should', (state, ...nexts) => {
	expect(HAPPENINGS.map((happening) => MOVES[state][happening] ?? '-')).toEqual(nexts);
});

it.each(STATES)('keeps what was said, and starts nothing beside what runs, in %s', (state) => {
	for (const happening of HAPPENINGS) {
		const next = MOVES[state][happening];
		if (next === undefined) continue;
		if (happening === 'say') expect(HOLDS).toContain(next);
		// What runs goes on, until it ends.
		if (RUNS.includes(state) && happening !== 'end') expect(RUNS).toContain(next);
		// What waits goes on waiting, or starts.
		if (HOLDS.includes(state) && next !== 'running') expect(HOLDS).toContain(next);
	}
});
