const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName, folders, moreSetup = []) => ({
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	testEnvironment: 'node',
	setupFilesAfterEnv: ['<rootDir>/test/host/tidy.ts', ...moreSetup],
	transform,
});

const suiteWithRealN8n = (displayName) =>
	suite(displayName, [`real/${displayName}`], ['<rootDir>/test/host/patience.ts']);

const engineEnvironment = '<rootDir>/test/engine/environment.ts';

/** The oldest n8n supported, if the set-up has installed it: its engine in place of the newest one. */
function oldestEngine() {
	const note = join(__dirname, 'node_modules', '.cache', 'messaging-gateway', 'places.json');
	const { n8nOldest } = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	return n8nOldest === undefined
		? {}
		: { '^(n8n-core|n8n-workflow)$': join(n8nOldest, 'node_modules', '$1') };
}

module.exports = {
	// Ends what hangs; on a busy machine everything else may take its time.
	testTimeout: 60_000,
	projects: [
		suite('unit', ['unit', 'simulator']),
		{ ...suite('engine', ['engine']), setupFiles: [engineEnvironment] },
		suiteWithRealN8n('e2e'),
		suiteWithRealN8n('queue'),
		suiteWithRealN8n('alone'),
		{
			...suiteWithRealN8n('compat'),
			testMatch: ['real/compat', 'engine'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
			setupFiles: ['<rootDir>/test/real/compat/mode.ts', engineEnvironment],
			moduleNameMapper: oldestEngine(),
		},
	],
};
