import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8n } from './n8n';

interface Cell {
	/** As `table.column`. */
	place: string;
	text: string;
}

function readCells({ folder }: N8n): Cell[] {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		return tables.flatMap(({ name }) =>
			database
				.prepare(`SELECT * FROM "${String(name)}"`)
				.all()
				.flatMap((row) => Object.entries(row))
				.map(([column, value]) => ({ place: `${String(name)}.${column}`, text: String(value) })),
		);
	} finally {
		database.close();
	}
}

/** Where in n8n's database a text stands, as `table.column`. */
export function findInDatabase(n8n: N8n, text: string): string[] {
	const found = readCells(n8n).filter((cell) => cell.text.includes(text));
	return [...new Set(found.map(({ place }) => place))];
}

/** Everything that n8n has written into its database of SQLite, as text. */
export function readDatabase(n8n: N8n): string {
	return readCells(n8n)
		.map(({ text }) => text)
		.join('\n');
}
