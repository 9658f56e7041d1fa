import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage, unpackTarball } from '../../host/packages';
import { findPlace, projectFolder } from '../../host/places';
import { execute, Finding } from './command';
import { copyBesideTools, scanPackage, SHIPPED_SOURCES } from './scan';

/** In bytes. What is shipped can be read, so it is not small; a file that got in by accident is noticed. */
export const LARGEST_TARBALL = 250_000;

/** What the tools keep of one run for the next, so that they look at what has changed since. */
const KEPT = join('node_modules', '.cache', 'messaging-gateway');

/** Resolves with what is worth telling when all is well; throws a `Finding` when it is not. */
export type Check = () => Promise<string>;

export const checkTypes: Check = async () => {
	const kept = ['--incremental', '--tsBuildInfoFile', join(KEPT, 'types.tsbuildinfo')];
	await execute('node', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.', ...kept]);
	return '';
};

/** One style and one order of imports, in everything that is code. */
export const checkFormat: Check = async () => {
	const kept = ['--cache', '--cache-strategy', 'content', '--cache-location', join(KEPT, 'format')];
	await execute('node', ['node_modules/prettier/bin/prettier.cjs', '--check', '.', ...kept], {
		told: ['stderr'],
	});
	return '';
};

/** n8n's own lint, as `n8n-node lint` runs it: on a copy of what is shipped, beside the tools. Warnings count. */
export const lintSources: Check = async () => {
	const copy = copyBesideTools(SHIPPED_SOURCES);
	try {
		const bin = join(findPlace('verification'), 'node_modules', '.bin', 'n8n-node');
		const output = await execute(bin, ['lint'], { cwd: copy });
		if (/\d+ problems? \(/.test(output)) throw new Finding(output);
		return '';
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
};

export const scanSources: Check = async () => {
	const copy = copyBesideTools(SHIPPED_SOURCES);
	try {
		return await scanPackage(copy, 'sources');
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
};

/** Without its type check, which is a check of its own. */
export const buildPackage: Check = async () => {
	await execute('node', ['node_modules/gulp/bin/gulp.js', 'ship']);
	return '';
};

/** n8n's scan over what npm would publish, and its size. */
export const scanTarball: Check = async () => {
	const workbench = mkdtempSync(join(tmpdir(), 'tarball-'));
	const unpacked = copyBesideTools([]);
	try {
		const tarball = await packPackage(projectFolder, workbench);
		const { size } = statSync(tarball);
		if (size >= LARGEST_TARBALL)
			throw new Finding(`The tarball has ${size} bytes; ${LARGEST_TARBALL} are too many.`);
		await unpackTarball(tarball, unpacked);
		return `${await scanPackage(unpacked, 'tarball')}, ${(size / 1000).toFixed(1)} kB`;
	} finally {
		rmSync(workbench, { recursive: true, force: true });
		rmSync(unpacked, { recursive: true, force: true });
	}
};

/** Runs a project of jest. What has failed is told by name and message. */
export function runTests(project: string): Check {
	return async () =>
		await execute('node', ['tools/setup/suite.mjs', project, '--silent'], { told: ['stdout'] });
}
