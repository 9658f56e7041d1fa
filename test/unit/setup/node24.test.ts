import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrograms } from './standInPrograms';

// The Node that everything runs on, for somebody whose own is of these versions.

const programs = makePrograms();
const fetched = join(programs.folder, 'fetched', 'node');

beforeAll(() => {
	mkdirSync(join(programs.folder, 'fetched'));
	programs.add('npx', `echo "npm notice: news"; echo "${fetched}"; echo`);
});
afterAll(() => programs.remove());

const findFor = (version: string) =>
	programs
		.run(
			{ 'node24.mjs': 'findNode24' },
			`Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
			console.log('→', await findNode24() === process.execPath ? 'own' : await findNode24());`,
		)
		.split('→ ')
		.at(-1)
		?.trim();

it('is their own, if that is of the same major version', () => {
	expect(findFor('24.0.1')).toBe('own');
	expect(programs.calls()).toEqual([]);
});

it('is fetched for any other, once, as long as it is there', () => {
	// What npx says is not there yet: each look fetches it.
	expect(findFor('26.1.0')).toBe(fetched);
	expect(programs.calls()).toHaveLength(2);
	writeFileSync(fetched, '');
	expect(findFor('20.19.0')).toBe(fetched);
	expect(programs.calls()).toEqual([]);
});
