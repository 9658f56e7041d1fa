import type { Host } from '../host/host';

/** What a piece of work has taken. */
export interface Cost {
	/** Computing time of n8n's process in milliseconds: another load on the machine changes it little. */
	cpuMs: number;
	/** Time on the clock in milliseconds. */
	clockMs: number;
}

export async function measure(host: Host, work: () => Promise<void>): Promise<Cost> {
	const cpuBefore = host.n8n.computing();
	const clockBefore = performance.now();
	await work();
	return {
		cpuMs: host.n8n.computing() - cpuBefore,
		clockMs: performance.now() - clockBefore,
	};
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
			for (const name of rotate(names, turn)) {
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

/** Each contestant comes first in its turn: garbage of one is collected while the next one runs. */
function rotate<T>(list: T[], by: number): T[] {
	const first = by % list.length;
	return [...list.slice(first), ...list.slice(0, first)];
}
