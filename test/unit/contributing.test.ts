import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../host/places';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** What a patch leaves behind: the lines of each hunk, by the file that it is in. */
function readHunks(patch: string): Array<[file: string, lines: string]> {
	const [, ...files] = patch.split(/^--- .*\n\+\+\+ b\//m);
	return files.flatMap((part) => {
		const [file] = part.split('\n', 1);
		const [, ...hunks] = part.split(/^@@.*\n/m);
		return hunks.map((hunk): [string, string] => [
			file,
			hunk.replace(/^-.*\n/gm, '').replace(/^[ +]/gm, ''),
		]);
	});
}

const [, patch] = /^```diff\n(.*?)^```/ms.exec(read('CONTRIBUTING.md'))!;

it.each(readHunks(patch))('shows lines of an endpoint as they stand in %s', (file, lines) => {
	expect(read(file)).toContain(lines);
});

const files = globSync(['**/*', '.github/**/*'], {
	cwd: projectFolder,
	exclude: (name) => ['node_modules', 'dist', '.git'].includes(name),
}).map((file) => `/${file}`);

/** Files as texts name them: with the folders that it takes to find them. */
const named = [
	...new Set(
		[
			...read('CONTRIBUTING.md').matchAll(/`((?:[\w.{}-]+\/)*[\w.-]+\.(?:ts|mjs|cjs|js|md|yml))`/g),
		].map(([, path]) => path),
	),
].filter((path) => path !== 'x.test.ts' && path !== 'x.aspect.test.ts' && path !== 'x.ts');

it.each(named)('names %s, which is there', (path) => {
	expect(files.filter((file) => file.endsWith(`/${path}`))).not.toEqual([]);
});
