const { execFile } = require('node:child_process');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
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

/**
 * n8n allows no runtime dependency, so everything becomes one file with its libraries inside. The files that
 * n8n loads then only name their classes: bundled one by one, each would carry what they share.
 */
async function bundle({ minify }) {
	const { metafile } = await esbuild.build({
		stdin: {
			contents: entryPoints.map((file) => `export * from './${file}';`).join('\n'),
			resolveDir: '.',
		},
		bundle: true,
		outfile: 'dist/bundle.js',
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow'],
		// n8n's scan forbids the global object in whatever is shipped.
		define: { 'globalThis.TextEncoder': 'TextEncoder' },
		minify,
		// So that a stack trace can be read.
		keepNames: minify,
		lineLimit: minify ? 4000 : 0,
		metafile: true,
		logLevel: 'warning',
	});
	await Promise.all([writeNotices(Object.keys(metafile.inputs)), ...entryPoints.map(writeEntry)]);
}

async function writeEntry(source) {
	const file = path.join('dist', source.replace(/\.ts$/, '.js'));
	const [className] = path.basename(file).split('.');
	const shared = path.relative(path.dirname(file), 'dist/bundle.js').split(path.sep).join('/');
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, `exports.${className} = require('${shared}').${className};\n`);
}

async function writeNotices(inputs) {
	const libraries = inputs.filter(
		(input) => !/^(?:<stdin>|(?:nodes|credentials)\/.+)$/.test(input),
	);
	const folders = new Set(libraries.map(findPackage));
	const notices = await Promise.all([...folders].sort().map(readNotice));
	const separator = `\n\n${'-'.repeat(60)}\n\n`;
	await writeFile('dist/THIRD-PARTY-LICENSES.txt', `${notices.join(separator)}\n`);
}

/** The package that something bundled comes from; it must not be shipped without its licence. */
function findPackage(input) {
	const folder = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
	if (folder === undefined)
		throw new Error(
			`${input} is bundled, but is in no package below node_modules, so its licence cannot be shipped. A linked node_modules does that: run npm ci.`,
		);
	return folder;
}

async function readNotice(folder) {
	const { name, version, license, author } = JSON.parse(
		await readFile(path.join(folder, 'package.json'), 'utf8'),
	);
	// A library that is made from another one ships the licence of that one, too.
	const files = (await readdir(folder)).filter((file) => /^LICENSE(\.Apache)?$/.test(file)).sort();
	const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
	if (texts.length === 0) {
		if (license !== 'MIT') throw new Error(`${name} has no LICENSE file to ship`);
		// The same permission text as ours, under the name that the library's own manifest gives.
		const [, , , ...permission] = (await readFile('LICENSE.md', 'utf8')).split('\n');
		texts.push([`Copyright (c) ${author.name ?? author}`, ...permission].join('\n'));
	}
	return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}

function copyAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	})
		.pipe(shortenJson())
		.pipe(dest('dist'));
}

function shortenJson() {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			if (file.extname === '.json')
				file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
			done(null, file);
		},
	});
}

exports.check = check;
/** For a debugger: not minified. */
exports.bundle = series(
	clean,
	parallel(() => bundle({ minify: false }), copyAssets),
);
/** What is shipped, without the type check. */
exports.ship = series(
	clean,
	parallel(() => bundle({ minify: true }), copyAssets),
);
exports.build = series(check, exports.ship);
exports.default = exports.build;
