import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Places from '../../../host/places';
import { putAmong } from '../aroundScript';

// What the set-up has noted, in a checkout of its own.

const folder = putAmong(join('host', 'places.ts'), {});
const kept = join(folder, 'node_modules', '.cache', 'messaging-gateway');
const n8n = join(kept, 'n8n');
const find = () => (require(join(folder, 'host', 'places.ts')) as typeof Places).findPlace('n8n');

beforeEach(() => mkdirSync(n8n, { recursive: true }));
afterEach(() => rmSync(kept, { recursive: true, force: true }));

const note = (places: object) => writeFileSync(join(kept, 'places.json'), JSON.stringify(places));

it('is found where the set-up has put it', () => {
	note({ n8n });
	expect(find()).toBe(n8n);
});

it.each([
	['before any set-up', () => {}],
	['before its own', () => note({ chromium: n8n })],
	[
		'after it was deleted',
		() => {
			note({ n8n });
			rmSync(n8n, { recursive: true });
		},
	],
])('%s, it is told how to get it', (_when, prepare) => {
	prepare();
	expect(find).toThrow('The set-up has not prepared n8n yet: run `npm run e2e` once');
});
