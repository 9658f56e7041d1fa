/** One line of the table: what is compared, and for each tree its ratio to n8n's own node by round. */
export interface Row {
	what: string;
	/** The limit, beside whether a ratio has to be below it or above it. */
	limit: { atMost: number } | { atLeast: number };
	/** The ratios of each round, by the title of the tree. */
	ratios: Map<string, number[]>;
}

const WIDTHS = { what: 74, ratios: 22 };

/** A table that is printed row by row: a bench that is cut off has printed what it knows. */
export class Table {
	readonly rows: Row[] = [];

	/** @param titles of the trees, each of which has a column */
	constructor(private readonly titles: string[]) {
		this.printLine('ratio to n8n’s own node: median (range of the rounds)', titles, 'limit');
	}

	/** Prints rows: for each tree the median of the rounds, and their range. */
	add(...rows: Row[]): void {
		for (const row of rows) {
			const { what, limit, ratios } = row;
			const cells = this.titles.map((title) => formatRatios(ratios.get(title) ?? []));
			const words = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
			this.printLine(what, cells, words);
			this.rows.push(row);
		}
	}

	private printLine(what: string, cells: string[], limit: string): void {
		const padded = cells.map((cell) => cell.padEnd(WIDTHS.ratios));
		console.log([what.padEnd(WIDTHS.what), ...padded, limit].join(' '));
	}
}

function formatRatios(ratios: number[]): string {
	if (ratios.length === 0) return '';
	const sorted = [...ratios].sort((one, other) => one - other);
	const median = sorted[Math.floor(sorted.length / 2)];
	const range = `${sorted[0].toFixed(2)} to ${sorted[sorted.length - 1].toFixed(2)}`;
	return `${median.toFixed(2)} (${range})`;
}

/** Whether all rounds are beyond the limit. A busy machine makes single rounds bad. */
export function isMissed({ limit, ratios }: Row, title: string): boolean {
	const own = ratios.get(title) ?? [];
	if ('atMost' in limit) return own.every((ratio) => ratio > limit.atMost);
	return own.every((ratio) => ratio < limit.atLeast);
}
