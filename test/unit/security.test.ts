import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../host/places';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

const rows = read('SECURITY.md')
	.split('## Which test shows it')[1]
	.split('\n')
	.slice(4)
	.filter((line) => line.startsWith('|'))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map(([, line, test, file]) => ({ line, test, file: file.replaceAll('`', '') }));

it('SECURITY.md names a test for its lines', () => {
	expect(rows.length).toBeGreaterThan(40);
});

it.each(rows)('SECURITY.md, "$line": there is its test', ({ test, file }) => {
	expect(read(file)).toContain(test);
});
