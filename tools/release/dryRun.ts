import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nApi } from '../../host/api';
import { draftAnswering, publish } from '../../host/drafts/workflows';
import { createCredentials, type Host } from '../../host/host';
import { unpackLastRelease } from '../../host/lastRelease';
import { startN8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';
import { communityPackageFolder, packPackage } from '../../host/packages';
import { projectFolder } from '../../host/places';
import { waitFor } from '../../host/waiting';
import { startSimulator } from '../../simulator';
import { Finding } from '../verification/command';
import { startRegistry } from './registry';

interface Manifest {
	name: string;
	version: string;
}

interface InstalledPackage {
	installedVersion: string;
	installedNodes: Array<{ type: string }>;
}

/** Older than any release, so that n8n tells the last release from this one while both have the same number. */
const LAST = '0.0.1';

/**
 * Goes with n8n's own community package service through a package's whole life: the last release is installed and used,
 * updated to this one while n8n runs, used again, and uninstalled.
 * @returns what was seen
 * @throws Finding at the first thing that is not as it should be
 */
export async function rehearse(): Promise<string[]> {
	const workbench = mkdtempSync(join(tmpdir(), 'rehearsal-'));
	const tarballs = await packBoth(workbench);
	const [{ name }, { version }] = tarballs.keys();
	const registry = await startRegistry(tarballs);
	const gateway = await startSimulator();
	const n8n = await startN8n({ packages: [], env: { PATH: registry.path } });
	const seen: string[] = [];
	try {
		const api = new N8nApi(n8n.url);
		await api.setUpOwner(OWNER);
		const path = '/community-packages';
		const tell = (what: string, { installedVersion, installedNodes }: InstalledPackage) =>
			seen.push(
				`${what} ${installedVersion}: ${installedNodes.map(({ type }) => type).join(', ')}`,
			);

		tell('installed', await api.request('POST', path, { name, version: LAST }));
		const credentials = await createCredentials(api, gateway);
		const host: Host = { n8n, api, gateway, credentials, stop: n8n.stop };
		const id = await publish(api, draftAnswering(host, []));
		const [webhook] = gateway.webhooks();
		seen.push(await answer(host, 'with the last release'));
		tell('updated while n8n runs to', await api.request('PATCH', path, { name, version }));
		seen.push(await answer(host, 'after the update'));
		await n8n.restart();
		seen.push(await answer(host, 'after a restart'));
		if (gateway.webhooks()[0]?.id !== webhook.id)
			throw new Finding('The update has made another webhook.');

		await api.unpublish(id);
		if (gateway.webhooks().length > 0) throw new Finding('A webhook is left at the gateway.');
		await api.request('DELETE', `${path}?name=${name}`);
		const left = await api.request<InstalledPackage[]>('GET', path);
		if (left.length > 0 || existsSync(communityPackageFolder(projectFolder, n8n.folder)))
			throw new Finding('n8n has uninstalled the package, and something of it is left.');
		seen.push('uninstalled: no package in the list, no folder, no webhook at the gateway');
		return seen;
	} finally {
		await n8n.stop();
		await gateway.stop();
		await registry.stop();
		rmSync(workbench, { recursive: true, force: true });
	}
}

/** The last release and this one as npm would hand them out. */
async function packBoth(workbench: string): Promise<Map<Manifest, string>> {
	const last = join(workbench, 'last');
	cpSync(await unpackLastRelease('last-release-rehearsal'), last, { recursive: true });
	const file = join(last, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
	writeFileSync(file, JSON.stringify({ ...manifest, version: LAST }));
	const packed = new Map<Manifest, string>();
	for (const folder of [last, projectFolder]) {
		const read = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
		packed.set(read, await packPackage(folder, workbench));
	}
	return packed;
}

/** Somebody writes, and is answered. */
async function answer({ gateway }: Host, when: string): Promise<string> {
	gateway.write(when);
	await waitFor(`an answer ${when}`, () =>
		gateway.acceptedSends().some(({ text }) => text === `Answer to ${when}`),
	);
	return `a message is answered ${when}`;
}
