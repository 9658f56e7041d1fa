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

const command = (
	name: string,
	run: (world: World) => Promise<void> | void,
	check: (model: Model) => boolean = () => true,
): Command => ({
	check,
	async run(model, world) {
		await run(world);
		Object.assign(model, { isPublished: world.isPublished, isUp: world.isUp });
	},
	toString: () => name,
});

const ifPublished = ({ isPublished }: Model): boolean => isPublished;
const isUp = (model: Model): boolean => model.isUp;

const commands: Array<fc.Arbitrary<Command>> = [
	fc.subarray(['CONNECTION.UPDATED', 'MESSAGE.SENT']).map((others) =>
		command(`publish with ${others.length} more events`, async (world) => {
			await world.publish(['MESSAGE.RECEIVED', ...others]);
		}),
	),
	fc
		.constantFrom('GET', 'POST')
		.map((method) =>
			command(
				`publish, the gateway slow with ${method}`,
				async (world) => await world.publishSlowly(method),
				isUp,
			),
		),
	fc.constant(command('unpublish', async (world) => await world.unpublish(), ifPublished)),
	fc
		.constantFrom(undefined, ...SPOILS)
		.map((how) =>
			command(
				`restart${how ? ` after the webhook was ${how}` : ''}`,
				async (world) => await world.restart(how),
				ifPublished,
			),
		),
	fc
		.boolean()
		.map((isOld) =>
			command(
				`restart without the gateway${isOld ? ', with an old record' : ''}`,
				async (world) => await world.restartAlone(isOld),
				ifPublished,
			),
		),
	fc
		.constantFrom(...SPOILS)
		.map((how) => command(`webhook ${how}`, (world) => world.spoil(how), ifPublished)),
	fc.constant(command('gateway down', (world) => world.setUp(false), isUp)),
	fc.constant(
		command(
			'gateway up',
			(world) => world.setUp(true),
			(model) => !model.isUp,
		),
	),
	fc.constant(command('next answer to a creation lost', (world) => world.loseAnswer())),
	fc
		.constantFrom(-200, 0, 200)
		.map((seconds) => command(`gateway's clock ${seconds} s`, (world) => world.skew(seconds))),
	fc
		.boolean()
		.map((isEmpty) =>
			command(`static data ${isEmpty ? 'emptied' : 'overwritten'}`, (world) =>
				world.overwrite(isEmpty),
			),
		),
	fc
		.tuple(fc.constantFrom(...DELIVERIES), fc.boolean(), fc.nat(9))
		.map(([how, fails, index]) =>
			command(
				`delivery ${how}${fails ? ', n8n fails' : ''} (${index})`,
				async (world) => await world.deliver(how, fails, index),
				ifPublished,
			),
		),
	fc
		.tuple(fc.constantFrom(...FORGERIES), fc.nat(9))
		.map(([how, index]) =>
			command(
				`delivery with ${how} (${index})`,
				async (world) => await world.forge(how, index),
				ifPublished,
			),
		),
	fc
		.constantFrom<[string, number]>(
			['a minute', MINUTE_MS],
			['an hour', HOUR_MS],
			['a day', DAY_MS],
		)
		.map(([name, milliseconds]) =>
			command(`${name} passes`, async (world) => await world.pass(milliseconds)),
		),
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
