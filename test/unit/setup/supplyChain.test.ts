import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';

interface Dependencies {
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const parse = <T>(file: string) => JSON.parse(read(file)) as T;

const workflows = readdirSync(join(projectFolder, '.github', 'workflows')).map((name) => ({
	name,
	text: read(join('.github', 'workflows', name)),
}));

const manifests = globSync('{.,host,test/**,tools/**}/package.json', {
	cwd: projectFolder,
	exclude: (name) => name === 'node_modules',
});

it.each(workflows)(
	'$name names each action by its commit, and its version for people',
	({ text }) => {
		const used = [...text.matchAll(/uses:(.*)$/gm)].map(([, action]) => action.trim());
		expect(used.length).toBeGreaterThan(0);
		for (const action of used)
			expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	},
);

it('every workflow takes the same commit of an action', () => {
	const all = workflows.flatMap(({ text }) => [
		...text.matchAll(/uses: (actions\/[\w-]+)@(.*)$/gm),
	]);
	const commits = new Map<string, Set<string>>();
	for (const [, action, commit] of all)
		commits.set(action, (commits.get(action) ?? new Set()).add(commit));
	for (const [, each] of commits) expect(each.size).toBe(1);
});

it.each(workflows)('$name runs only commands that there are', ({ text }) => {
	const { scripts } = parse<{ scripts: Record<string, string> }>('package.json');
	const matrix = [...text.matchAll(/task: \[(.+)\]/g)].flatMap(([, tasks]) => tasks.split(','));
	const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
	for (const name of [...named, ...matrix.map((task) => task.trim().replaceAll("'", ''))])
		expect(Object.keys(scripts)).toContain(name);
});

describe('the job that may publish', () => {
	const { text } = workflows.find(({ name }) => name === 'publish.yml')!;
	const [before, job] = text.split(/^ {2}publish:$/m);

	it('is the only one that may ask npm for leave, and waits for a person', () => {
		expect(before).not.toContain('id-token');
		expect(job).toContain('id-token: write');
		expect(job).toContain('environment: npm');
	});

	it('installs nothing and runs nothing that was installed', () => {
		expect(job).not.toMatch(/npm (ci|install|run|test|exec)|npx/);
		expect(job).toMatch(/npm publish "\$RUNNER_TEMP"\/package\/\*\.tgz .*--ignore-scripts/);
	});

	it('compares what was built with what was tested, and only what is on main', () => {
		expect(job).toContain('needs: [test, compatibility, build]');
		expect(job).toContain('TESTED: ${{ needs.test.outputs.contents }}');
		expect(job).toMatch(/test .*contents\.txt".* = "\$TESTED"$/m);
		expect(before).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(before).toContain('npm ci --ignore-scripts');
	});

	it('believes no artifact, which every job can write, but the output of the job that built', () => {
		const [, build] = before.split(/^ {2}build:$/m);
		expect(build).toMatch(/outputs:\n {6}tarball: \$\{\{ steps\.pack\.outputs\.tarball \}\}/);
		expect(build).not.toContain('.ci/run');
		expect(job).toContain('BUILT: ${{ needs.build.outputs.tarball }}');
		expect(job).toMatch(/test .*package\/\*\.tgz.* = "\$BUILT"$/m);
		expect(job.match(/download-artifact/g)).toHaveLength(1);
		expect(job).toMatch(/download-artifact@.*\n {8}with:\n {10}name: package$/m);
	});
});

it('fetches the Node that everything runs on by its exact version', () => {
	const tools = globSync('tools/**/*.{mjs,cjs,ts}', { cwd: projectFolder });
	expect(tools.filter((file) => /\bnpx\b|npm exec/.test(read(file)))).toEqual([
		join('tools', 'setup', 'node24.mjs'),
	]);
	const source = read('tools/setup/node24.mjs');
	expect(source).toMatch(/const NODE_VERSION = '\d+\.\d+\.\d+';/);
	expect([...source.matchAll(/--package=(\S+)`/g)].map(([, named]) => named)).toEqual([
		'node@${NODE_VERSION}',
	]);
});

it('finds every package.json', () => {
	expect(manifests.length).toBeGreaterThanOrEqual(4);
});

describe.each(manifests)('%s', (manifest) => {
	it('has a lock file that knows all it asks for, from the registry and by its hash', () => {
		const { dependencies, devDependencies } = parse<Dependencies>(manifest);
		const lock = parse<{ packages: Record<string, Dependencies & { integrity?: string }> }>(
			join(dirname(manifest), 'package-lock.json'),
		);
		const { '': root, ...packages } = lock.packages;
		expect(root.dependencies).toEqual(dependencies);
		expect(root.devDependencies).toEqual(devDependencies);
		for (const [name, { integrity }] of Object.entries(packages))
			expect(`${name} ${integrity}`).toMatch(/^\S+ sha512-/);
	});

	it('pins what it asks for', () => {
		const { dependencies, devDependencies } = parse<Dependencies>(manifest);
		for (const version of Object.values({ ...dependencies, ...devDependencies }))
			expect(version).toMatch(/^\d+\.\d+\.\d+$/);
	});

	it('is renewed by a bot', () => {
		const folder = dirname(manifest) === '.' ? '/' : `/${dirname(manifest)}`;
		const named = read('.github/dependabot.yml').matchAll(/director(?:y: |ies: \[)([^\]\n]+)/g);
		expect([...named].flatMap(([, folders]) => folders.split(', '))).toContain(folder);
	});
});
