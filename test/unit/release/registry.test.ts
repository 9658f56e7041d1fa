import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startRegistry, type Registry } from '../../../tools/release/registry';

const folder = mkdtempSync(join(tmpdir(), 'registry-'));
const name = 'n8n-nodes-bread';
let registry: Registry;
let url: string;

beforeAll(async () => {
	const tarballs = ['1.0.0', '1.1.0'].map((version) => {
		const file = join(folder, `${name}-${version}.tgz`);
		writeFileSync(file, `bread ${version}`);
		return [{ name, version }, file] as const;
	});
	// In place of npm, one that says how it was called.
	mkdirSync(join(folder, 'bin'));
	writeFileSync(join(folder, 'bin', 'npm'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
	const { PATH } = process.env;
	process.env.PATH = `${join(folder, 'bin')}${delimiter}${PATH}`;
	registry = await startRegistry(new Map(tarballs)).finally(() => (process.env.PATH = PATH));
	const env = { ...process.env, PATH: registry.path };
	const args = ['install', name, '--registry=https://registry.npmjs.org'];
	const { stdout } = await promisify(execFile)('npm', args, { env });
	const called = /^install n8n-nodes-bread --registry=\S+ --registry=(\S+) --prefer-online\n$/;
	url = called.exec(stdout)?.[1] ?? `none in ${stdout}`;
});

afterAll(async () => {
	await registry.stop();
	rmSync(folder, { recursive: true, force: true });
});

it('tells of each version, the last one as the latest, and brings it as it is', async () => {
	const answer = await fetch(`${url}/${name}`);
	expect(answer.headers.get('content-type')).toBe('application/json');
	const { 'dist-tags': tags, versions } = (await answer.json()) as {
		'dist-tags': object;
		versions: Record<string, { dist: { tarball: string; shasum: string; integrity: string } }>;
	};
	expect(tags).toEqual({ latest: '1.1.0' });
	expect(Object.keys(versions)).toEqual(['1.0.0', '1.1.0']);
	for (const [version, { dist }] of Object.entries(versions)) {
		const content = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
		expect(String(content)).toBe(`bread ${version}`);
		expect(dist.shasum).toBe(createHash('sha1').update(content).digest('hex'));
		const sha512 = createHash('sha512').update(content).digest('base64');
		expect(dist.integrity).toBe(`sha512-${sha512}`);
	}
});

it('has nothing else', async () => {
	expect((await fetch(`${url}/n8n-nodes-cake`)).status).toBe(404);
	expect((await fetch(`${url}/`)).status).toBe(404);
});
