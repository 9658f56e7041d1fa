const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	setupFilesAfterEnv: ['<rootDir>/test/support/jest/tidy.ts'],
	transform,
});

const withRealN8n = {
	globalSetup: '<rootDir>/test/support/jest/share.ts',
	globalTeardown: '<rootDir>/test/support/jest/unshare.ts',
};

const COVERED = ['trigger', 'incoming', 'question', 'action', 'gateway', 'n8n'];

module.exports = {
	// Ends a test that hangs; a busy machine may be slow.
	testTimeout: 180_000,
	// By default, jest leaves one core to itself.
	maxWorkers: '100%',
	// For `npm run spec -- --coverage`, which fails below the thresholds.
	collectCoverageFrom: COVERED.map((name) => `nodes/MessagingGateway/${name}/**/*.ts`),
	coverageThreshold: Object.fromEntries(
		COVERED.map((name) => [`./nodes/MessagingGateway/${name}/`, { branches: 95 }]),
	),
	coverageProvider: 'v8',
	coverageReporters: ['text'],
	testSequencer: '<rootDir>/test/support/jest/longestFirst.cjs',
	projects: [
		{ ...suite('spec'), setupFiles: ['<rootDir>/test/support/environment.ts'] },
		{ ...suite('e2e'), ...withRealN8n },
		{ ...suite('nightly'), ...withRealN8n },
	],
};
