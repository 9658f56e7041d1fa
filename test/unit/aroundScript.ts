import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../host/places';

/**
 * Puts one of the project's scripts into a folder of its own while the tests of a file run, among files that stand in for
 * what it imports.
 *
 * @param script its path in the project
 * @param around text by path
 * @returns the folder
 */
export function putAmong(script: string, around: Record<string, string>): string {
	const folder = mkdtempSync(join(tmpdir(), 'script-'));
	beforeAll(() => {
		for (const [name, text] of Object.entries(around)) {
			mkdirSync(join(folder, dirname(name)), { recursive: true });
			writeFileSync(join(folder, name), text);
		}
		cpSync(join(projectFolder, script), join(folder, script));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
