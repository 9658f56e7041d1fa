/** Rows under a head, in columns, as a person reads them on a terminal. */
export function layOut(head: string[], rows: Array<Array<string | number>>): string {
	const lines = [head, ...rows.map((row) => row.map(String))];
	const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	const align = (cell: string, column: number) =>
		column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
	return lines.map((line) => line.map(align).join('   ')).join('\n');
}

/** Past jest, which would put the place of the call around it. */
export function print(text: string): void {
	process.stdout.write(`\n${text}\n\n`);
}
