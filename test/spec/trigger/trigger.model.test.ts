import fc from 'fast-check';
import { startClock } from '../../support/clock';
import {
	DAY_MS,
	DELIVERIES,
	FORGERIES,
	HOUR_MS,
	MINUTE_MS,
	SPOILS,
	World,
	type Setup,
} from './world';

// Random histories of a trigger and its gateway. A failure prints its seed, and the shortest history that still fails.
// MODEL_SEED chooses other histories, MODEL_RUNS their number.

const seed = Number(process.env.MODEL_SEED ?? 1);
const numRuns = Number(process.env.MODEL_RUNS ?? 300);

/** What the commands need to know before they run. */
interface Model {
	isPublished: boolean;
	isUp: boolean;
}

type Command = fc.AsyncCommand<Model, World>;
type Actions = Omit<World, keyof Model | 'begin' | 'end' | 'calmDown' | 'sent'>;

/** Something that happens to the world, with its arguments, if `check` lets it. */
const act = <Name extends keyof Actions>(
	name: Name,
	given: fc.Arbitrary<Parameters<Actions[Name]>>,
	check: (model: Model) => boolean = () => true,
): fc.Arbitrary<Command> =>
	given.map((values) => ({
		check,
		async run(model, world) {
			const action = world[name] as (...args: typeof values) => Promise<void> | void;
			await action.apply(world, values);
			Object.assign(model, { isPublished: world.isPublished, isUp: world.isUp });
		},
		toString: () => `${name} ${JSON.stringify(values)}`,
	}));

const ifPublished = ({ isPublished }: Model): boolean => isPublished;
const isUp = (model: Model): boolean => model.isUp;
const one = <T>(...values: T[]) => fc.tuple(fc.constantFrom(...values));
const nothing = fc.constant<[]>([]);
const others = fc.subarray(['CONNECTION.UPDATED', 'MESSAGE.SENT']);

const commands: Array<fc.Arbitrary<Command>> = [
	act('publish', fc.tuple(others.map((more) => ['MESSAGE.RECEIVED', ...more]))),
	act('publishSlowly', one('GET', 'POST'), isUp),
	act('unpublish', nothing, ifPublished),
	act('restart', one(undefined, ...SPOILS), ifPublished),
	act('restartAlone', one(true, false), ifPublished),
	act('spoil', one(...SPOILS), ifPublished),
	act('setUp', one(false), isUp),
	act('setUp', one(true), (model) => !model.isUp),
	act('loseAnswer', nothing),
	act('overwrite', one(true, false)),
	act('deliver', fc.tuple(fc.constantFrom(...DELIVERIES), fc.boolean(), fc.nat(9)), ifPublished),
	act('forge', fc.tuple(fc.constantFrom(...FORGERIES), fc.nat(9)), ifPublished),
	act('pass', one(MINUTE_MS, HOUR_MS, DAY_MS)),
];

const setups: fc.Arbitrary<Setup> = fc.record({
	confirmWhen: fc.constantFrom('started', 'succeeded'),
	maxPerExecution: fc.constantFrom(1, 10),
});

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

it('keeps its promises in every history', async () => {
	const clock = startClock();
	const property = fc.asyncProperty(
		setups,
		fc.commands(commands, { maxCommands: 16, size: '+1' }),
		async (setup, history) => {
			const world = await new World(clock, setup).begin();
			try {
				const model = { isPublished: false, isUp: true };
				await fc.asyncModelRun(() => ({ model, real: world }), history);
				await world.calmDown();
			} finally {
				await world.end();
			}
		},
	);
	await fc.assert(property, { numRuns, seed });
}, 3_600_000);
