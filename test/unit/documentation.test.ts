import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { triggerProperties } from '../../nodes/MessagingGateway/trigger/properties';
import { projectFolder } from '../host/places';

// What pages say of the code, and would go on saying when it has changed.

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');

/** The parts of files that a diff leaves behind, each with the path of its file. */
function readDiff(diff: string): Array<[path: string, part: string]> {
	return diff
		.split(/^--- .*\n/m)
		.slice(1)
		.flatMap((file) => {
			const [path, ...hunks] = file.split(/^(?:\+\+\+ b\/(?=.)|@@ .*\n)/m).filter(Boolean);
			return hunks.map((hunk): [string, string] => [
				path.trim(),
				hunk.replace(/^-.*\n/gm, '').replace(/^[ +]/gm, ''),
			]);
		});
}

it('CONTRIBUTING shows the lines of an endpoint as they are', () => {
	const [, diff] = /^```diff\n([^]*?)^```/m.exec(read('CONTRIBUTING.md')) ?? [];
	const parts = readDiff(diff);
	expect(parts.length).toBeGreaterThan(4);
	expect(parts.filter(([path, part]) => !read(path).includes(part))).toEqual([]);
});

it('docs/trigger.md tells of each option of the trigger, in the order of the editor', () => {
	const [, table] = /^\| option \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(read('docs/trigger.md')) ?? [];
	const told = table.split('\n').flatMap((row) => /^\| (.*?) \|/.exec(row)?.[1] ?? []);
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	expect(told).toEqual(
		options.map((option) => ('displayName' in option ? option.displayName : option.name)),
	);
});
