const { execFile } = require('node:child_process');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const ts = require('typescript');

const manifest = require('./package.json');

const run = promisify(execFile);

/** What n8n brings along, and Node. Everything else that is imported is shipped with us. */
const BROUGHT_ALONG = ['n8n-workflow', 'crypto'];

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
 * What is installed can be read: each source becomes the file of the same name, without its types and with its
 * comments. n8n allows no runtime dependency, so each library that a source imports becomes a file in `libraries/`.
 */
async function compile() {
	const written = await Promise.all(['credentials', 'nodes'].map(listSources));
	const imports = await Promise.all(written.flat().map(compileSource));
	await bundleLibraries(gather(imports.flat()));
}

async function listSources(folder) {
	const files = await readdir(folder, { recursive: true });
	return files.filter((file) => file.endsWith('.ts')).map((file) => path.join(folder, file));
}

/** What is imported of each library: sorted names by library. */
function gather(imports) {
	const libraries = new Map();
	for (const { library, names } of imports)
		libraries.set(library, [...(libraries.get(library) ?? []), ...names]);
	return [...libraries].sort().map(([library, names]) => [library, [...new Set(names)].sort()]);
}

/** @returns the libraries that it imports, and what of them */
async function compileSource(source) {
	const text = await readFile(source, 'utf8');
	const compiled = ts.transpileModule(text, {
		fileName: source,
		compilerOptions: {
			module: ts.ModuleKind.CommonJS,
			target: ts.ScriptTarget.ES2022,
			esModuleInterop: true,
		},
	});
	const file = path.join('dist', source.replace(/\.ts$/, '.js'));
	const toLibraries = path.relative(path.dirname(file), path.join('dist', 'libraries'));
	const libraries = [];
	const code = compiled.outputText.replace(/\brequire\("([^".][^"]*)"\)/g, (call, name) => {
		if (BROUGHT_ALONG.includes(name)) return call;
		libraries.push({ library: name, names: importedNames(text, name) });
		return `require("${[...toLibraries.split(path.sep), nameLibrary(name)].join('/')}")`;
	});
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, `${headOf(source)}\n${code}`);
	return libraries;
}

/** The names that a source imports of a library, types left out. */
function importedNames(text, library) {
	const [, list] = new RegExp(`import \\{([^}]*)\\} from '${library}'`).exec(text) ?? [];
	if (list === undefined) throw new Error(`Name what is imported of ${library}: import { … } from`);
	return list
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '' && !name.startsWith('type '));
}

function headOf(source) {
	const { name, version, repository } = manifest;
	const tree = repository.url.replace(/^git\+|\.git$/g, '');
	const place = source.split(path.sep).join('/');
	return `// ${name} ${version}, compiled from ${tree}/blob/${version}/${place}`;
}

/** The file of a library, also of a part of one: `some-library/part` is in `some-library-part.js`. */
function nameLibrary(name) {
	return `${name.replace(/^@/, '').replaceAll('/', '-')}.js`;
}

/** Of a library, only what is used is shipped: what nobody calls, nobody has to read. */
async function bundleLibraries(libraries) {
	const bundles = await Promise.all(libraries.map(bundleLibrary));
	await writeNotices(bundles.flat());
}

/** @returns the files that it is made of */
async function bundleLibrary([library, names]) {
	const { metafile, outputFiles } = await esbuild.build({
		stdin: { contents: `export { ${names.join(', ')} } from '${library}';`, resolveDir: '.' },
		bundle: true,
		write: false,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: BROUGHT_ALONG,
		// n8n's scan forbids the global object in whatever is shipped.
		define: { 'globalThis.TextEncoder': 'TextEncoder' },
		metafile: true,
		logLevel: 'warning',
	});
	const inputs = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>');
	const titles = await Promise.all(findPackages(inputs).map(readTitle));
	const head = `// Bundled from ${titles.join(', ')}. Licences: dist/THIRD-PARTY-LICENSES.txt`;
	await mkdir(path.join('dist', 'libraries'), { recursive: true });
	const file = path.join('dist', 'libraries', nameLibrary(library));
	await writeFile(file, `${head}\n${outputFiles[0].text}`);
	return inputs;
}

async function writeNotices(inputs) {
	const notices = await Promise.all(findPackages(inputs).map(readNotice));
	const separator = `\n\n${'-'.repeat(60)}\n\n`;
	await writeFile('dist/THIRD-PARTY-LICENSES.txt', `${notices.join(separator)}\n`);
}

/** The folders of the packages that files come from, each once, sorted. */
function findPackages(inputs) {
	return [...new Set(inputs.map(findPackage))].sort();
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

async function readManifest(folder) {
	return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
}

/** E.g. `standardwebhooks 1.1.1 (MIT)`. */
async function readTitle(folder) {
	const { name, version, license } = await readManifest(folder);
	return `${name} ${version} (${license})`;
}

async function readNotice(folder) {
	const { name, license, author } = await readManifest(folder);
	// A library that is made from another one ships the licence of that one, too.
	const files = (await readdir(folder)).filter((file) => /^LICENSE(\.Apache)?$/.test(file)).sort();
	const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
	if (texts.length === 0) {
		if (license !== 'MIT') throw new Error(`${name} has no LICENSE file to ship`);
		// The same permission text as ours, under the name that the library's own manifest gives.
		const [, , , ...permission] = (await readFile('LICENSE.md', 'utf8')).split('\n');
		texts.push([`Copyright (c) ${author.name ?? author}`, ...permission].join('\n'));
	}
	return [await readTitle(folder), ...texts.map((text) => text.trim())].join('\n\n');
}

function copyAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

exports.check = check;
/** What is shipped, without the type check. */
exports.ship = series(clean, parallel(compile, copyAssets));
exports.build = series(check, exports.ship);
exports.default = exports.build;
