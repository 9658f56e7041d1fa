import { readFileSync } from 'node:fs';
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
