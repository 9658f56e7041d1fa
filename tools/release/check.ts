import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage, unpackTarball } from '../../host/packages';
import { projectFolder } from '../../host/places';
import { execute, Finding } from '../verification/command';
import { checklist, type PackedPackage } from './checklist';
import { rehearse } from './dryRun';

/** What n8n's verification asks for, line by line with what was found, and then the release's dry run. Fails if a line does. */
async function check(): Promise<void> {
	const workbench = mkdtempSync(join(tmpdir(), 'release-'));
	const failed: string[] = [];
	const tell = async (line: string, look: () => Promise<string> | string): Promise<void> => {
		try {
			console.log(`✓ ${line}\n    ${await look()}`);
		} catch (error) {
			failed.push(line);
			const found = error instanceof Finding ? error.message : String((error as Error).stack);
			console.log(`✗ ${line}\n    ${found.replaceAll('\n', '\n    ')}`);
		}
	};
	try {
		const packed = await pack(workbench);
		for (const { line, look } of checklist) await tell(line, async () => await look(packed));
		await tell('Installed, used, updated and uninstalled by n8n itself', async () =>
			(await rehearse()).join('\n    '),
		);
	} finally {
		rmSync(workbench, { recursive: true, force: true });
	}
	console.log(failed.length === 0 ? '\nReady.' : `\nNot ready: ${failed.join('; ')}.`);
	console.log(
		'For a person: is every text in plain English, and does each picture show what is there?',
	);
	process.exitCode = failed.length === 0 ? 0 : 1;
}

/** What npm would publish of the checkout. */
async function pack(workbench: string): Promise<PackedPackage> {
	const tarball = await packPackage(projectFolder, workbench);
	const folder = join(workbench, 'package');
	await unpackTarball(tarball, folder);
	const list = await execute('tar', ['-tzf', tarball]);
	const files = list.split('\n').map((file) => file.replace(/^package\//, ''));
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
	return { folder, files, manifest: manifest as PackedPackage['manifest'] };
}

void check();
