// Loads a package of nodes as n8n does, and prints what that took: milliseconds and bytes. Needs --expose-gc.
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'load-'));
const { PackageDirectoryLoader } = require('n8n-core');

const weigh = () => {
	global.gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

async function main() {
	const before = weigh();
	const started = performance.now();
	const loader = new PackageDirectoryLoader(process.argv[2]);
	await loader.loadAll();
	const milliseconds = performance.now() - started;
	const bytes = weigh() - before;
	process.stdout.write(
		JSON.stringify({ milliseconds, bytes, nodes: Object.keys(loader.nodeTypes).length }),
	);
}

void main();
