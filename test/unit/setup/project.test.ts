import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { makePrograms } from './standInPrograms';

// When a project is installed and built anew, with an npm that only notes that it was called.

const programs = makePrograms();
const project = join(programs.folder, 'project');

const write = (name: string, text: string) => {
	mkdirSync(dirname(join(project, name)), { recursive: true });
	writeFileSync(join(project, name), text);
};

beforeEach(() => {
	rmSync(project, { recursive: true, force: true });
	cpSync(join(projectFolder, 'tools', 'setup'), join(project, 'tools', 'setup'), {
		recursive: true,
	});
	for (const name of ['package-lock.json', 'tsconfig.json', 'gulpfile.js', 'LICENSE.md'])
		write(name, name);
	write('package.json', '{"devDependencies":{"bread":"1.0.0"}}');
	write('nodes/deep/a.ts', 'a');
	write('credentials/b.ts', 'b');
	write('dist/nodes/deep/a.js', 'a');
	programs.add('npm');
	programs.calls();
});
afterAll(() => programs.remove());

/** Gives what npm was called for, by its first words. */
function callsOf(work: string): string[] {
	programs.run(
		{ 'project.mjs': 'buildPackage, installPackages, rememberPlaces' },
		`await ${work}.catch(() => {});`,
		project,
	);
	return programs.calls();
}

const INSTALL = ['npm ci --ignore-scripts --no-audit --no-fund'];
const BUILD = ['npm run build'];

describe('packages', () => {
	it('are installed once', () => {
		expect(callsOf('installPackages(process.env)')).toEqual(INSTALL);
		expect(callsOf('installPackages(process.env)')).toEqual([]);
	});

	it.each([
		['another lock file', () => write('package-lock.json', 'new')],
		['another dependency', () => write('package.json', '{"devDependencies":{"cake":"1.0.0"}}')],
		['a deleted folder', () => rmSync(join(project, 'node_modules'), { recursive: true })],
	])('are installed again for %s', (_what, change) => {
		callsOf('installPackages(process.env)');
		change();
		expect(callsOf('installPackages(process.env)')).toEqual(INSTALL);
	});

	it('are not taken for installed after a failure, not even those of before', () => {
		callsOf('installPackages(process.env)');
		const lock = readFileSync(join(project, 'package-lock.json'), 'utf8');
		programs.add('npm', 'exit 1');
		write('package-lock.json', 'new');
		expect(callsOf('installPackages(process.env)')).toEqual(INSTALL);
		expect(callsOf('installPackages(process.env)')).toEqual(INSTALL);
		write('package-lock.json', lock);
		expect(callsOf('installPackages(process.env)')).toEqual(INSTALL);
	});
});

describe('the package', () => {
	it('is built once', () => {
		expect(callsOf('buildPackage(process.env)')).toEqual(BUILD);
		expect(callsOf('buildPackage(process.env)')).toEqual([]);
	});

	it.each([
		'package.json',
		'tsconfig.json',
		'gulpfile.js',
		'LICENSE.md',
		'nodes/deep/a.ts',
		'nodes/new.ts',
		'credentials/b.ts',
		'dist/nodes/deep/a.js',
	])('is built again when %s is another', (name) => {
		callsOf('buildPackage(process.env)');
		write(name, '{}');
		expect(callsOf('buildPackage(process.env)')).toEqual(BUILD);
	});

	it('is built again when it is gone, and after a build that failed', () => {
		callsOf('buildPackage(process.env)');
		const before = readFileSync(join(project, 'nodes', 'deep', 'a.ts'), 'utf8');
		rmSync(join(project, 'dist'), { recursive: true });
		expect(callsOf('buildPackage(process.env)')).toEqual(BUILD);
		programs.add('npm', 'exit 1');
		write('nodes/deep/a.ts', 'broken');
		expect(callsOf('buildPackage(process.env)')).toEqual(BUILD);
		write('nodes/deep/a.ts', before);
		expect(callsOf('buildPackage(process.env)')).toEqual(BUILD);
	});
});

it('places that were noted stay, and a new one of a name takes its place', () => {
	const note = join(project, 'node_modules', '.cache', 'messaging-gateway', 'places.json');
	for (const places of ["{ n8n: '/a', redis: '/r' }", "{ n8n: '/b' }"])
		programs.run({ 'project.mjs': 'rememberPlaces' }, `rememberPlaces(${places});`, project);
	expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ n8n: '/b', redis: '/r' });
});
