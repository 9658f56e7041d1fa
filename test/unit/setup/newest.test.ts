import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { projectFolder } from '../../../host/places';

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
