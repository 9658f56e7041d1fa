import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkout. */
export const projectFolder = resolve(__dirname, '..', '..');

/** What the set-up has put where: folders of installed packages and paths of programs. */
interface Places {
	cache: string;
	n8n: string;
	verification: string;
	chromium: string;
	haproxy: string;
	postgres: string;
	redis: string;
}

/** Where the set-up of this checkout (`lab/setup/run.mjs`) has put something. */
export function findPlace(name: keyof Places): string {
	const note = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway', 'places.json');
	const places: Partial<Places> = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	const place = places[name];
	if (place === undefined || !existsSync(place)) {
		throw new Error(
			`The set-up has not prepared ${name} yet: run \`npm run e2e\` once, it does all the set-up.`,
		);
	}
	return place;
}
