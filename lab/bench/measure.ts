import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../host/host';

/** What a piece of work has taken. */
export interface Cost {
	/** Computing time of n8n's process in milliseconds: another load on the machine changes it little. */
	cpuMs: number;
	/** Time on the clock in milliseconds. */
	clockMs: number;
}

/** n8n still writes for a moment when the work is done. That belongs to this work, and not to the next. */
const SETTLE_MS = 300;

export async function measure(host: Host, work: () => Promise<void>): Promise<Cost> {
	const cpuBefore = host.n8n.computing();
	const clockBefore = performance.now();
	await work();
	const clockMs = performance.now() - clockBefore;

	await pause(SETTLE_MS);
	return { cpuMs: host.n8n.computing() - cpuBefore, clockMs };
}

/** A piece of work that is done again and again, with its costs in each round. */
export interface Contestant {
	/** Units of work in one turn: deliveries, or messages. */
	units: number;
	run(): Promise<Cost>;
}

/**
 * Lets contestants take turns, so that each meets the same machine and the same database.
 *
 * @returns for each contestant the costs of one unit, by round
 */
export async function race<K extends string>(
	contestants: Record<K, Contestant>,
	{ rounds, turns }: { rounds: number; turns: number },
): Promise<Record<K, Cost[]>> {
	const names = Object.keys(contestants) as K[];
	const costs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, Cost[]>;
	// The first turn is slow, because V8 has not compiled the code yet.
	for (const name of names) await contestants[name].run();

	for (let round = 0; round < rounds; round++) {
		const sums = new Map(names.map((name) => [name, { cpuMs: 0, clockMs: 0 }]));
		for (let turn = 0; turn < turns; turn++) {
			for (const name of orderOf(names, round + turn)) {
				const { cpuMs, clockMs } = await contestants[name].run();
				const sum = sums.get(name)!;
				sum.cpuMs += cpuMs;
				sum.clockMs += clockMs;
			}
		}
		for (const [name, { cpuMs, clockMs }] of sums) {
			const units = contestants[name].units * turns;
			costs[name].push({ cpuMs: cpuMs / units, clockMs: clockMs / units });
		}
	}
	return costs;
}

/** Another order in each turn, every second one backwards: garbage of one is collected in the next. */
function orderOf<T>(list: T[], turn: number): T[] {
	const first = (3 * turn) % list.length;
	const rotated = [...list.slice(first), ...list.slice(0, first)];
	return turn % 2 === 0 ? rotated : rotated.reverse();
}
