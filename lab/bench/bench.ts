import { startHost } from '../host/host';
import { compareDeliveries } from './deliveries';
import { openExecutions } from './executions';
import { MAX_GROWTH, measureGrowth } from './growth';
import { compareMemory, compareMessages, LATENCY_MS } from './messages';
import { isMissed, Table, type Row } from './table';
import { otherTree, ownTree } from './trees';

const ROUNDS = 3;
/** Of the deliveries in each round. */
const TURNS = 6;

/**
 * Prints one table of all comparisons, and fails if this tree misses a limit in all rounds.
 * `npm run bench -- <path>` also measures the checkout with this path, in the same n8n.
 */
async function main([other]: string[]): Promise<void> {
	const own = ownTree();
	const trees = other === undefined ? [own] : [own, otherTree(other)];
	const table = new Table(trees.map(({ title }) => title));
	table.add(await compareGrowth(own.title));

	const host = await startHost({
		n8n: { packages: trees.map(({ folder }) => folder) },
		gateway: {
			latencyMs: LATENCY_MS,
			statusDelaysMs: { sent: null, delivered: null, read: null },
		},
	});
	try {
		const executions = openExecutions(host);
		const rounds = { rounds: ROUNDS, turns: TURNS };
		table.add(...(await compareDeliveries(host, executions, trees, rounds)));
		table.add(...(await compareMessages(host, executions, trees, ROUNDS)));
		executions.close();
		table.add(await compareMemory(host, trees, ROUNDS));
	} finally {
		await host.stop();
	}

	if (table.rows.some((row) => isMissed(row, own.title))) process.exitCode = 1;
}

/** The reader of this tree whose time grows most with its text. */
async function compareGrowth(title: string): Promise<Row> {
	const [steepest] = await measureGrowth();
	const what =
		steepest === undefined
			? 'no reader takes 20 ms for 64k characters'
			: `time for 8 times the text: ${steepest.reader}, ${steepest.kind}`;
	return {
		what,
		limit: { atMost: MAX_GROWTH },
		ratios: new Map([[title, steepest?.tries ?? [0]]]),
	};
}

void main(process.argv.slice(2));
