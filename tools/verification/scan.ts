import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPlace, projectFolder } from '../../host/places';

/** What of the project n8n's lint and scan look at. */
export const SHIPPED_SOURCES = [
	'package.json',
	'eslint.config.mjs',
	'tsconfig.json',
	'nodes',
	'credentials',
];

/** Development dependencies that the sources import because the build bundles them. */
const BUNDLED = ['libphonenumber-js', 'standardwebhooks'];

interface Scanner {
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
	buildScanConfig(): Promise<object[]>;
	SOURCE_FILE_PATTERNS: string[];
}

interface LintResult {
	warningCount: number;
}

interface Linter {
	lintFiles(patterns: string[]): Promise<LintResult[]>;
	loadFormatter(name: string): Promise<{ format(results: LintResult[]): string | Promise<string> }>;
}

/** A new folder with copies from the project, inside the tools' own: Node looks upwards for what they import. */
export function copyBesideTools(names: string[]): string {
	const copies = join(findPlace('verification'), 'copies');
	mkdirSync(copies, { recursive: true });
	const copy = mkdtempSync(join(copies, 'project-'));
	for (const name of names.filter((each) => existsSync(join(projectFolder, each)))) {
		cpSync(join(projectFolder, name), join(copy, name), { recursive: true });
	}
	mkdirSync(join(copy, 'node_modules'));
	for (const name of BUNDLED) {
		symlinkSync(join(projectFolder, 'node_modules', name), join(copy, 'node_modules', name));
	}
	return copy;
}

/**
 * n8n's scan for verified packages, to which we add that warnings count.
 * @param folder lies beside the tools
 */
export async function scanPackage(folder: string, what: 'sources' | 'tarball'): Promise<void> {
	const requireFromTools = createRequire(join(findPlace('verification'), 'package.json'));
	const scannerFile = requireFromTools.resolve('@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = (await import(pathToFileURL(scannerFile).href)) as Scanner;
	const patterns = what === 'sources' ? scanner.SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];

	const verdict = await scanner.analyzePackage(folder, patterns);
	if (!verdict.passed) throw new Error(`${verdict.message}\n${verdict.details ?? ''}`);
	if (verdict.message !== undefined) throw new Error(verdict.message);

	const { ESLint } = requireFromTools('eslint') as { ESLint: new (options: object) => Linter };
	const linter = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await scanner.buildScanConfig(),
	});
	const results = await linter.lintFiles(patterns);
	if (results.some(({ warningCount }) => warningCount > 0)) {
		throw new Error(await (await linter.loadFormatter('stylish')).format(results));
	}
}
