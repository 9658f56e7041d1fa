import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';

// What the publishing Action compares: two tarballs with the same lines bring the same files.

const folder = mkdtempSync(join(tmpdir(), 'tarballs-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packs these files, in this order, and gives what is printed of the tarball, and how that ended. */
function list(files: Record<string, string>): { lines: string[]; status: number | null } {
	const source = mkdtempSync(join(folder, 'source-'));
	const temporary = mkdtempSync(join(folder, 'temporary-'));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(source, name)), { recursive: true });
		writeFileSync(join(source, name), text);
	}
	const tarball = join(source, 'package.tgz');
	execFileSync('tar', ['-czf', tarball, '-C', source, ...Object.keys(files)]);
	const script = join(projectFolder, 'tools', 'release', 'contents.mjs');
	const { stdout, status } = spawnSync(process.execPath, [script, tarball], {
		encoding: 'utf8',
		env: { ...process.env, TMPDIR: temporary },
	});
	expect(readdirSync(temporary)).toEqual([]);
	return { lines: stdout.split('\n').slice(0, -1), status };
}

const files = { 'package/b.json': '{}', 'package/a/c.js': 'c', 'package/.hidden': 'h' };

it('names each file with its hash, in an order of its own, and leaves nothing behind', () => {
	const hashed = (name: string, text: string) =>
		`${createHash('sha256').update(text).digest('hex')}  ${name}`;
	expect(list(files)).toEqual({
		lines: [
			hashed('package/.hidden', 'h'),
			hashed('package/a/c.js', 'c'),
			hashed('package/b.json', '{}'),
		],
		status: 0,
	});
});

it('is the same whatever the order in the tarball, and another for another byte, name or file', () => {
	const { lines } = list(files);
	const turned = Object.fromEntries(Object.entries(files).reverse());
	expect(list(turned).lines).toEqual(lines);
	const others: Array<Record<string, string>> = [
		{ 'package/b.json': '{ }' },
		{ 'package/a/d.js': 'c' },
		{ 'package/README': '' },
	];
	for (const changes of others) expect(list({ ...files, ...changes }).lines).not.toEqual(lines);
});

it('fails where there is no tarball', () => {
	const script = join(projectFolder, 'tools', 'release', 'contents.mjs');
	const { status, stdout } = spawnSync(process.execPath, [script, join(folder, 'none.tgz')]);
	expect(String(stdout)).toBe('');
	expect(status).toBe(1);
});
