import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../lab/host/places';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
const oldest = engines.node.replace('>=', '');

it.each(['README.md', 'CONTRIBUTING.md', '.ci/run'])(
	'%s names the oldest Node of package.json, and no other',
	(path) => {
		const named = [...read(path).matchAll(/Node(?:\.js\]?\S*)? (\d[\d.]*) or newer/g)];

		expect(named.length).toBeGreaterThan(0);
		expect(new Set(named.map(([, version]) => version))).toEqual(new Set([oldest]));
	},
);

it('the CI also runs on the oldest Node of package.json', () => {
	expect(read('.github/workflows/ci.yml')).toContain(`node: '${oldest}'`);
});

it('the build writes for the oldest Node of package.json', () => {
	expect(read('gulpfile.js')).toContain(`target: 'node${oldest.split('.')[0]}'`);
});
