import {
	Conversations,
	type TalksBefore,
} from '../../../../nodes/MessagingGateway/trigger/memory/conversations';
import { createRandom } from '../../../random';

const QUIET = { quietMs: 4_000, maxWaitMs: 30_000 };

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
	jest.useRealTimers();
});

/** Conversations that write down what left them and when. */
function listen(debounce = QUIET) {
	const conversations = new Conversations<string>(() => {});
	const departures: Array<{ at: number; leader: string; said: string[] }> = [];
	const overtaken: string[] = [];
	const say = (name: string, message: string): void => {
		void conversations.join(name, message, { debounce }).then((turn) => {
			if (turn) departures.push({ at: Date.now(), leader: message, said: turn.said });
			else overtaken.push(message);
		});
	};
	return { conversations, departures, overtaken, say };
}

const pass = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);

it('delays a single message by exactly the quiet time', async () => {
	const { say, departures, conversations } = listen();
	say('Ana', 'Hi');
	await pass(3_999);
	expect(departures).toEqual([]);
	expect(conversations.busy).toBe(true);
	await pass(1);
	expect(departures).toEqual([{ at: 4_000, leader: 'Hi', said: ['Hi'] }]);
	expect(conversations.busy).toBe(false);
});

it('takes along together what comes before it is quiet, led by the newest', async () => {
	const { say, departures, overtaken } = listen();
	say('Ana', 'Hi');
	await pass(3_900);
	say('Ana', "I'm Ana");
	await pass(3_900);
	say('Ana', '42');
	await pass(3_999);
	expect(departures).toEqual([]);
	expect(overtaken).toEqual(['Hi', "I'm Ana"]);
	await pass(1);
	expect(departures).toEqual([{ at: 11_800, leader: '42', said: ['Hi', "I'm Ana", '42'] }]);
});

it('begins anew with what comes after that', async () => {
	const { say, departures } = listen();
	say('Ana', 'Hi');
	await pass(4_000);
	say('Ana', 'Still there?');
	await pass(4_000);
	expect(departures.map(({ said }) => said)).toEqual([['Hi'], ['Still there?']]);
});

it('keeps conversations apart', async () => {
	const { say, departures } = listen();
	say('Ana', 'Hi');
	await pass(1_000);
	say('Bruno', 'Hello');
	await pass(4_000);
	expect(departures).toEqual([
		{ at: 4_000, leader: 'Hi', said: ['Hi'] },
		{ at: 5_000, leader: 'Hello', said: ['Hello'] },
	]);
});

it('departs at the longest wait, counted from the first message, where nobody pauses', async () => {
	const { say, departures } = listen();
	for (let second = 0; second < 65; second++) {
		say('Ana', String(second));
		await pass(1_000);
	}
	await pass(4_000);
	expect(departures.map(({ at, said }) => [at, said.length])).toEqual([
		[30_000, 30],
		[60_000, 30],
		[68_000, 5],
	]);
});

it('departs at the longest wait even if that is shorter than the quiet time', async () => {
	const { say, departures } = listen({ quietMs: 6_000, maxWaitMs: 5_000 });
	say('Ana', 'Hi');
	await pass(5_000);
	expect(departures).toEqual([{ at: 5_000, leader: 'Hi', said: ['Hi'] }]);
});

it('takes a message that comes at the very moment of the departure either along or into the next, never both', async () => {
	const { say, departures } = listen();
	say('Ana', 'Hi');
	setTimeout(() => say('Ana', 'and'), 4_000);
	void Promise.resolve().then(() => setTimeout(() => say('Ana', 'then'), 8_000));
	await pass(20_000);
	expect(departures.flatMap(({ said }) => said).sort()).toEqual(['Hi', 'and', 'then']);
});

