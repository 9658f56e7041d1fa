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

const SOURCES = join('nodes', 'MessagingGateway');
const tests = globSync('test/**/*.test.ts', { cwd: projectFolder });

/** Whether a test of this name lies where the source does. */
function hasOwnTest(source: string): boolean {
	const place = join(dirname(source), basename(source).split('.')[0]);
	return tests.some((test) =>
		['unit', 'engine'].some(
			(suite) =>
				test.startsWith(`test/${suite}/${place}.`) &&
				dirname(test) === dirname(`test/${suite}/${place}`),
		),
	);
}

/** The rows of CONTRIBUTING on files that another one's test holds. */
const held = readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8')
	.split('| file | held by |')[1]
	.split('\n\n')[0]
	.split('\n')
	.slice(2)
	.map((row) =>
		row
			.split('|')
			.slice(1, 3)
			.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
	);

const sources = [
	...globSync('**/*.ts', { cwd: join(projectFolder, SOURCES) }),
	...globSync('credentials/*.ts', { cwd: projectFolder }),
];

it.each(sources)('%s has a test of its name, or CONTRIBUTING says which one holds it', (source) => {
	const names = held.flatMap(([files]) => files);
	const isHeld = names.some((name) =>
		name.endsWith('/') ? source.startsWith(name) : source === `${name}.ts`,
	);
	expect(hasOwnTest(source) || isHeld).toBe(true);
});

it('CONTRIBUTING names no file and no test that is not there, and none that has a test of its own', () => {
	const [files, holders] = [0, 1].map((column) => held.flatMap((row) => row[column]));
	const isSource = (name: string) =>
		name.endsWith('/')
			? existsSync(join(projectFolder, SOURCES, name))
			: sources.includes(`${name}.ts`);
	expect(files.filter((name) => !isSource(name) || hasOwnTest(`${name}.ts`))).toEqual([]);
	expect(holders.filter((name) => !tests.includes(`test/${name}.test.ts`))).toEqual([]);
});
