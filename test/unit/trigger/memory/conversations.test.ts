import { Conversations } from '../../../../nodes/MessagingGateway/trigger/memory/conversations';
import { createRandom } from '../../../random';

const QUIET = { quietMs: 4_000, maxWaitMs: 30_000 };

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
	jest.useRealTimers();
});

/** Conversations that write down what left them and when. */
function listen(quiet = QUIET) {
	const conversations = new Conversations<string>();
	const departures: Array<{ at: number; leader: string; said: string[] }> = [];
	const overtaken: string[] = [];
	const say = (name: string, message: string): void => {
		void conversations.join(name, message, quiet).then((said) => {
			if (said) departures.push({ at: Date.now(), leader: message, said });
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