it('loses nothing, says nothing twice, and always departs by the newest, in time, over random conversations', async () => {
	const random = createRandom(16);
	const { say, departures, overtaken, conversations } = listen();
	const saidAt = new Map<string, number>();
	for (let message = 0; message < 5_000; message++) {
		const name = `chat ${random.integer(0, 20)}`;
		say(name, `${name} ${message}`);
		saidAt.set(`${name} ${message}`, Date.now());
		await pass(random.integer(0, 400));
	}
	await pass(30_000);

	const left = departures.flatMap(({ said }) => said);
	expect([...left].sort()).toEqual([...saidAt.keys()].sort());
	expect(departures.length + overtaken.length).toBe(5_000);
	expect(conversations.busy).toBe(false);
	for (const { at, leader, said } of departures) {
		const times = said.map((message) => saidAt.get(message) ?? NaN);
		expect(said.at(-1)).toBe(leader);
		expect(times).toEqual([...times].sort((one, other) => one - other));
		const [first, last] = [times[0], times[times.length - 1]];
		expect(at).toBe(Math.min(last + QUIET.quietMs, first + QUIET.maxWaitMs));
		times.slice(1).forEach((time, index) => expect(time - times[index]).toBeLessThan(4_001));
	}
	expect(departures.some(({ said }) => said.length > 5)).toBe(true);
	expect(departures.some(({ said }) => said.length === 1)).toBe(true);
});

