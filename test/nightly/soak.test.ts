import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../host/waiting';
import { layOut, print } from '../support/table';
import { Stage } from './soak/stage';
import { CHECK_WITHIN_SECONDS, choose, rollFrom, TROUBLES, type Trouble } from './soak/troubles';
import { describeOpen, judge } from './soak/verdict';

// Everything that may happen to a published trigger, in a mixture, beside a steady flow of events. `SOAK_MINUTES` is
// its length, and `SOAK_SEED` repeats a mixture. Until all is quiet, it takes some minutes more.

const MINUTE_MS = 60_000;
const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
/** As long as all that is waited for after the mixture may take together. */
const SETTLING_MINUTES = 12;
const LONGEST_START_SECONDS = 30;
/** A webhook that a person has spoilt is put in order within this time by something that does so. */
const SPOILT_FOR_MS = 5_000;

let stage: Stage;
let isWell = false;

beforeAll(async () => {
	stage = await Stage.begin();
});

afterAll(async () => {
	if (!isWell && stage) print(`Seed ${SEED}:\n${stage.journal.join('\n')}`);
	await stage?.end();
});

it(
	`every event runs and one webhook is left after ${MINUTES} minutes of everything (seed ${SEED})`,
	async () => {
		await stage.publish();
		stage.startFlow();
		const opened: string[] = [];
		const counts = await mixTroubles(opened);
		await during('settling', settle);
		await during('drying up', dryUp);
		const cutOff = await during('reading what was cut off', readCutOff);
		// The first of them makes the trigger check its webhook. Until it has, it defers what does not fit.
		await waitFor('each replaced secret to be refused', async () => {
			const answers = await stage.tryReplaced(Infinity);
			return answers.every((answer) => answer === 401);
		});
		const { figures, problems } = judge(stage, cutOff);

		const found: [string, number] = ['forgotten webhook deleted by hand', stage.forgotten];
		print(layOut([`soak of ${MINUTES} minutes, seed ${SEED}`, ''], [...counts, found, ...figures]));
		expect({ seed: SEED, problems, opened }).toEqual({ seed: SEED, problems: [], opened: [] });
		isWell = true;
	},
	(MINUTES + SETTLING_MINUTES) * MINUTE_MS,
);

/** @returns how often each of the troubles came */
async function mixTroubles(opened: string[]): Promise<Map<string, number>> {
	const dice = rollFrom(SEED);
	const counts = new Map(TROUBLES.map(({ name }) => [name, 0]));
	const until = Date.now() + MINUTES * MINUTE_MS;
	let lastInOrderAt = Date.now();
	for (let number = 1; Date.now() + LONGEST_START_SECONDS * 1_000 < until; number++) {
		const now = Date.now();
		stage.deleteForgotten();
		if (stage.findWebhook()) lastInOrderAt = now;
		const isSpoilt = now - lastInOrderAt > SPOILT_FOR_MS;
		const fits = ({ may, repairs, takesSeconds = 0 }: Trouble) =>
			(may?.(stage) ?? true) &&
			now + takesSeconds * 1_000 <= until &&
			(repairs === true || !isSpoilt || stage.isGatewayDown);
		const trouble = choose(TROUBLES.filter(fits), dice);
		const name = `phase ${number}, ${trouble.name}`;
		stage.note(name);
		await during(name, async () => await trouble.happen(stage, dice));
		counts.set(trouble.name, (counts.get(trouble.name) ?? 0) + 1);
		if (stage.needsPublication && !stage.isGatewayDown) {
			await during(`${name}, and published again`, async () => await stage.publish());
		}
		await pause(1_000 + dice() * 7_000);
		const answers = await stage.tryReplaced(3);
		if (answers.includes(200)) opened.push(`after ${name}`);
	}
	return counts;
}

/** A person puts an end to all trouble, and the trigger repairs the rest. */
async function settle(): Promise<void> {
	await stage.openGateway();
	await stage.openNeighbour();
	stage.note('settling');
	await stage.publish({ hasNeighbour: false });
	await stage.restart('stop');
	const { id } = await stage.untilChecked(MINUTE_MS);
	stage.host.gateway.deleteWebhook(id);
	await stage.untilInOrder(CHECK_WITHIN_SECONDS * 1_000);
	const since = stage.runs.length;
	await waitFor('events to run', () => stage.runs.length > since + 20, MINUTE_MS);
	stage.deleteForgotten();
}

async function dryUp(): Promise<void> {
	stage.note('drying up');
	await stage.endFlow();
	let isDry = false;
	void stage.host.gateway.drained().then(() => (isDry = true));
	const drying = waitFor('the gateway to have nothing left to deliver', () => isDry, 4 * MINUTE_MS);
	await drying.catch((cause: Error) => {
		throw new Error(`${cause.message} It still repeats:\n${describeOpen(stage)}`, { cause });
	});
	// n8n ends when the last executions have: nothing can run after that.
	await stage.restart('stop');
	await stage.untilInOrder(MINUTE_MS);
}

/** Events whose execution n8n has answered for, and then shows as broken off by its own end. */
async function readCutOff(): Promise<Set<string>> {
	const { api } = stage.host;
	const cutOff = new Set<string>();
	for (const { id } of await api.listExecutions(stage.workflow.id, ['crashed'])) {
		const { data } = await api.getExecution(id);
		for (const [eventId] of JSON.stringify(data).matchAll(/evt_[0-9a-f-]{36}/g))
			cutOff.add(eventId);
	}
	return cutOff;
}

async function during<T>(what: string, act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (cause) {
		throw new Error(`In ${what}, with the seed ${SEED}: ${(cause as Error).message}`, { cause });
	}
}
