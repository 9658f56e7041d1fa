/** One line of the table: what is compared, and for each tree its ratio to n8n's own node by round. */
export interface Row {
	what: string;
	/** The limit, beside whether a ratio has to be below it or above it. */
	limit: { atMost: number } | { atLeast: number };
	/** The ratios of each round, by the title of the tree. */
	ratios: Map<string, number[]>;
}

/** Prints all rows as one table: for each tree the median of the rounds, and their range. */
export function printTable(titles: string[], rows: Row[]): void {
	const lines = [
		['', ...titles, 'limit'],
		...rows.map(({ what, limit, ratios }) => [
			what,
			...titles.map((title) => formatRatios(ratios.get(title) ?? [])),
			'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`,
		]),
	];
	const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	for (const line of lines) {
		console.log(line.map((cell, column) => cell.padEnd(widths[column])).join('  '));
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
