import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectFolder } from '../../host/places';

/** What a file imports of ours, as paths in the project. */
function readImports(file: string): string[] {
	const text = readFileSync(join(projectFolder, file), 'utf8');
	return [...text.matchAll(/(?:from |import\(|require\()'(\.[^']*)'/g)].map(([, path]) =>
		relative('.', join(dirname(file), path)),
	);
}

it.each(['tools', 'host', 'simulator'])('%s imports nothing from test', (folder) => {
	const files = globSync(`${folder}/**/*.{ts,mjs,cjs}`, { cwd: projectFolder });
	expect(files.length).toBeGreaterThan(0);
	const imports = files.flatMap((file) =>
		readImports(file).map((path) => `${file} imports ${path}`),
	);
	expect(imports.filter((line) => / imports test(\/|$)/.test(line))).toEqual([]);
});
