// Prints what is in a tarball of npm, one line for each file: its SHA-256 and its path. Two tarballs with the same lines
// bring the same files. It runs on Node alone: nothing that was installed has a say in it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const [tarball] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'contents-'));
try {
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
		.sort();
	for (const file of files) {
		const hash = createHash('sha256').update(readFileSync(join(folder, file)));
		console.log(`${hash.digest('hex')}  ${file}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
