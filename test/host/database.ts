import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8n } from './n8n';

/** Where in n8n's database a text stands, as `table.column`. */
export function findInDatabase({ folder }: N8n, text: string): string[] {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		const places = tables.flatMap(({ name }) =>
			database
				.prepare(`SELECT * FROM "${String(name)}"`)
				.all()
				.flatMap((row) => Object.entries(row))
				.filter(([, value]) => String(value).includes(text))
				.map(([column]) => `${String(name)}.${column}`),
		);
		return [...new Set(places)];
	} finally {
		database.close();
	}
}