describe('one turn at a time', () => {
	const MAX_TURN_MS = 300_000;

	interface Departure {
		at: number;
		name: string;
		said: string[];
		end(): void;
	}

	/** Conversations that write down their turns, of which the test says when they end. */
	function takeTurns(debounce?: typeof QUIET, before?: TalksBefore) {
		const warnings: string[] = [];
		const conversations = new Conversations<string>((warning) => warnings.push(warning), before);
		const turns: Departure[] = [];
		const without: string[] = [];
		const say = (message: string, name = 'Ana', maxTurnMs = MAX_TURN_MS): void => {
			void conversations.join(name, message, { debounce, maxTurnMs }).then((turn) => {
				if (turn) turns.push({ at: Date.now(), name, ...turn });
				else without.push(message);
			});
		};
		const said = () => turns.map((turn) => turn.said);
		return { conversations, turns, said, without, say, warnings };
	}

	it('starts at once where nothing runs, and keeps what comes meanwhile for the next turn', async () => {
		const { say, said, turns, without } = takeTurns();
		say('Hi');
		await pass(0);
		expect(said()).toEqual([['Hi']]);
		for (const message of ['one', 'two', 'three']) {
			say(message);
			await pass(20_000);
		}
		expect(said()).toEqual([['Hi']]);
		expect(without).toEqual(['one', 'two']);
		turns[0].end();
		await pass(0);
		expect(said()).toEqual([['Hi'], ['one', 'two', 'three']]);
	});

	it('forgets a conversation whose turn has ended', async () => {
		const { say, turns, conversations } = takeTurns();
		say('Hi');
		await pass(0);
		expect(conversations.busy).toBe(true);
		turns[0].end();
		expect(conversations.busy).toBe(false);
		turns[0].end();
		say('Again');
		await pass(0);
		expect(turns.map(({ at }) => at)).toEqual([0, 0]);
	});

	it('keeps conversations apart', async () => {
		const { say, said } = takeTurns();
		say('Hi');
		say('Hello', 'Bruno');
		say('there', 'Bruno');
		await pass(1_000);
		expect(said()).toEqual([['Hi'], ['Hello']]);
	});

	it('waits for the quiet time as well, whichever is over last', async () => {
		const { say, turns, said } = takeTurns(QUIET);
		say('Hi');
		await pass(4_000);
		expect(said()).toEqual([['Hi']]);
		say('you');
		await pass(3_000);
		turns[0].end();
		await pass(999);
		expect(said()).toHaveLength(1);
		await pass(1);
		expect(said()).toEqual([['Hi'], ['you']]);
		say('still');
		await pass(10_000);
		expect(said()).toHaveLength(2);
		say('there?');
		turns[1].end();
		await pass(3_999);
		expect(said()).toHaveLength(2);
		await pass(1);
		expect(turns.map(({ at, said: each }) => [at, each])).toEqual([
			[4_000, ['Hi']],
			[8_000, ['you']],
			[22_000, ['still', 'there?']],
		]);
	});

	it('counts the longest wait from the first message that waits, in each turn anew', async () => {
		const { say, turns } = takeTurns(QUIET);
		say('Hi');
		await pass(40_000);
		say('you');
		turns[0].end();
		await pass(3_999);
		expect(turns).toHaveLength(1);
		await pass(1);
		expect(turns.map(({ at, said }) => [at, said])).toEqual([
			[4_000, ['Hi']],
			[44_000, ['you']],
		]);
	});

	it('starts the next turn beside one that lasts too long, and says so once', async () => {
		const { say, turns, said, warnings } = takeTurns();
		say('Hi');
		await pass(10_000);
		say('Hello?');
		await pass(MAX_TURN_MS - 10_001);
		expect([said(), warnings]).toEqual([[['Hi']], []]);
		await pass(1);
		expect(said()).toEqual([['Hi'], ['Hello?']]);
		expect(warnings).toEqual([expect.stringContaining('longer than Max Turn')]);

		say('Anybody?');
		// That of the first turn is not that of the second.
		turns[0].end();
		await pass(1_000);
		expect(said()).toHaveLength(2);
		turns[1].end();
		await pass(0);
		expect(said()).toEqual([['Hi'], ['Hello?'], ['Anybody?']]);
		expect(warnings).toHaveLength(1);
	});

	it('says once that a turn lasts too long, however many messages wait for it', async () => {
		const { say, said, warnings } = takeTurns();
		say('Hi');
		await pass(0);
		for (const message of ['one', 'two', 'three']) say(message);
		await pass(MAX_TURN_MS);
		expect(said()).toEqual([['Hi'], ['one', 'two', 'three']]);
		expect(warnings).toHaveLength(1);
	});

	it('starts at once where the turn has lasted too long already', async () => {
		const { say, said, warnings } = takeTurns();
		say('Hi');
		await pass(2 * MAX_TURN_MS);
		say('Hello?');
		await pass(1);
		expect([said(), warnings.length]).toEqual([[['Hi'], ['Hello?']], 1]);
	});

	it('starts what is too much at once, and says so', async () => {
		const { say, said, warnings, turns } = takeTurns();
		for (let chat = 0; chat < 1_001; chat++) say('Hi', `chat ${chat}`);
		for (let message = 0; message < 101; message++) say(String(message), 'chat 7');
		await pass(0);
		expect(said()).toHaveLength(1_002);
		expect(warnings).toHaveLength(2);
		say('Not kept either', 'chat 1000');
		await pass(0);
		expect(said()).toHaveLength(1_003);
		// Those that nobody waits for any more make room.
		await pass(MAX_TURN_MS);
		for (const message of ['Hi', 'you']) say(message, 'chat 1000');
		await pass(0);
		expect(turns.at(-1)).toMatchObject({ said: ['Hi'], name: 'chat 1000' });
	});

	it('goes on after an update of the package: a turn of older code keeps that of newer code waiting', async () => {
		const older = takeTurns();
		older.say('Hi');
		older.say('in older code');
		await pass(0);
		const newer = takeTurns(undefined, older.conversations.handOver());
		newer.say('in newer code');
		await pass(0);
		expect(newer.said()).toEqual([]);
		older.turns[0].end();
		await pass(0);
		expect(newer.said()).toEqual([['in older code', 'in newer code']]);
		newer.turns[0].end();
		expect([older, newer].map(({ conversations }) => conversations.busy)).toEqual([false, false]);
	});

	it('never runs two turns of a conversation, loses nothing and keeps the order, over random conversations', async () => {
		const random = createRandom(28);
		const { say, turns, without, conversations } = takeTurns({ quietMs: 1_000, maxWaitMs: 6_000 });
		const running = new Map<string, Departure>();
		const toEnd: Array<{ at: number; turn: Departure }> = [];
		let seen = 0;
		const tick = (): void => {
			for (; seen < turns.length; seen++) {
				const turn = turns[seen];
				expect(running.get(turn.name)).toBeUndefined();
				running.set(turn.name, turn);
				toEnd.push({ at: Date.now() + random.integer(0, 9_000), turn });
			}
			for (const { at, turn } of toEnd) {
				if (at > Date.now() || running.get(turn.name) !== turn) continue;
				running.delete(turn.name);
				turn.end();
			}
		};
		for (let message = 0; message < 3_000; message++) {
			say(String(message), `chat ${random.integer(0, 20)}`);
			await pass(random.integer(0, 300));
			tick();
		}
		for (let second = 0; second < 60; second++) {
			await pass(1_000);
			tick();
		}
		expect(conversations.busy).toBe(false);
		const left = turns.flatMap(({ said }) => said);
		expect(left).toHaveLength(3_000);
		expect(new Set(left).size).toBe(3_000);
		expect(turns.length + without.length).toBe(3_000);
		for (const name of new Set(turns.map((turn) => turn.name))) {
			const each = turns.filter((turn) => turn.name === name).flatMap(({ said }) => said);
			expect(each).toEqual([...each].sort((one, other) => Number(one) - Number(other)));
		}
	});
});
