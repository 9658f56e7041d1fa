import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { packPackage } from '../../lab/host/packages';
import { projectFolder } from '../../lab/host/places';

/** A registry of npm that has one package, and an `npm` that asks this registry whatever it is told. */
export interface Registry {
	/** The `PATH` on which that `npm` is found first. */
	path: string;
	stop(): Promise<void>;
}

interface Manifest {
	name: string;
	version: string;
}

/**
 * Serves this project as `npm publish` would pack it.
 * @returns also n8n's settings that have it installed at each start, on workers too
 */
export async function startOwnRegistry(): Promise<Registry & { env: NodeJS.ProcessEnv }> {
	const workbench = mkdtempSync(join(tmpdir(), 'own-'));
	const tarball = await packPackage(projectFolder, workbench);
	const { name, version } = JSON.parse(
		readFileSync(join(projectFolder, 'package.json'), 'utf8'),
	) as Manifest;

	const checksum = integrityOf(readFileSync(tarball));
	const registry = await startRegistry(new Map([[{ name, version }, tarball]]));

	rmSync(workbench, { recursive: true });
	return {
		...registry,
		env: {
			PATH: registry.path,
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name, version, checksum }]),
			N8N_REINSTALL_MISSING_PACKAGES: 'true',
		},
	};
}

const integrityOf = (content: Buffer) =>
	`sha512-${createHash('sha512').update(content).digest('base64')}`;

/**
 * Starts a registry on this machine: n8n without a licence takes packages from npm's own only, so its `npm` is given
 * another address behind its back.
 * @param tarballs of one package, by the manifests in them
 */
export async function startRegistry(tarballs: Map<Manifest, string>): Promise<Registry> {
	const [[{ name }]] = tarballs;
	const files = new Map([...tarballs.values()].map((path) => [basename(path), readFileSync(path)]));

	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? '/');
		const file = files.get(basename(path));
		if (file) return void response.end(file);
		if (path !== `/${name}`) return void response.writeHead(404).end('{}');

		const url = `http://${request.headers.host}`;
		const versions = [...tarballs].map(([manifest, tarball]) => {
			const content = files.get(basename(tarball))!;
			const dist = {
				tarball: `${url}/${name}/-/${basename(tarball)}`,
				shasum: createHash('sha1').update(content).digest('hex'),
				integrity: integrityOf(content),
			};
			return [manifest.version, { ...manifest, dist }] as const;
		});

		const latest = versions.at(-1)?.[0];

		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }),
		);
	});

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	const folder = makeNpm(`http://127.0.0.1:${port}`);
	return {
		path: `${folder}${delimiter}${process.env.PATH}`,
		stop: async () => {
			rmSync(folder, { recursive: true, force: true });
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

function makeNpm(registry: string): string {
	const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
	const folder = mkdtempSync(join(tmpdir(), 'npm-'));
	const script = join(folder, 'npm');
	// Of two registries that npm is told, the later one counts.
	writeFileSync(script, `#!/bin/sh\nexec '${npm}' "$@" --registry=${registry} --prefer-online\n`);
	chmodSync(script, 0o755);
	return folder;
}
