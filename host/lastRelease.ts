import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { unpackTarball } from './packages';
import { projectFolder } from './places';

/**
 * The package as it was last released, and until there is a release, as `npm run release:keep` has packed it last.
 */
export const lastReleaseTarball = join(__dirname, 'lastRelease.tgz');

/** Unpacks the last release, beside the project's packages, so that it finds `n8n-workflow`. Answers its folder. */
export async function unpackLastRelease(name: string): Promise<string> {
	const folder = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway', name);
	rmSync(folder, { recursive: true, force: true });
	await unpackTarball(lastReleaseTarball, folder);
	return folder;
}

/** What a package brings. */
export interface PackageClasses {
	MessagingGateway: new () => INodeType;
	MessagingGatewayTrigger: new () => INodeType;
	MessagingGatewayAccountApi: new () => ICredentialType;
	MessagingGatewayInstanceApi: new () => ICredentialType;
}

/** Loads the nodes and credentials of an unpacked package. */
export function loadClasses(folder: string): PackageClasses {
	const manifest = require(join(folder, 'package.json')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	const files = [...manifest.n8n.credentials, ...manifest.n8n.nodes];
	const exported = files.map((file) => require(join(folder, file)) as object);
	return Object.assign({}, ...exported) as PackageClasses;
}
