import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { lastReleaseTarball } from '../../host/lastRelease';
import { packPackage } from '../../host/packages';
import { projectFolder } from '../../host/places';

/** Keeps the package as it is now for the test that updates from it: after each release, and never in between. */
async function keep(): Promise<void> {
	const workbench = mkdtempSync(join(tmpdir(), 'keep-'));
	try {
		copyFileSync(await packPackage(projectFolder, workbench), lastReleaseTarball);
		console.log(`Kept as ${relative(projectFolder, lastReleaseTarball)}.`);
	} finally {
		rmSync(workbench, { recursive: true, force: true });
	}
}

void keep();
