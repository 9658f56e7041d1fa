import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { projectFolder } from '../../../host/places';
import { makePrograms } from './standInPrograms';

const folder = mkdtempSync(join(tmpdir(), 'newest-'));
const newest = pathToFileURL(join(projectFolder, 'tools', 'setup', 'newest.mjs')).href;

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Looks for a newer n8n in a registry that lists these versions and can install none of them. */
async function prepare(versions: string[], latest: string): Promise<string> {
	const npm = join(folder, 'npm');
	const told = JSON.stringify({ versions, 'dist-tags.latest': latest });
	writeFileSync(npm, `#!/bin/sh\ntest "$1" = view || exit 1\necho '${told}'\n`);
	chmodSync(npm, 0o755);
	const program = `
		import { prepareNewest } from '${newest}';
		console.log('→', await prepareNewest(process.env));
	`;
	const env = {
		...process.env,
		PATH: `${folder}${delimiter}${process.env.PATH}`,
		MESSAGING_GATEWAY_CACHE: folder,
	};
	const args = ['--input-type=module', '--eval', program];
	return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

it('tells of each n8n that cannot be installed, the newest first, and goes on without', async () => {
	const versions = ['2.40.0', '999.9.0', '999.10.0', '999.11.0-beta.1', '1000.0.0'];
	const told = await prepare(versions, '999.10.0');
	const warned = [...told.matchAll(/::warning::n8n (\S+?),? /g)].map(([, version]) => version);
	expect(warned).toEqual(['999.10.0', '999.10.0', '999.9.0', '999.9.0']);
	expect(told).toMatch(/→ undefined\n$/);
});

it('tries nothing where the pinned n8n is the newest', async () => {
	const told = await prepare(['2.40.0'], '2.40.0');
	expect(told).toMatch(/^There is no newer n8n than .+ to test with\.\n→ undefined\n$/);
});

describe('an n8n that can be installed', () => {
	const version = '999.9.0';
	const registry = JSON.stringify({ versions: [version, '999.8.0'], 'dist-tags.latest': version });

	/** How the search ends where n8n starts alone only as told: `free`, `held`, or not at all. */
	function prepareWhereRuns(runs: string): { told: string; calls: string[] } {
		const programs = makePrograms();
		try {
			programs.add('npm', `test "$1" != view || echo '${registry}'`);
			programs.add('node', `case "$*" in *startAlone.ts*${runs}*|-e*) ;; *) exit 1;; esac`);
			mkdirSync(join(programs.folder, 'cache'));
			const told = programs.run(
				{ 'newest.mjs': 'prepareNewest' },
				"console.log('→', await prepareNewest(process.env));",
			);
			return { told, calls: programs.calls() };
		} finally {
			programs.remove();
		}
	}
	const startsIn = (calls: string[]) =>
		calls.flatMap((call) => /startAlone\.ts \S+\/(n8n-\w+)-/.exec(call)?.[1] ?? []);

	it('is taken as somebody gets it, if it starts', () => {
		const { told, calls } = prepareWhereRuns('n8n-free');
		expect(told).toMatch(/→ \S+\/n8n-free-\S+\n$/);
		expect(told).not.toContain('::warning::');
		expect(startsIn(calls)).toEqual(['n8n-free']);
	});

	it('is taken with what the pinned one is held to, if it starts only so, and that is told', () => {
		const { told, calls } = prepareWhereRuns('n8n-held');
		expect(told).toMatch(/::warning::n8n 999\.9\.0 does not run, even[^]*→ \S+\/n8n-held-\S+\n$/);
		expect(startsIn(calls)).toEqual(['n8n-free', 'n8n-held']);
	});

	it('is none, if none starts', () => {
		const { told, calls } = prepareWhereRuns('nothing');
		expect(told).toMatch(/There is no newer n8n[^]*→ undefined\n$/);
		expect(startsIn(calls)).toEqual(['n8n-free', 'n8n-held', 'n8n-free', 'n8n-held']);
	});
});

it('of many newer versions the newest three are tried', async () => {
	const versions = ['999.1.0', '999.2.0', '999.3.0', '999.4.0'];
	const told = await prepare(versions, '999.4.0');
	const warned = [...told.matchAll(/::warning::n8n (\S+?),? /g)].map(([, version]) => version);
	expect([...new Set(warned)]).toEqual(['999.4.0', '999.3.0', '999.2.0']);
});

it('what breaks in the set-up itself is no n8n that does not run', () => {
	const programs = makePrograms();
	const registry = JSON.stringify({ versions: ['999.1.0'], 'dist-tags.latest': '999.1.0' });
	try {
		// Somebody clears the cache away meanwhile.
		programs.add('npm', `test "$1" != view || echo '${registry}'`);
		programs.add('node', 'rm -rf "$PWD"');
		mkdirSync(join(programs.folder, 'cache'));
		const told = programs.run(
			{ 'newest.mjs': 'prepareNewest' },
			"await prepareNewest(process.env).catch(({ code }) => console.log('→', code));",
		);
		expect(told).toMatch(/→ ENOENT\n$/);
		expect(told).not.toContain('::warning::');
	} finally {
		programs.remove();
	}
});
