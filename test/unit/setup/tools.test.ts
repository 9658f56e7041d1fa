import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { makePrograms } from './standInPrograms';

// What the set-up installs, with an npm that notes what it is told and installs nothing.

const programs = makePrograms();
const cache = join(programs.folder, 'cache');
const pins = readFileSync(join(projectFolder, 'host', 'package-lock.json'), 'utf8');

beforeAll(() => mkdirSync(cache));
beforeEach(() => {
	programs.add('npm');
	programs.add('node');
	programs.calls();
});
afterAll(() => programs.remove());

const prepare = (what: string, args = 'process.env') =>
	/→ (.*)\n/.exec(
		programs.run(
			{ 'tools.mjs': what },
			`await ${what}(${args}).then((folder) => console.log('→', folder), ({ message }) => console.log('→', message.replaceAll('\\n', ' ')));`,
		),
	)?.[1] ?? '';
const inCache = () =>
	readdirSync(cache)
		.filter((name) => name !== 'logs')
		.sort();
const NO_MORE = '--ignore-scripts --legacy-peer-deps --no-audit --no-fund';
const MODULES = [
	'npm rebuild sqlite3 isolated-vm',
	"node -e require('sqlite3');require('isolated-vm');",
];

it('installs from the lock file alone, once, and compiles what has to be compiled', () => {
	const folder = prepare('prepareN8n');
	expect(programs.calls()).toEqual([`npm ci ${NO_MORE}`, ...MODULES]);
	expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(pins);
	expect(inCache()).toEqual([folder.slice(cache.length + 1)]);
	expect(prepare('prepareN8n')).toBe(folder);
	expect(programs.calls()).toEqual([]);
});

it('keeps each set of pins in a folder of its own', () => {
	const folders = ['prepareN8n', 'prepareOldestN8n', 'prepareVerification'].map((what) =>
		prepare(what),
	);
	expect(folders.map((folder) => folder.slice(cache.length + 1))).toEqual([
		expect.stringMatching(/^n8n-[0-9a-f]{12}-node24$/),
		expect.stringMatching(/^n8n-oldest-[0-9a-f]{12}-node24$/),
		expect.stringMatching(/^verification-[0-9a-f]{12}-node24$/),
	]);
	// The lint has nothing to compile.
	expect(programs.calls().filter((call) => call.startsWith('npm rebuild'))).toHaveLength(1);
});

it('leaves nothing of an installation that failed', () => {
	const before = inCache();
	programs.add('npm', 'exit 3');
	expect(prepare('prepareFreeN8n', "process.env, '9.9.9', false")).toMatch(/npm install .*code 3/);
	expect(inCache().filter((name) => !name.includes('.partial-'))).toEqual(before);
});

it('a free n8n asks for the version alone, a held one for what holds the pinned one, and of each the last stays', () => {
	const read = (folder: string) =>
		JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>;
	const pinned = read(join(projectFolder, 'host'));
	const [old, free, held] = [
		prepare('prepareFreeN8n', "process.env, '9.9.8', false"),
		prepare('prepareFreeN8n', "process.env, '9.9.9', false"),
		prepare('prepareFreeN8n', "process.env, '9.9.9', true"),
	];
	expect(programs.calls()[0]).toBe(`npm install ${NO_MORE}`);
	expect([old, free, held].map(existsSync)).toEqual([false, true, true]);
	expect(read(free)).toMatchObject({ dependencies: { n8n: '9.9.9' } });
	expect(read(free)).not.toHaveProperty('overrides');
	expect(read(held)).toMatchObject({
		dependencies: { n8n: '9.9.9' },
		overrides: pinned.overrides,
	});
});

describe('modules that cannot be loaded', () => {
	/** As somebody who is not root, whose path holds no compiler but these. */
	function compileWith(...compilers: string[]): string {
		programs.add('node', 'echo "no such module"; exit 1');
		for (const name of compilers) programs.add(name);
		try {
			return programs.run(
				{ 'tools.mjs': 'prepareFreeN8n' },
				`process.env.PATH = ${JSON.stringify(programs.bin)};
				process.getuid = () => 1000;
				await prepareFreeN8n(process.env, '9.9.7', false).catch(({ message }) => console.log(message));`,
			);
		} finally {
			for (const name of compilers) rmSync(join(programs.bin, name));
		}
	}

	it('are no matter of a compiler that is there: what failed is told', () => {
		expect(compileWith('g++', 'python3')).toMatch(
			/^node -e require.* ended with code 1\.[^]*no such module/m,
		);
	});

	it.each([[['g++']], [['python3']], [[]]])(
		'are one of the compiler with %j alone',
		(compilers) => {
			const told = compileWith(...compilers);
			// Where only Python is missing, the compiler is found, and what has failed is tried again.
			expect(told).toContain(
				compilers.includes('g++')
					? 'native modules (sqlite3, isolated-vm) cannot be loaded'
					: 'A C++ compiler is missing',
			);
		},
	);
});

it('finds the programs of PostgreSQL beside the one that a link on the path leads to', () => {
	const real = join(programs.folder, 'postgresql');
	mkdirSync(real);
	writeFileSync(join(real, 'initdb'), '');
	symlinkSync(join(real, 'initdb'), join(programs.bin, 'initdb'));
	expect(prepare('preparePostgres', '')).toBe(real);
});

it('finds a program on the path, or else in the folders named', () => {
	const beside = join(programs.folder, 'beside');
	mkdirSync(beside);
	writeFileSync(join(beside, 'bread'), '');
	const told = programs.run(
		{ 'debian.mjs': 'findProgram' },
		`console.log(findProgram(['cake', 'bread'], [${JSON.stringify(beside)}]), findProgram(['bread']));`,
	);
	expect(told).toBe(`${join(beside, 'bread')} undefined\n`);
});
