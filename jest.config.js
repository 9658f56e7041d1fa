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

module.exports = {
	// Ends what hangs; on a busy machine everything else may take its time.
	testTimeout: 180_000,
	// By itself, jest leaves a core to itself, which of two is half.
	maxWorkers: '100%',
	testSequencer: '<rootDir>/test/jest/longestFirst.cjs',
	projects: [
		suite('unit', ['unit']),
		{ ...suite('spec', ['spec']), setupFiles: [engineEnvironment] },
		{ ...suite('engine', ['engine']), setupFiles: [engineEnvironment] },
		suiteWithRealN8n('e2e'),
		suiteWithRealN8n('weekly'),
		suiteWithRealN8n('queue'),
		suiteWithRealN8n('alone'),
	],
};
