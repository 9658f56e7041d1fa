import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// Beside a scanner and a linter of n8n's that say what they are told to.

const script = join('tools', 'verification', 'scan.ts');
const TOOLS = 'tools/installed/node_modules';
const folder = putAmong(script, {
	'host/places.ts': `
		import { join } from 'node:path';
		export const projectFolder = join(__dirname, '..');
		export const findPlace = (name) => name === 'verification' && join(projectFolder, 'tools', 'installed');`,
	'tools/verification/command.ts': 'export class Finding extends Error {}',
	'tools/installed/package.json': '{}',
	[`${TOOLS}/@n8n/scan-community-package/package.json`]: '{"type":"module"}',
	[`${TOOLS}/@n8n/scan-community-package/scanner/scanner.mjs`]: `
		export const SOURCE_FILE_PATTERNS = ['sources/**'];
		export const buildScanConfig = async () => [{ its: 'config' }];
		export const analyzePackage = async (folder, patterns) => {
			console.log('scans', patterns.join());
			return JSON.parse(process.env.VERDICT);
		};`,
	[`${TOOLS}/eslint/package.json`]: '{"main":"index.js"}',
	[`${TOOLS}/eslint/index.js`]: `
		exports.ESLint = class {
			constructor({ cwd: _cwd, ...options }) { console.log('lints with', JSON.stringify(options)); }
			async lintFiles(patterns) {
				console.log('lints', patterns.join());
				return JSON.parse(process.env.WARNINGS).map((warningCount) => ({ warningCount }));
			}
			async loadFormatter(name) { return { format: async (results) => name + ' of ' + results.length }; }
		};`,
	'look.ts': `
		import { copyBesideTools, scanPackage, SHIPPED_SOURCES } from './tools/verification/scan';
		if (process.argv[2] === 'copy') console.log('→', copyBesideTools(SHIPPED_SOURCES));
		else scanPackage('/package', process.argv[2]).then(
			(told) => console.log('→', told),
			(error) => console.log('→', error.constructor.name, error.message));`,
	'package.json': '{}',
	'eslint.config.mjs': '',
	'nodes/deep/a.ts': 'a',
	'credentials/b.ts': 'b',
	'README.md': 'not looked at',
});

function look(
	what: string,
	VERDICT: object = { passed: true },
	WARNINGS: number[] = [0, 0],
): string {
	const args = ['--import', 'tsx', join(folder, 'look.ts'), what];
	const { stdout } = spawnSync(process.execPath, args, {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, VERDICT: JSON.stringify(VERDICT), WARNINGS: JSON.stringify(WARNINGS) },
	});
	return stdout;
}

it.each([
	['sources', 'sources/**'],
	['tarball', '**/*.js,package.json'],
])(
	'of the %s it scans and lints what there is, whatever comments in it forbid',
	(what, patterns) => {
		expect(look(what)).toBe(
			`scans ${patterns}
lints with {"allowInlineConfig":false,"overrideConfigFile":true,"overrideConfig":[{"its":"config"}]}
lints ${patterns}
→ 2 files
`,
		);
	},
);

it.each([
	['does not pass', { passed: false, message: 'Bad', details: 'in a.js' }, [0], 'Bad\nin a.js'],
	['does not pass, without details', { passed: false, message: 'Bad' }, [0], 'Bad\n'],
	['passes with a reservation', { passed: true, message: 'Almost' }, [0], 'Almost'],
	['passes with one warning', { passed: true }, [0, 1], 'stylish of 2'],
])('what %s is a finding', (_what, verdict, warnings, told) => {
	expect(look('tarball', verdict, warnings)).toMatch(new RegExp(`→ Finding ${told}\n$`));
});

it('looks at a copy of what is shipped, inside the tools, with what is bundled beside it', () => {
	const [, copy] = /→ (.+)\n$/.exec(look('copy')) ?? [];
	expect(copy).toContain(join(folder, 'tools', 'installed', 'copies'));
	expect(readdirSync(copy).sort()).toEqual([
		...['credentials', 'eslint.config.mjs', 'node_modules', 'nodes', 'package.json'],
	]);
	expect(existsSync(join(copy, 'nodes', 'deep', 'a.ts'))).toBe(true);
	expect(readdirSync(join(copy, 'node_modules')).sort()).toEqual([
		'libphonenumber-js',
		'standardwebhooks',
	]);
});
