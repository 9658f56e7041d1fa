const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName, folders) => ({
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	setupFilesAfterEnv: ['<rootDir>/test/jest/tidy.ts'],
	transform,
});

const inEngine = { setupFiles: ['<rootDir>/test/engine/environment.ts'] };

const withRealN8n = {
	globalSetup: '<rootDir>/test/jest/share.ts',
	globalTeardown: '<rootDir>/test/jest/unshare.ts',
};

module.exports = {
	// Ends a test that hangs; a busy machine may be slow.
	testTimeout: 180_000,
	// By default, jest leaves one core to itself.
	maxWorkers: '100%',
	testSequencer: '<rootDir>/test/jest/longestFirst.cjs',
	projects: [
		suite('unit', ['unit']),
		{ ...suite('spec', ['spec']), ...inEngine },
		{ ...suite('engine', ['engine']), ...inEngine },
		{ ...suite('e2e', ['e2e', 'real/e2e']), ...withRealN8n },
		{ ...suite('nightly', ['nightly', 'real/weekly', 'real/alone']), ...withRealN8n },
	],
};
