const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName, setupFilesAfterEnv = []) => ({
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	setupFilesAfterEnv,
	transform,
});

const withRealN8n = ['<rootDir>/test/host/patience.ts'];

/** The oldest n8n supported, if the set-up has installed it: its engine in place of the newest one. */
function oldestEngine() {
	const note = join(__dirname, 'node_modules', '.cache', 'messaging-gateway', 'places.json');
	const { n8nOldest } = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	return n8nOldest === undefined ? {} : { '^(n8n-core|n8n-workflow)$': join(n8nOldest, 'node_modules', '$1') };
}

module.exports = {
	projects: [
		suite('unit'),
		suite('engine'),
		suite('e2e', withRealN8n),
		suite('queue', withRealN8n),
		suite('alone', withRealN8n),
		{
			...suite('compat', withRealN8n),
			testMatch: ['compat', 'engine'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
			setupFiles: ['<rootDir>/test/compat/mode.ts'],
			moduleNameMapper: oldestEngine(),
		},
	],
};
