import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkout. */
export const projectFolder = resolve(__dirname, '..', '..');

/** Where the set-up put what the tests need: folders of installed packages, or paths of programs. */
interface Tools {
	n8n: string;
	verification: string;
	chromium: string;
	redis: string;
	postgres: string;
}

/** The place of a tool that `test/setup/run.mjs` has prepared for this checkout. */
export function findTool(name: keyof Tools): string {
	const note = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway', 'tools.json');
	const tools: Partial<Tools> = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	const tool = tools[name];
	if (tool === undefined || !existsSync(tool)) {
		throw new Error(`The set-up has not prepared ${name} yet: run \`npm run e2e\` once, it does all the set-up.`);
	}
	return tool;
}
