const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName, folders) => ({
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	testEnvironment: '<rootDir>/test/jest/environment.ts',
	setupFilesAfterEnv: ['<rootDir>/test/jest/tidy.ts'],
	transform,
});

const suiteWithRealN8n = (displayName) => ({
	...suite(displayName, [`real/${displayName}`]),
	globalSetup: '<rootDir>/test/jest/share.ts',
	globalTeardown: '<rootDir>/test/jest/unshare.ts',
});

const engineEnvironment = '<rootDir>/test/engine/environment.ts';

/** The engine of another n8n in place of the project's own, if the set-up has installed it. */
function engineOf(place) {
	const note = join(__dirname, 'node_modules', '.cache', 'messaging-gateway', 'places.json');
	const places = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	return places[place] === undefined
		? {}
		: { '^(n8n-core|n8n-workflow|@n8n/di)$': join(places[place], 'node_modules', '$1') };
}

/** The engine tests and those with a real n8n that the compat folder names, in another n8n. */
const suiteWithOtherN8n = (displayName, mode, place) => ({
	...suiteWithRealN8n(displayName),
	testMatch: ['real/compat', 'engine'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	setupFiles: [`<rootDir>/test/real/compat/${mode}.ts`, engineEnvironment],
	moduleNameMapper: engineOf(place),
});

module.exports = {
	// Ends what hangs; on a busy machine everything else may take its time.
	testTimeout: 180_000,
	// By itself, jest leaves a core to itself, which of two is half.
	maxWorkers: '100%',
	testSequencer: '<rootDir>/test/jest/longestFirst.cjs',
	projects: [
		suite('unit', ['unit']),
		{ ...suite('engine', ['engine']), setupFiles: [engineEnvironment] },
		suiteWithRealN8n('e2e'),
		suiteWithRealN8n('weekly'),
		suiteWithRealN8n('queue'),
		suiteWithRealN8n('alone'),
		suiteWithOtherN8n('compat', 'oldest', 'n8nOldest'),
		suiteWithOtherN8n('newest', 'newest', 'n8nNewest'),
	],
};
