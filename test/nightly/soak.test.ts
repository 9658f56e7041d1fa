import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../host/waiting';
import { layOut, print } from '../support/table';
import { Soak } from './soak/soak';
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

let soak: Soak;
let isWell = false;

beforeAll(async () => {
	soak = await Soak.begin();
});

afterAll(async () => {
	if (!isWell && soak) print(`Seed ${SEED}:\n${soak.journal.join('\n')}`);
	await soak?.end();
});

it(
	`every event runs and one webhook is left after ${MINUTES} minutes of everything (seed ${SEED})`,
	async () => {
		await soak.publish();
		soak.startFlow();
		const opened: string[] = [];
		const counts = await mixTroubles(opened);
		await during('settling', settle);
		await during('drying up', dryUp);
		const cutOff = await during('reading what was cut off', readCutOff);
		// The first of them makes the trigger check its webhook. Until it has, it defers what does not fit.
		await waitFor('each replaced secret to be refused', async () => {
			const answers = await soak.tryReplaced(Infinity);
			return answers.every((answer) => answer === 401);
		});
		const { figures, problems } = judge(soak, cutOff);

		const found: [string, number] = ['forgotten webhook deleted by hand', soak.forgotten];
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
		soak.deleteForgotten();
		if (soak.findWebhook()) lastInOrderAt = now;
		const isSpoilt = now - lastInOrderAt > SPOILT_FOR_MS;
		const fits = ({ may, repairs, takesSeconds = 0 }: Trouble) =>
			(may?.(soak) ?? true) &&
			now + takesSeconds * 1_000 <= until &&
			(repairs === true || !isSpoilt || soak.isGatewayDown);
		const trouble = choose(TROUBLES.filter(fits), dice);
		const name = `phase ${number}, ${trouble.name}`;
		soak.note(name);
		await during(name, async () => await trouble.happen(soak, dice));
		counts.set(trouble.name, (counts.get(trouble.name) ?? 0) + 1);
		if (soak.needsPublication && !soak.isGatewayDown) {
			await during(`${name}, and published again`, async () => await soak.publish());
		}
		await pause(1_000 + dice() * 7_000);
		const answers = await soak.tryReplaced(3);
		if (answers.includes(200)) opened.push(`after ${name}`);
	}
	return counts;
}

/** A person puts an end to all trouble, and the trigger repairs the rest. */
async function settle(): Promise<void> {
	await soak.openGateway();
	await soak.openNeighbour();
	soak.note('settling');
	await soak.publish({ hasNeighbour: false });
	await soak.restart('stop');
	const { id } = await soak.untilChecked(MINUTE_MS);
	soak.host.gateway.deleteWebhook(id);
	await soak.untilInOrder(CHECK_WITHIN_SECONDS * 1_000);
	const since = soak.runs.length;
	await waitFor('events to run', () => soak.runs.length > since + 20, MINUTE_MS);
	soak.deleteForgotten();
}

async function dryUp(): Promise<void> {
	soak.note('drying up');
	await soak.endFlow();
	let isDry = false;
	void soak.host.gateway.drained().then(() => (isDry = true));
	const drying = waitFor('the gateway to have nothing left to deliver', () => isDry, 4 * MINUTE_MS);
	await drying.catch((cause: Error) => {
		throw new Error(`${cause.message} It still repeats:\n${describeOpen(soak)}`, { cause });
	});
	// n8n ends when the last executions have: nothing can run after that.
	await soak.restart('stop');
	await soak.untilInOrder(MINUTE_MS);
}

/** Events whose execution n8n has answered for, and then shows as broken off by its own end. */
async function readCutOff(): Promise<Set<string>> {
	const { api } = soak.host;
	const cutOff = new Set<string>();
	for (const { id } of await api.listExecutions(soak.workflow.id, ['crashed'])) {
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
