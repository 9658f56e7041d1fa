import { setTimeout as pause } from 'node:timers/promises';
import { drive, type LoadFigures, type Shot } from './load';
import { shoot } from './shots';
import type { Target } from './targets';

/** How long every load is measured in all, and driven before that, in milliseconds. */
export interface Length {
	measure: number;
	warmUp: number;
}

export interface Load extends Target {
	/** Makes the next delivery; a new one, rightly signed, by default. */
	next?: () => Shot;
	/** The only status that may come back; 200 by default. */
	expect?: number;
	connections?: number;
}

const CONNECTIONS = 10;
const ROUNDS = 8;
/** Executions go on after their answers: those of one round must not slow down the next. */
const PAUSE_MS = 500;

/**
 * Loads targets in turns, several times, so that a growing database strikes all of them.
 * @returns for each load its third best of eight rounds: what else the machine does only ever makes a round slower
 */
export async function race({ measure, warmUp }: Length, loads: Load[]): Promise<LoadFigures[]> {
	const run = async (load: Load, milliseconds: number) =>
		await drive({
			connections: CONNECTIONS,
			next: () => shoot(load.secret),
			expect: 200,
			...load,
			milliseconds,
		});
	const found = loads.map((): LoadFigures[] => []);
	for (const load of loads) await run(load, warmUp);
	for (let round = 0; round < ROUNDS; round++) {
		// Forwards and backwards, so that nobody is always the first.
		const order = round % 2 === 0 ? [...loads.keys()] : [...loads.keys()].reverse();
		for (const index of order) {
			await pause(PAUSE_MS);
			found[index].push(await run(loads[index], measure / ROUNDS));
		}
	}
	return found.map((rounds) => rounds.toSorted((one, other) => other.perSecond - one.perSecond)[2]);
}
