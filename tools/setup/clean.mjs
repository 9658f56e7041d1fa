// `npm run clean`: deletes what this project has put on the machine, after naming it and asking. Needs no packages: it deletes
// them too.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agrees, canAnswer } from './ask.mjs';
import { cacheFolder } from './cache.mjs';

const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What the set-up and the demo keep in the cache. Somebody may have named a folder of theirs as the cache. */
const IN_CACHE = [
	[/^demo$/, 'the demo: its workflows, chats and settings'],
	[/^n8n-/, 'n8n'],
	[/^verification-/, "n8n's lint and package scan"],
	[/^(logs|screenshots|node-?[\d.]+\.path|project-.*\.lock)$/, 'logs and notes'],
];
const IN_PROJECT = [
	[/^node_modules$/, "the project's packages"],
	[/^dist$/, 'the built package'],
];

function find(folder, kinds) {
	if (!existsSync(folder)) return [];
	return readdirSync(folder).flatMap((name) => {
		const [, what] = kinds.find(([pattern]) => pattern.test(name)) ?? [];
		return what === undefined ? [] : [{ path: join(folder, name), what }];
	});
}

/** In bytes on the disk. */
function sizeOf(path) {
	return Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) * 1024;
}

function format(bytes) {
	return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Whether the demo runs: its data must not be taken from under it. */
function isDemoRunning() {
	const note = join(cacheFolder, 'demo', 'running.json');
	if (!existsSync(note)) return false;
	try {
		process.kill(JSON.parse(readFileSync(note, 'utf8')).pid, 0);
		return true;
	} catch {
		return false;
	}
}

async function main() {
	const found = [...find(cacheFolder, IN_CACHE), ...find(projectFolder, IN_PROJECT)];
	if (found.length === 0) return console.log('There is nothing to delete.');
	if (isDemoRunning()) {
		console.error('The demo is running. End it with Ctrl-C, then start again.');
		process.exitCode = 1;
		return;
	}
	console.log('This is deleted:\n');
	let total = 0;
	for (const { path, what } of found) {
		const size = sizeOf(path);
		total += size;
		console.log(`${format(size).padStart(8)}  ${path}  (${what})`);
	}
	console.log(`${format(total).padStart(8)}  in all\n`);
	if (!process.argv.includes('--yes')) {
		if (!canAnswer()) {
			console.log(
				'Nothing was deleted: nobody could be asked. To delete it: npm run clean -- --yes',
			);
			return;
		}
		if (!(await agrees('Delete it? [y/N] '))) return console.log('Nothing was deleted.');
	}
	for (const { path } of found) rmSync(path, { recursive: true, force: true });
	if (existsSync(cacheFolder) && readdirSync(cacheFolder).length === 0) rmdirSync(cacheFolder);
	console.log(`Deleted. What remains is shared with other projects, or is yours:

  npm's cache            npm cache clean --force; with the Node 24 that npm keeps for us: rm -rf ~/.npm/_npx
  Debian's packages      apt-get remove, of those that you let the set-up install
  the clone              rm -rf ${projectFolder}`);
}

await main();
