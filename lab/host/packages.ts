import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from './places';
import { findShared } from './shared';

const execute = promisify(execFile);

/** Packs a package as `npm publish` would. Answers the path of the tarball in `into`. */
export async function packPackage(packageFolder: string, into: string): Promise<string> {
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
	const { stdout } = await execute('npm', args, { cwd: packageFolder });
	const [{ filename }] = JSON.parse(stdout) as Array<{ filename: string }>;
	return join(into, filename);
}

/** The tarball of this project, as it was when somebody of the run first packed it. */
async function packOnce(packageFolder: string): Promise<string | undefined> {
	const shared = packageFolder === projectFolder ? findShared('package.tgz') : undefined;
	if (shared === undefined || existsSync(shared)) return shared;
	const into = mkdtempSync(join(dirname(shared), 'pack-'));
	renameSync(await packPackage(packageFolder, into), shared);
	return shared;
}

/** Unpacks a tarball of npm so that its `package.json` stands in `folder`. */
export async function unpackTarball(tarball: string, folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await execute('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/** Where n8n looks for a community package. */
export function communityPackageFolder(packageFolder: string, n8nUserFolder: string): string {
	const { name } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
		name: string;
	};
	return join(n8nUserFolder, '.n8n', 'nodes', 'node_modules', name);
}

/** Puts a package where n8n keeps its community packages, by way of its tarball: only what is published gets there. */
export async function installCommunityPackage(
	packageFolder: string,
	n8nUserFolder: string,
): Promise<void> {
	const target = communityPackageFolder(packageFolder, n8nUserFolder);
	const workbench = mkdtempSync(join(tmpdir(), 'pack-'));
	try {
		const tarball =
			(await packOnce(packageFolder)) ?? (await packPackage(packageFolder, workbench));
		rmSync(target, { recursive: true, force: true });
		await unpackTarball(tarball, target);
	} finally {
		rmSync(workbench, { recursive: true, force: true });
	}
}
