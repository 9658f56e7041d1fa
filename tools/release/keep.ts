import { renameSync } from 'node:fs';
import { lastReleaseTarball } from '../../host/lastRelease';
import { packPackage } from '../../host/packages';
import { projectFolder } from '../../host/places';

/** Keeps the package as it is for the test that updates from it: after each release. */
void packPackage(projectFolder, projectFolder).then((tarball) =>
	renameSync(tarball, lastReleaseTarball),
);
