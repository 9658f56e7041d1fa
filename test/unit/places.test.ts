import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
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

/** Suites whose folders are those of the source. `x.aspect.test.ts` holds x, a file or the folder that it lies in. */
const mirrored = globSync('test/{unit,engine}/*/**/*.test.ts', { cwd: projectFolder }).flatMap(
	(file) => {
		const [, , ...path] = file.split('/');
		const source = join('nodes', 'MessagingGateway', ...path);
		return existsSync(join(projectFolder, 'nodes', 'MessagingGateway', path[0])) ? [source] : [];
	},
);

it.each(mirrored)('%s is named after what it holds', (file) => {
	const name = basename(file).split('.')[0];
	const isThere = existsSync(join(projectFolder, dirname(file), `${name}.ts`));
	expect([isThere, basename(dirname(file)) === name]).toContain(true);
});
